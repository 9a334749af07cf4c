import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { isDia } from '~/core/text';
import { addDays, civilDay } from '~/core/time';
import { cambiosEntre, writeMostrado, type Mostrado } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import {
  deOtraEmpresa,
  MAX_ARCHIVOS,
  receiveXmls,
  requireNuestroRfc,
  type Leido,
  type Recibidos,
  type Subido,
} from '~/platform/files/xmlSubidos.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { readPagosXml } from '~/integrations/sat/pagosXml.server';
import type { TipoDeCfdi } from '~db/columns';
import type { Db, Trx } from '~db/client.server';
import { cfdiRecibido, columnsOfImpuestos, type CfdiRecibido } from './internal/cfdiRecibido';
import { complementoRecibido, type ComplementoRecibido } from './internal/complementoRecibido';
import type { CfdiVisto, Reparto } from './forms';
import { relateNota } from './notas.server';
import { createProveedorFactura } from './proveedorFacturas.server';
import {
  modelosEn,
  referenciasEn,
  distribute,
  type Candidata,
  type Linea,
  type Propuesta,
} from './internal/distribute';
import { MARKETS } from '~/core/market';

/** The ids of all that was read, and of each kind: invoices, credit notes, payment complements. */
type CfdisRecibidos = Recibidos & { facturas: string[]; notas: string[]; complementos: string[] };

/**
 * Keeps each document that can be read, and returns the ids of the kept ones with the reason for each refused one. A document that was kept before is
 * found again. One bad document stops no other. Throws `NotAllowed` while factura.com is not linked, because our RFC is unknown then.
 */
export async function receiveCfdis(trx: Trx, subidos: readonly Subido[], usuarioId: string): Promise<CfdisRecibidos> {
  const nuestro = await requireNuestroRfc(trx);
  const tipos = new Map<string, TipoDeCfdi>();
  const recibidos = await receiveXmls(trx, subidos, {
    read: (contenido) => readDocumento(contenido, nuestro),
    keep: async (documento, contenido) => {
      const id = await keep(trx, documento, contenido, usuarioId);
      tipos.set(id, documento.tipo);
      return id;
    },
  });
  const leidos = [...new Set(recibidos.leidos)];
  const of = (tipo: TipoDeCfdi) => leidos.filter((id) => tipos.get(id) === tipo);
  return { ...recibidos, facturas: of('I'), notas: of('E'), complementos: of('P') };
}

type Documento = CfdiRecibido | ComplementoRecibido;

/** Reads a document. Its receiver has to be the linked company. */
function readDocumento(contenido: Buffer, nuestro: string): Leido<Documento> {
  const xml = readCfdiXml(contenido);
  const read =
    xml.tipo === 'P'
      ? complementoRecibido(new Date()).safeParse({ ...xml, pagos: readPagosXml(contenido) })
      : cfdiRecibido(new Date()).safeParse(xml);
  if (!read.success) return { motivo: read.error.issues[0]!.message };
  const { receptorRfc } = read.data;
  return receptorRfc === nuestro ? { leido: read.data } : { motivo: deOtraEmpresa(receptorRfc, nuestro) };
}

/** Keeps a document and what follows from it: a note is related to our invoices, and a complement tells what it says was paid. */
async function keep(trx: Trx, documento: Documento, contenido: Buffer, usuarioId: string): Promise<string> {
  const { uuid, emisor, folio, fecha, total } = documento;
  const known = await trx
    .updateTable('proveedorCfdi')
    .set({ descartadoEn: null })
    .where('uuid', '=', uuid)
    .returning('id')
    .executeTakeFirst();
  if (known) {
    if (documento.tipo === 'E') await relateNota(trx, known.id, usuarioId);
    return known.id;
  }
  const proveedor = await trx.selectFrom('proveedor').select('value').where('rfc', '=', emisor.rfc).executeTakeFirst();
  const archivoId = await storeArchivo(trx, { nombre: `${uuid}.xml`, tipo: 'application/xml', contenido });
  const created = await trx
    .insertInto('proveedorCfdi')
    .values({
      uuid,
      archivoId,
      proveedor: proveedor?.value ?? null,
      emisorRfc: emisor.rfc,
      emisorNombre: emisor.nombre,
      folio,
      fecha,
      total,
      ...columnsOf(documento),
      usuarioId,
    })
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ descartadoEn: null }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(trx, {
    usuarioId,
    entidad: 'proveedorCfdi',
    entidadId: created.id,
    accion: 'crear',
    datos: { uuid, emisor: emisor.rfc },
  });
  if (documento.tipo === 'E') await relateNota(trx, created.id, usuarioId);
  if (documento.tipo === 'P') await insertDoctos(trx, created.id, documento.doctos);
  return created.id;
}

