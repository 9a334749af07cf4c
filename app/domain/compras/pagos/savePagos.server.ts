import { sql } from 'kysely';
import pg from 'pg';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { storeOnce } from '~/platform/files/archivos.server';
import { receiveArchivos, type Recibido } from '~/platform/files/receiveFile.server';
import type { Db, Trx } from '~db/client.server';
import type { Comprobante } from './internal/comprobante';
import { readComprobante } from './internal/readComprobante.server';
import { foliosOf, numerosOf, SIN_ARCHIVO, SIN_FOLIO } from './pago';
import { type Comprobantes, MAX_FOLIO, type PagosDeOrden } from './forms';

const TITULO = 'Error de carga.';

type ConLectura = Recibido & { lectura: Comprobante | null };

/**
 * Turns files and folios into payments of sales, all or none. A known folio means that payment; a new folio needs a file. Sending the same form twice
 * gives the same payments with the same files. Throws `NotAllowed` at the field that is missing or wrong.
 */
export async function savePagos(db: Db, form: PagosDeOrden, usuarioId: string): Promise<{ folios: string[] }> {
  const folios = foliosOf(...form.folios, form.folio);
  if (folios.length === 0)
    throw new NotAllowed(TITULO, form.archivos.length > 0 ? SIN_FOLIO : SIN_ARCHIVO, {
      campo: form.archivos.length > 0 ? 'folio' : 'archivos',
    });
  const largo = folios.find((folio) => folio.length > MAX_FOLIO);
  if (largo) throw new NotAllowed(TITULO, `Un folio tiene hasta ${MAX_FOLIO} caracteres.`, { campo: 'folio' });
  const archivos = await readArchivos(form.archivos);
  await db.transaction().execute(async (trx) => {
    const ordenes = await ordenesOf(trx, form);
    const pagos: { id: string; nuevo: boolean }[] = [];
    for (const folio of folios) pagos.push(await pagoOf(trx, form.proveedor, folio, archivos.length > 0, usuarioId));
    const conArchivos = pagos.some(({ nuevo }) => nuevo) ? pagos.filter(({ nuevo }) => nuevo) : pagos;
    await saveArchivos(trx, conArchivos, archivos, usuarioId);
    for (const { id } of pagos) await link(trx, id, ordenes, usuarioId);
  });
  return { folios };
}

/** Reads uploaded files. Reading takes long, so it comes before any transaction. */
export async function readArchivos(files: readonly File[]): Promise<ConLectura[]> {
  const archivos: ConLectura[] = [];
  for (const recibido of await receiveArchivos(files, 'archivos'))
    archivos.push({ ...recibido, lectura: await readComprobante(recibido) });
  return archivos;
}

type DeClave = { id: string; folio: string; proveedor: string; proveedorLabel: string };
/** Facts of one receipt. `pagos` are the payments that have its transfer already. */
type LoQueDice = { nombre: string; lectura: Comprobante | null; pagos: DeClave[] };

/**
 * Returns the facts of some receipts, with the payments that have their transfers already. Nothing is kept. Throws NotAllowed without a file, and
 * for a file that may not be received.
 */
export async function readComprobantes(db: Db, files: readonly File[]): Promise<LoQueDice[]> {
  if (files.length === 0) throw new NotAllowed(TITULO, SIN_ARCHIVO, { campo: 'archivos' });
  const dichos: LoQueDice[] = [];
  for (const { nombre, lectura } of await readArchivos(files))
    dichos.push({ nombre, lectura, pagos: await pagosOfClave(db, lectura) });
  return dichos;
}

/** Payments with the tracking key of a receipt, written by a person or told by another receipt. */
async function pagosOfClave(db: Db | Trx, lectura: Comprobante | null): Promise<DeClave[]> {
  if (!lectura?.claveRastreo) return [];
  const clave = lectura.claveRastreo;
  return db
    .selectFrom('pago')
    .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
    .select(['pago.id', 'pago.folio', 'pago.proveedor', 'proveedor.label as proveedorLabel'])
    .where(
      sql<boolean>`pago.id in (select id from pago where upper(clave_rastreo) = upper(${clave})
        union select pago_id from pago_archivo where upper(lectura ->> 'claveRastreo') = upper(${clave}) and lectura is not null)`,
    )
    .orderBy('pago.id')
    .execute();
}

/** Adds receipts to one payment, new or known, and to the named sales. The facts of the receipts are offered on the payment's page. Throws like `openPago`. */
export async function saveComprobantes(db: Db, form: Comprobantes, usuarioId: string): Promise<{ id: string }> {
  const archivos = await readArchivos(form.archivos);
  return db.transaction().execute(async (trx) => {
    const ordenes = await ordenesOfNumeros(trx, numerosOf(form.otras), 'otras');
    const { id } = await openPago(trx, { ...form, archivos }, usuarioId);
    await link(trx, id, ordenes, usuarioId);
    return { id };
  });
}

/**
 * Returns the payment with that folio to that supplier, made where there is none, with its receipts. Throws `NotAllowed` for a transfer of another
 * payment, since it would be counted twice.
 */
