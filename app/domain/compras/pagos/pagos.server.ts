import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import type { Market } from '~/core/market';
import { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { link, ordenesOfNumeros } from './savePagos.server';
import { numerosOf } from './pago';
import type { MontoDeOrden, OrdenDePago, OrdenesDePago, PagoEditado, UnPago } from './forms';
import { readArchivo, type Archivo } from '~/platform/files/archivos.server';
import { isTipo, TIPOS } from '~/platform/files/tipos';
import type { Comprobante } from './internal/comprobante';

const TITULO = 'Error de actualización.';

/** Returns a payment with its sales, the amount that each still asks for, and its files. Null when there is none. */
export async function readPago(db: Db | Trx, id: string) {
  const pago = await db
    .selectFrom('pago')
    .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
    .leftJoin('usuario', 'usuario.id', 'pago.usuarioId')
    .select([
      'pago.id',
      'pago.folio',
      'pago.fecha',
      'pago.total',
      'pago.claveRastreo',
      'pago.banco',
      'pago.version',
      'pago.creadoEn',
      'pago.proveedor',
      'proveedor.label as proveedorLabel',
      'usuario.usuario',
    ])
    .where('pago.id', '=', id)
    .executeTakeFirst();
  if (!pago) return null;
  const [{ rows: ordenes }, archivos] = await Promise.all([
    sql<OrdenPagada>`
      select o.id, o.market, o.num_orden as "numOrden", o.titulo,
        v.monto, v.facturado, v.pide as aplicado,
        v.monto is null and exists (
          select from pago_orden otra join pago p on p.id = otra.pago_id
          where otra.orden_id = v.orden_id and otra.pago_id <> v.pago_id and otra.monto is null
            and p.proveedor = v.proveedor) as compartida,
        (select coalesce(string_agg(f.folio, ', ' order by f.folio), '') from proveedor_factura f
          where f.orden_id = o.id and f.proveedor = v.proveedor) as folios
      from pago_de_orden v join orden o on o.id = v.orden_id
      where v.pago_id = ${id} order by o.fecha_creacion, o.id`.execute(db),
    archivosOfPagos(db, [id]),
  ]);
  const aplicado = Money.sum(ordenes.map((orden) => orden.aplicado));
  return { ...pago, ordenes, archivos, aplicado, restante: pago.total && pago.total.minus(aplicado) };
}

type OrdenPagada = {
  id: string;
  market: Market;
  numOrden: string;
  titulo: string;
  /** Amount that a person wrote for this payment. */
  monto: Money | null;
  facturado: Money;
  aplicado: Money;
  /** Whether another payment covers the sale too, and nobody said how much each pays. */
  compartida: boolean;
  folios: string;
};

const ETIQUETAS = {
  folio: 'Folio',
  fecha: 'Fecha del pago',
  total: 'Total',
  claveRastreo: 'Clave de rastreo',
  banco: 'Banco',
} as const;

/** Locks the payment until the transaction ends. Throws `Stale` when it is no longer what the screen showed, and `NotAllowed` when it is gone. */
async function lockPago(trx: Trx, { id, version }: { id: string; version: number }) {
  const pago = await trx
    .selectFrom('pago')
    .select(['id', 'proveedor', 'folio', 'fecha', 'total', 'claveRastreo', 'banco', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!pago) throw new NotAllowed(TITULO, 'Otra persona eliminó este pago. Vuelve a cargar la página.');
  if (pago.version !== version)
    throw new Stale({
      cambios: [{ campo: 'Pago', mio: 'como se veía', suyo: `${pago.folio}, con cambios` }],
      marcas: { version: pago.version },
    });
  return pago;
}

/**
 * Saves the facts of a payment. Throws `Stale` when the row moved since the screen showed it, and `NotAllowed` when it is gone or its folio or
 * tracking key is taken.
 */
export async function savePago(trx: Trx, { id, version, ...datos }: z.output<typeof PagoEditado>, usuarioId: string) {
  const despues = { ...datos, total: datos.total === null ? null : Money.of(datos.total) };
  const actual = await trx
    .selectFrom('pago')
    .select(['folio', 'fecha', 'total', 'claveRastreo', 'banco', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!actual) throw new NotAllowed(TITULO, 'Otra persona eliminó este pago. Vuelve a cargar la página.');
  if (actual.version !== version) throw new Stale(choqueOfFila(ETIQUETAS, despues, actual));
  await withFreeKeys(() =>
    trx
      .updateTable('pago')
      .set({ ...datos, version: version + 1 })
      .where('id', '=', id)
      .execute(),
  );
  const { version: _, ...antes } = actual;
  await record(trx, { usuarioId, entidad: 'pago', entidadId: id, accion: 'modificar', datos: { ...despues, antes } });
}

async function withFreeKeys<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.constraint === 'pago_by_folio')
      throw new NotAllowed(TITULO, 'Ya existe un pago con ese folio a este proveedor.', {
        campo: 'folio',
        cause: error,
      });
    if (error.constraint === 'pago_by_clave')
      throw new NotAllowed(TITULO, 'Otro pago ya tiene esa clave de rastreo: es la misma transferencia.', {
        campo: 'claveRastreo',
        cause: error,
      });
    throw error;
  }
}