const columnsOf = (documento: Documento) =>
  documento.tipo === 'P'
    ? {
        tipo: documento.tipo,
        metodoPago: 'sinDecir' as const,
        conceptos: '[]',
        sinImpuestos: 'Es un complemento de pago.',
      }
    : {
        tipo: documento.tipo,
        metodoPago: documento.metodoPago,
        tipoRelacion: documento.tipoRelacion,
        relacionados: documento.relacionados,
        conceptos: JSON.stringify(documento.conceptos),
        ...columnsOfImpuestos(documento.impuestos),
      };

/** Rows that one statement writes. */
const LOTE_DOCTOS = 500;

async function insertDoctos(trx: Trx, cfdiId: string, doctos: ComplementoRecibido['doctos']): Promise<void> {
  const filas = doctos.map(({ impuestos, ...docto }, posicion) => ({
    cfdiId,
    posicion,
    ...docto,
    ...('motivo' in impuestos ? { sinImpuestos: impuestos.motivo } : impuestos),
  }));
  for (let at = 0; at < filas.length; at += LOTE_DOCTOS)
    await trx
      .insertInto('proveedorDocto')
      .values(filas.slice(at, at + LOTE_DOCTOS))
      .execute();
}

const Lineas = z.array(
  z.object({
    clave: z.string(),
    descripcion: z.string(),
    cantidad: z.string().regex(/^\d{1,12}(?:\.\d{1,8})?$/),
    bruto: z.string().regex(/^\d{1,15}(?:\.\d{1,6})?$/),
  }),
);

const cfdis = (db: Db | Trx) =>
  db
    .selectFrom('proveedorCfdi')
    .select([
      'proveedorCfdi.id',
      'proveedorCfdi.uuid',
      'proveedorCfdi.proveedor',
      'proveedorCfdi.emisorRfc',
      'proveedorCfdi.emisorNombre',
      'proveedorCfdi.folio',
      'proveedorCfdi.fecha',
      'proveedorCfdi.total',
      'proveedorCfdi.conceptos',
      sql<string>`(select coalesce(sum(f.monto), 0) from proveedor_factura f where f.cfdi_id = ${sql.ref('proveedorCfdi.id')})`.as(
        'repartido',
      ),
    ])
    .where('proveedorCfdi.tipo', '=', 'I')
    .where('proveedorCfdi.descartadoEn', 'is', null);

type Guardado = Awaited<ReturnType<ReturnType<typeof cfdis>['execute']>>[number];
export type CfdiPropuesto = Omit<Guardado, 'conceptos' | 'repartido'> & {
  restante: string;
  propuesta: Propuesta;
  /** Whether the kept lines cannot be read; such a document proposes nothing. */
  ilegible: boolean;
  /** Marks of what the forms were shown. */
  visto: { huella: string; mostrado: string };
};

/** Returns the documents that still have an amount to divide, newest first, each with its proposed division. */
export async function listCfdisPendientes(db: Db | Trx, limit = 30): Promise<CfdiPropuesto[]> {
  const found = await cfdis(db)
    .where(
      sql<boolean>`(select coalesce(sum(f.monto), 0) from proveedor_factura f where f.cfdi_id = ${sql.ref('proveedorCfdi.id')}) < ${sql.ref('proveedorCfdi.total')}`,
    )
    .orderBy('proveedorCfdi.creadoEn', 'desc')
    .limit(limit)
    .execute();
  return Promise.all(found.map((cfdi) => propose(db, cfdi)));
}

/** Returns these documents with their proposed divisions, in the order of their ids. */
export async function readCfdisPropuestos(db: Db | Trx, ids: readonly string[]): Promise<CfdiPropuesto[]> {
  if (ids.length === 0) return [];
  const found = await cfdis(db)
    .where('proveedorCfdi.id', 'in', ids.slice(0, MAX_ARCHIVOS))
    .orderBy('proveedorCfdi.id')
    .execute();
  return Promise.all(found.map((cfdi) => propose(db, cfdi)));
}

async function propose(db: Db | Trx, guardado: Guardado): Promise<CfdiPropuesto> {
  const propuesto = await propuestaOf(db, guardado);
  return { ...propuesto, visto: marcasOf(propuesto) };
}

type Propuesto = Omit<CfdiPropuesto, 'visto'>;