export async function openPago(
  trx: Trx,
  { proveedor, folio, archivos }: { proveedor: string; folio: string; archivos: readonly ConLectura[] },
  usuarioId: string,
): Promise<{ id: string; nuevo: boolean }> {
  const pago = await pagoOf(trx, proveedor, folio, archivos.length > 0, usuarioId);
  for (const { nombre, lectura } of archivos) {
    const pagos = await pagosOfClave(trx, lectura);
    if (pagos.length > 0 && !pagos.some(({ id }) => id === pago.id))
      throw new NotAllowed(
        TITULO,
        `${nombre} es de la transferencia del pago ${pagos[0]!.folio} a ${pagos[0]!.proveedorLabel}: agrégalo a ese pago.`,
        { campo: 'folio' },
      );
  }
  await saveArchivos(trx, [pago], archivos, usuarioId);
  return pago;
}

async function ordenesOf(trx: Trx, { ordenId, otras }: PagosDeOrden): Promise<string[]> {
  const orden = await trx.selectFrom('orden').select('id').where('id', '=', ordenId).executeTakeFirst();
  if (!orden) throw new NotAllowed(TITULO, 'La orden no existe.');
  return [...new Set([ordenId, ...(await ordenesOfNumeros(trx, numerosOf(otras), 'otras'))])];
}

/** Returns the sales of some numbers; a cart's number means all its sales. Throws `NotAllowed` at `campo` for a number without a sale. */
export async function ordenesOfNumeros(trx: Trx, numeros: readonly string[], campo: string): Promise<string[]> {
  const ids: string[] = [];
  for (const numero of numeros) {
    const suyas = await trx
      .selectFrom('orden')
      .select('id')
      .where((is) => is.or([is('numOrden', '=', numero), is('marketId', '=', numero)]))
      .orderBy('id')
      .execute();
    if (suyas.length === 0) throw new NotAllowed(TITULO, `No existe la orden ${numero}.`, { campo });
    ids.push(...suyas.map(({ id }) => id));
  }
  return ids;
}

/** The payment with that folio to that supplier. A new one needs a file as proof. */
async function pagoOf(trx: Trx, proveedor: string, folio: string, conArchivo: boolean, usuarioId: string) {
  const find = () =>
    trx
      .selectFrom('pago')
      .select('id')
      .where('proveedor', '=', proveedor)
      .where(sql<boolean>`lower(folio) = lower(${folio})`)
      // Whoever adds a sale to it at the same time waits: what a transfer gives is divided among all its sales.
      .forUpdate()
      .executeTakeFirst();
  const known = await find();
  if (known) return { id: known.id, nuevo: false };
  if (!conArchivo) throw await refusalOf(trx, folio);
  const created = await withKnownProveedor(() =>
    trx
      .insertInto('pago')
      .values({ proveedor, folio, usuarioId })
      // Somebody who pressed at the same time may have made it.
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst(),
  );
  if (!created) return { id: (await find())!.id, nuevo: false };
  await record(trx, {
    usuarioId,
    entidad: 'pago',
    entidadId: created.id,
    accion: 'crear',
    datos: { proveedor, folio },
  });
  return { id: created.id, nuevo: true };
}

async function refusalOf(trx: Trx, folio: string): Promise<NotAllowed> {
  const deOtro = await trx
    .selectFrom('pago')
    .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
    .select('proveedor.label')
    .where(sql<boolean>`lower(pago.folio) = lower(${folio})`)
    .executeTakeFirst();
  return deOtro
    ? new NotAllowed(TITULO, `El folio ${folio} es de un pago a ${deOtro.label}.`, { campo: 'proveedor' })
    : new NotAllowed(TITULO, SIN_ARCHIVO, { campo: 'archivos' });
}

async function withKnownProveedor<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'pago_proveedor_fkey')
      throw new NotAllowed(TITULO, 'El proveedor no existe.', { campo: 'proveedor', cause: error });
    throw error;
  }
}

async function saveArchivos(
  trx: Trx,
  pagos: readonly { id: string }[],
  archivos: readonly ConLectura[],
  usuarioId: string,
): Promise<void> {
  // Files are stored in one fixed order, so that two people with the same files do not deadlock.
  const kept: { archivoId: string; nombre: string; lectura: string | null }[] = [];
  for (const { lectura, ...archivo } of archivos.toSorted((a, b) => a.contenido.compare(b.contenido)))
    kept.push({
      archivoId: await storeOnce(trx, archivo),
      nombre: archivo.nombre,
      lectura: lectura && JSON.stringify(lectura),
    });
  if (kept.length === 0) return;
  await trx
    .insertInto('pagoArchivo')
    .values(pagos.flatMap(({ id }) => kept.map((archivo) => ({ ...archivo, pagoId: id, usuarioId }))))
    .onConflict((conflict) => conflict.columns(['pagoId', 'archivoId']).doNothing())
    .execute();
}

/** Adds sales to a payment and records it in the story of each new sale. Returns how many were new. */
export async function link(trx: Trx, pagoId: string, ordenes: readonly string[], usuarioId: string): Promise<number> {
  if (ordenes.length === 0) return 0;
  const nuevas = await trx
    .insertInto('pagoOrden')
    .values(ordenes.toSorted().map((ordenId) => ({ pagoId, ordenId, usuarioId })))
    .onConflict((conflict) => conflict.columns(['pagoId', 'ordenId']).doNothing())
    .returning('ordenId')
    .execute();
  if (nuevas.length === 0) return 0;
  const { proveedor, folio } = await trx
    .selectFrom('pago')
    .select(['proveedor', 'folio'])
    .where('id', '=', pagoId)
    .executeTakeFirstOrThrow();
  for (const { ordenId } of nuevas)
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: ordenId,
      accion: 'agregar pago a proveedor',
      datos: { id: pagoId, proveedor, folio },
    });
  return nuevas.length;
}
