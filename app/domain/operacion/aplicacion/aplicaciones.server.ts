import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { type Aplicacion, CONSERVA, MAX_BYTES, MAX_MB, PIEZA } from './aplicacion';
import { readPaquete, type Lector } from './internal/paquete.server';
import { lockName } from '~db/locks.server';

const no = (texto: string) => new NotAllowed('No se pudo subir la app', texto);

/** Begins an application that is about to arrive. Nobody sees an application until it is whole. */
export async function startAplicacion(db: Db, usuarioId: string): Promise<string> {
  const { id } = await db
    .insertInto('aplicacion')
    .values({ subidaPor: usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Keeps the bytes that come from `desde` on, a byte count at the border of a piece. Returns how many bytes there are then. Bytes that had come from
 * there on are replaced, so that a part whose answer was lost may be sent again. Of an upload that is cut off, the whole pieces stay.
 */
export async function receiveAplicacion(
  db: Db,
  { id, desde, usuarioId }: { id: string; desde: number; usuarioId: string },
  datos: AsyncIterable<Uint8Array>,
): Promise<number> {
  await retomar(db, { id, desde, usuarioId });
  let bytes = desde;
  for await (const pieza of enPiezas(datos)) {
    const next = bytes + pieza.length;
    if (next > MAX_BYTES) throw no(`La app pesa más de ${MAX_MB} MB.`);
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('aplicacion')
        .set({ bytes: next })
        .where('id', '=', id)
        .where('listaEn', 'is', null)
        .where('bytes', '=', bytes)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw no('Se está subiendo también en otra ventana.');
      await trx
        .insertInto('aplicacionPieza')
        .values({ aplicacionId: id, posicion: bytes / PIEZA, contenido: pieza })
        .execute();
    });
    bytes = next;
  }
  return bytes;
}

async function retomar(db: Db, { id, desde, usuarioId }: { id: string; desde: number; usuarioId: string }) {
  await db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('aplicacion')
      .select('bytes')
      .where('id', '=', id)
      .where('subidaPor', '=', usuarioId)
      .where('listaEn', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!known) throw no('Esa app ya no se está subiendo: empieza de nuevo.');
    if (desde > known.bytes || desde % PIEZA !== 0) throw no('Falta una parte del archivo: empieza de nuevo.');
    await trx
      .deleteFrom('aplicacionPieza')
      .where('aplicacionId', '=', id)
      .where('posicion', '>=', desde / PIEZA)
      .execute();
    await trx.updateTable('aplicacion').set({ bytes: desde }).where('id', '=', id).execute();
  });
}