/** Marks of a division: the amount that is left, and the sale that each number means. */
const marcasOf = (cfdi: Propuesto) => ({
  huella: createHash('sha256')
    .update(JSON.stringify([cfdi.restante, cfdi.propuesta.filas.map(({ numero, ordenId }) => [numero, ordenId])]))
    .digest('base64url')
    .slice(0, 22),
  mostrado: writeMostrado(mostradoOf(cfdi)),
});

const mostradoOf = ({ restante, propuesta }: Propuesto): Mostrado => ({
  'Por repartir': enPesos(restante),
  Ordenes: propuesta.filas.map(({ numero, monto }) => `${numero} ${enPesos(monto)}`).join('; '),
});

/** Locks the document until the transaction ends. Throws `Stale` when it is no longer what the screen showed. */
async function lockCfdiVisto(
  trx: Trx,
  titulo: string,
  { cfdi, huella, mostrado }: CfdiVisto,
): Promise<CfdiPropuesto | undefined> {
  await trx.selectFrom('proveedorCfdi').select('id').where('id', '=', cfdi).forUpdate().execute();
  const [documento] = await readCfdisPropuestos(trx, [cfdi]);
  if (!documento || documento.visto.huella === huella) return documento;
  const cambios = cambiosEntre(mostrado, mostradoOf(documento));
  const otras = { campo: 'Ordenes', mio: 'las que se veían', suyo: 'otras con los mismos números' };
  throw new Stale({ cambios: cambios.length > 0 ? cambios : [otras], marcas: documento.visto }, { titulo });
}

async function propuestaOf(db: Db | Trx, { conceptos, repartido, ...cfdi }: Guardado): Promise<Propuesto> {
  const restante = cfdi.total.minus(Money.of(String(repartido)));
  const { data: lineas } = Lineas.safeParse(conceptos);
  if (!lineas || !isDia(dayOf(cfdi)))
    return { ...cfdi, restante: restante.toFixed(2), propuesta: { filas: [], sinOrden: [] }, ilegible: true };
  const propuesta = distribute(restante, lineas, await candidatasOf(db, cfdi, lineas));
  return { ...cfdi, restante: restante.toFixed(2), propuesta, ilegible: false };
}

const dayOf = ({ fecha }: Pick<Guardado, 'fecha'>) => civilDay(fecha);

const DAYS_BEFORE = 60;
const DAYS_AFTER = 10;

/** A folio without punctuation: suppliers write one folio as 'FA26/104233', 'FA26-104233' and 'FA26104233'. */
const sinSignos = (folio: RawBuilder<unknown>) => sql`regexp_replace(upper(${folio}), '[^A-Z0-9]', '', 'g')`;

/**
 * Sales that a document may be about: those it names by any of their numbers, those of pedidos that the supplier invoiced with it, and sales around
 * its date that wait for one of its models.
 */