/** Adds sales to a payment by their numbers. Throws `NotAllowed` for a number without a sale, and like `lockPago`. */
export async function addOrdenes(
  trx: Trx,
  { otras, ...visto }: z.output<typeof OrdenesDePago>,
  usuarioId: string,
): Promise<void> {
  const { id, version } = await lockPago(trx, visto);
  await link(trx, id, await ordenesOfNumeros(trx, numerosOf(otras), 'otras'), usuarioId);
  await moved(trx, id, version);
}

/** Adds known payments to a sale, all or none. Throws `NotAllowed` when the sale or a payment does not exist. */
export async function linkPagos(
  trx: Trx,
  { ordenId, pagos }: { ordenId: string; pagos: readonly string[] },
  usuarioId: string,
): Promise<void> {
  const orden = await trx.selectFrom('orden').select('id').where('id', '=', ordenId).executeTakeFirst();
  if (!orden) throw new NotAllowed(TITULO, 'La orden no existe.');
  const hallados = await trx
    .selectFrom('pago')
    .select(['id', 'version'])
    .where('id', 'in', [...pagos])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (hallados.length < new Set(pagos).size) throw new NotAllowed(TITULO, 'Alguno de los pagos ya no existe.');
  for (const { id, version } of hallados)
    if ((await link(trx, id, [ordenId], usuarioId)) > 0) await moved(trx, id, version);
}

/** Takes a sale off a payment. Throws like `lockPago`. */
export async function removeOrden(
  trx: Trx,
  { ordenId, ...visto }: z.output<typeof OrdenDePago>,
  usuarioId: string,
): Promise<void> {
  const { id, version, proveedor, folio } = await lockPago(trx, visto);
  const { numDeletedRows } = await trx
    .deleteFrom('pagoOrden')
    .where('pagoId', '=', id)
    .where('ordenId', '=', ordenId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await moved(trx, id, version);
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'quitar pago a proveedor',
    datos: { id, proveedor, folio },
  });
}

/** Saves the part of a payment that belongs to one sale; null leaves it to the invoices. Throws like `lockPago`. */
export async function saveMonto(
  trx: Trx,
  { ordenId, monto, ...visto }: z.output<typeof MontoDeOrden>,
  usuarioId: string,
): Promise<void> {
  const { id, version } = await lockPago(trx, visto);
  await trx.updateTable('pagoOrden').set({ monto }).where('pagoId', '=', id).where('ordenId', '=', ordenId).execute();
  await moved(trx, id, version);
  await record(trx, { usuarioId, entidad: 'pago', entidadId: id, accion: 'repartir', datos: { ordenId, monto } });
}

/**
 * Deletes a payment that covers no sale any more. Files that nothing else names go with the nightly cleaning. Throws `NotAllowed` while it has sales,
 * and like `lockPago`.
 */