/** Cuts a stream into pieces of the stored size; the last piece is what is left. */
async function* enPiezas(datos: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (let part of datos) {
    while (size + part.length >= PIEZA) {
      const rest = PIEZA - size;
      yield Buffer.concat([...parts, part.subarray(0, rest)]);
      [parts, size, part] = [[], 0, part.subarray(rest)];
    }
    // The stream may use its memory again.
    if (part.length > 0) parts.push(Buffer.from(part));
    size += part.length;
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** Inspects an application that came whole, and offers it. A file that is no application is removed at once. */
export async function finishAplicacion(db: Db, id: string, usuarioId: string): Promise<void> {
  const { bytes } = await db.selectFrom('aplicacion').select('bytes').where('id', '=', id).executeTakeFirstOrThrow();
  if (bytes === 0) {
    await retire(db, id);
    throw no('Elige el archivo de la app.');
  }
  const hash = createHash('sha256');
  for await (const part of readTramo(db, id, 0, bytes)) hash.update(part);
  const paquete = await readPaquete(lectorOf(db, id, bytes)).catch(async (error: unknown) => {
    await retire(db, id);
    throw error;
  });
  await db.transaction().execute(async (trx) => {
    // Uploads end one after another, since each removes the applications that are too old.
    await lockName(trx, 'aplicacion');
    const { numUpdatedRows } = await trx
      .updateTable('aplicacion')
      .set({ ...paquete, sha256: hash.digest(), listaEn: sql<Date>`now()` })
      .where('id', '=', id)
      .where('listaEn', 'is', null)
      .where('bytes', '=', bytes)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw no('Se está subiendo también en otra ventana.');
    const kept = trx
      .selectFrom('aplicacion')
      .select('id')
      .where('listaEn', 'is not', null)
      .orderBy('listaEn', 'desc')
      .limit(CONSERVA);
    await trx.deleteFrom('aplicacion').where('listaEn', 'is not', null).where('id', 'not in', kept).execute();
    const { formato, paquete: nombre, version, codigo } = paquete;
    await record(trx, {
      usuarioId,
      entidad: 'aplicacion',
      entidadId: id,
      accion: 'subir',
      datos: { formato, paquete: nombre, version, codigo, bytes },
    });
  });
}

/** Keeps a whole application at once, as `traer` hands it on while it arrives. */
export async function receiveWhole(
  db: Db,
  usuarioId: string,
  traer: (tomar: (datos: AsyncIterable<Uint8Array>) => Promise<number>) => Promise<unknown>,
): Promise<void> {
  const id = await startAplicacion(db, usuarioId);
  await traer((datos) => receiveAplicacion(db, { id, desde: 0, usuarioId }, datos));
  await finishAplicacion(db, id, usuarioId);
}

const retire = (db: Db, id: string) =>
  db.deleteFrom('aplicacion').where('id', '=', id).where('listaEn', 'is', null).execute();

/** Removes the uploads that were begun and did not end within a day. Returns how many. */
export async function retireIncompletas(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('aplicacion')
    .where('listaEn', 'is', null)
    .where('creadaEn', '<', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const query = (db: Db | Trx) =>
  db
    .selectFrom('aplicacion')
    .innerJoin('usuario', 'usuario.id', 'aplicacion.subidaPor')
    .select([
      'aplicacion.id',
      'formato',
      'paquete',
      'aplicacion.version',
      'aplicacion.codigo',
      'bytes',
      'sha256',
      'listaEn',
    ])
    .select(sql<string>`concat_ws(' ', usuario.nombre, usuario.apellidos)`.as('subidaPor'))
    .where('listaEn', 'is not', null)
    .orderBy('listaEn', 'desc')
    .$narrowType<{ formato: Aplicacion['formato']; listaEn: Date; sha256: Buffer }>();

/** Lists the last applications, the newest first. */
export async function listAplicaciones(db: Db): Promise<Aplicacion[]> {
  const rows = await query(db).execute();
  return rows.map(({ sha256: _, ...aplicacion }) => aplicacion);
}

export type AplicacionGuardada = Aplicacion & { sha256: Buffer };

/** Returns the application with this id; without an id, the newest that a telephone installs. */
export async function findAplicacion(db: Db, id: string | null): Promise<AplicacionGuardada | undefined> {
  const one = id === null ? query(db).where('formato', '=', 'apk') : query(db).where('aplicacion.id', '=', id);
  return await one.limit(1).executeTakeFirst();
}

/** Yields the bytes from `from` to before `to`, piece by piece, so that nothing larger is held in memory. */
export async function* readTramo(db: Db, id: string, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const posicion = Math.floor(at / PIEZA);
    const start = posicion * PIEZA;
    const row = await db
      .selectFrom('aplicacionPieza')
      .select('contenido')
      .where('aplicacionId', '=', id)
      .where('posicion', '=', posicion)
      .executeTakeFirst();
    const part = row?.contenido.subarray(at - start, to - start);
    // The application was removed while somebody fetched it.
    if (!part?.length) throw new Error(`aplicacion ${id} ends at ${at} of ${to}`);
    yield part;
    at += part.length;
  }
}

const lectorOf = (db: Db, id: string, bytes: number): Lector => ({
  bytes,
  lee: async (from, to) => {
    const parts: Buffer[] = [];
    for await (const part of readTramo(db, id, Math.max(0, from), Math.min(to, bytes))) parts.push(part);
    return Buffer.concat(parts);
  },
});