async function candidatasOf(
  db: Db | Trx,
  cfdi: Pick<Guardado, 'id' | 'proveedor' | 'fecha' | 'uuid' | 'folio' | 'total'>,
  lineas: readonly Linea[],
): Promise<Candidata[]> {
  const tokens = [
    ...new Set(lineas.flatMap(({ clave, descripcion }) => referenciasEn(`${clave} ${descripcion}`))),
  ].slice(0, 500);
  const modelos = [...new Set(lineas.flatMap(modelosEn).map((modelo) => modelo.toLowerCase()))].slice(0, 500);
  const dia = dayOf(cfdi);
  const { rows } = await sql<{
    id: string;
    numOrden: string;
    marketId: string;
    envio: string | null;
    guia: string | null;
    titulo: string;
    fecha: Date;
    pagado: string;
    conFactura: boolean;
    delPedido: boolean;
    articulos: { modelo: string | null; cantidad: number }[];
  }>`
    with pedidos as (
      select l.orden_id as id from pedido p join pedido_linea l on l.pedido_id = p.id
      where upper(p.factura_uuid) = ${cfdi.uuid} or (p.proveedor = ${cfdi.proveedor} and p.factura_uuid is null
        and ${sinSignos(sql`p.factura_folio`)} = ${sinSignos(sql`${cfdi.folio}::text`)}
        and (p.factura_total is null or p.factura_moneda is distinct from 'MXN'
          or abs(p.factura_total - ${cfdi.total}) <= 1))
    ), named as (
      select id from pedidos union
      select id from orden where num_orden = any(${tokens}::text[])
      union select id from orden where market = any(${MARKETS}) and market_id = any(${tokens}::text[])
      union select o.id from envio e join orden o on o.envio_id = e.id
        where (e.market = any(${MARKETS}) and e.market_id = any(${tokens}::text[])) or e.guia = any(${tokens}::text[])
    ), waiting as (
      select o.id from articulo a join orden o on o.id = a.orden_id
      where lower(a.modelo) = any(${modelos}::text[])
        and (${cfdi.proveedor}::text is null or lower(a.proveedor) = ${cfdi.proveedor})
        and o.fecha_creacion >= ${addDays(dia, -DAYS_BEFORE)}::date
        and o.fecha_creacion < ${addDays(dia, DAYS_AFTER)}::date
        and o.clase not in ('cancelada', 'devuelta')
      order by o.fecha_creacion limit 300
    )
    select o.id, o.num_orden as "numOrden", o.market_id as "marketId", e.market_id as envio, e.guia, o.titulo,
      o.fecha_creacion as fecha, o.pagado::text as pagado,
      exists (select from proveedor_factura f where f.orden_id = o.id) as "conFactura",
      exists (select from pedidos where pedidos.id = o.id) as "delPedido",
      (select coalesce(json_agg(json_build_object('modelo', a.modelo, 'cantidad', a.cantidad) order by a.posicion), '[]')
        from articulo a where a.orden_id = o.id) as articulos
    from orden o left join envio e on e.id = o.envio_id
    where o.id in (select id from named union select id from waiting)
      and not exists (select from proveedor_factura f where f.orden_id = o.id and f.cfdi_id = ${cfdi.id})
    order by o.fecha_creacion, o.id`.execute(db);
  return rows.map(({ envio, guia, fecha, ...orden }) => ({
    ...orden,
    fecha: fecha.toISOString(),
    referencias: [orden.numOrden, orden.marketId, envio, guia].filter((referencia) => referencia !== null),
  }));
}

/**
 * Creates one supplier invoice per sale of a division, all or none, and returns how many. A number that several sales share (a cart) means the sale
 * whose model the document names, else the first. Throws `Stale` when the document moved, and `NotAllowed` for an unknown sale and whatever
 * `createProveedorFactura` refuses.
 */
export async function applyReparto(
  trx: Trx,
  { proveedor, folio, filas, ...visto }: Reparto,
  usuarioId: string,
  confirmado: { rfc: boolean } = { rfc: false },
): Promise<number> {
  const { cfdi } = visto;
  const documento = await lockCfdiVisto(trx, 'Error al agregar.', visto);
  if (!documento) throw new NotAllowed('Error al agregar.', 'El XML ya no está: vuelve a subirlo.');
  const proposed = new Map(documento.propuesta.filas.map((fila) => [fila.numero, fila.ordenId]));
  for (const { orden, monto } of filas) {
    const ordenId = proposed.get(orden) ?? (await findOrden(trx, orden));
    if (!ordenId) throw new NotAllowed('Error al agregar.', `No existe la orden ${orden}.`);
    await createProveedorFactura(trx, { ordenId, proveedor, folio, monto, cfdi }, usuarioId, confirmado);
  }
  return filas.length;
}

async function findOrden(trx: Trx, numero: string): Promise<string | undefined> {
  const found = await trx
    .selectFrom('orden')
    .select('id')
    .where(({ or, eb }) => or([eb('numOrden', '=', numero), eb('marketId', '=', numero)]))
    .orderBy('fechaCreacion')
    .orderBy('id')
    .executeTakeFirst();
  return found?.id;
}

/** Takes an invoice off the list of waiting ones, or a complement off what is compared. A note is discarded by `discardNota`. Uploading it again brings it back. Throws `Stale` when the document moved. */
export async function discardCfdi(trx: Trx, visto: CfdiVisto, usuarioId: string): Promise<void> {
  await lockCfdiVisto(trx, 'Error.', visto);
  const id = visto.cfdi;
  const { numUpdatedRows } = await trx
    .updateTable('proveedorCfdi')
    .set({ descartadoEn: new Date() })
    .where('id', '=', id)
    .where('tipo', '<>', 'E')
    .where('descartadoEn', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    await record(trx, { usuarioId, entidad: 'proveedorCfdi', entidadId: id, accion: 'descartar' });
}

/** Returns where the file of a supplier's document is kept; undefined when there is none. */
export async function findArchivoOf(db: Db | Trx, cfdiId: string) {
  return db
    .selectFrom('proveedorCfdi')
    .select(['archivoId', 'folio', 'emisorRfc'])
    .where('id', '=', cfdiId)
    .executeTakeFirst();
}