export async function deletePago(trx: Trx, visto: z.output<typeof UnPago>, usuarioId: string): Promise<void> {
  const { id, proveedor, folio, total } = await lockPago(trx, visto);
  const suya = await trx.selectFrom('pagoOrden').select('ordenId').where('pagoId', '=', id).executeTakeFirst();
  if (suya) throw new NotAllowed('Error al eliminar.', 'El pago todavía es de una orden: quítale antes sus ordenes.');
  await trx.deleteFrom('pago').where('id', '=', id).execute();
  await record(trx, {
    usuarioId,
    entidad: 'pago',
    entidadId: id,
    accion: 'eliminar',
    datos: { proveedor, folio, total },
  });
}

async function moved(trx: Trx, id: string, version: number): Promise<void> {
  await trx
    .updateTable('pago')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .execute();
}

const Lectura = z.object({
  fecha: z.string().nullable(),
  total: z.string().nullable(),
  claveRastreo: z.string().nullable(),
  banco: z.string().nullable(),
}) satisfies z.ZodType<Comprobante>;

/** Returns the files of some payments, the oldest first. A shared file is listed once for each payment. */
export async function archivosOfPagos(db: Db | Trx, pagos: readonly string[]) {
  if (pagos.length === 0) return [];
  const found = await db
    .selectFrom('pagoArchivo')
    .innerJoin('archivo', 'archivo.id', 'pagoArchivo.archivoId')
    .innerJoin('pago', 'pago.id', 'pagoArchivo.pagoId')
    .leftJoin('usuario', 'usuario.id', 'pagoArchivo.usuarioId')
    .select([
      'pagoArchivo.pagoId',
      'pagoArchivo.archivoId',
      'pagoArchivo.nombre',
      'pagoArchivo.lectura',
      'pagoArchivo.creadoEn',
      'archivo.tipo',
      'archivo.bytes',
      'pago.folio',
      'usuario.usuario',
    ])
    .where('pagoArchivo.pagoId', 'in', pagos)
    .orderBy('pagoArchivo.creadoEn')
    .orderBy('pagoArchivo.archivoId')
    .orderBy('pagoArchivo.pagoId')
    .execute();
  return found.flatMap(({ tipo, lectura, ...archivo }) =>
    isTipo(tipo)
      ? [{ ...archivo, tipo, clase: TIPOS[tipo].clase, lectura: Lectura.nullable().catch(null).parse(lectura) }]
      : [],
  );
}

/** Returns the payments of a sale, each with its files. */
export async function pagosOfOrden(db: Db | Trx, ordenId: string) {
  const pagos = await db
    .selectFrom('pagoOrden')
    .innerJoin('pago', 'pago.id', 'pagoOrden.pagoId')
    .leftJoin('usuario', 'usuario.id', 'pago.usuarioId')
    .select(['pago.id', 'pago.folio', 'pago.proveedor', 'pago.creadoEn', 'usuario.usuario'])
    .where('pagoOrden.ordenId', '=', ordenId)
    .orderBy('pago.creadoEn')
    .orderBy('pago.id')
    .execute();
  const archivos = await archivosOfPagos(
    db,
    pagos.map(({ id }) => id),
  );
  return pagos.map((pago) => ({ ...pago, archivos: archivos.filter(({ pagoId }) => pagoId === pago.id) }));
}

/** Returns one file of a payment with the name it has there; undefined when the file is not of that payment. */
export async function findArchivoOfPago(
  db: Db,
  pagoId: string,
  archivoId: string,
): Promise<{ archivo: Archivo; nombre: string } | undefined> {
  const suyo = await db
    .selectFrom('pagoArchivo')
    .select('nombre')
    .where('pagoId', '=', pagoId)
    .where('archivoId', '=', archivoId)
    .executeTakeFirst();
  const archivo = suyo && (await readArchivo(db, archivoId));
  return archivo && { archivo, nombre: suyo.nombre };
}
