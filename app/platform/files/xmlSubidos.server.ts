import { sql } from 'kysely';
import pg from 'pg';
import { NotAllowed } from '~/core/errors';
import { capitalize } from '~/core/text';
import { UnexpectedShape } from '~/integrations/errors';
import { isExcesivo, type Tamano } from '~/integrations/xml.server';
import { findCredential } from '~/platform/connections/credentials.server';
import type { Trx } from '~db/client.server';

/** Largest document that people drop, in bytes; most weigh a few tens of KB. The limit of the request's body stands in `app/http`. */
export const MAX_XML = 512 * 1024;
/** Documents that one upload may bring. */
export const MAX_ARCHIVOS = 20;

export type Subido = { nombre: string; contenido: Buffer };
export type Recibidos = { leidos: string[]; rechazados: { nombre: string; motivo: string }[] };
/** A document that was read, or the reason that people read. */
export type Leido<T> = { leido: T } | { motivo: string };

/** Returns uploaded files in memory. A file above `max` is cut, so that its size is refused later without copying it. */
export async function subidosOf(files: readonly File[], max = MAX_XML): Promise<Subido[]> {
  const subidos: Subido[] = [];
  for (const file of files)
    subidos.push({
      nombre: file.name.slice(0, 120),
      contenido: file.size > max ? Buffer.alloc(max + 1) : Buffer.from(await file.arrayBuffer()),
    });
  return subidos;
}

/** Returns the RFC of this company. Throws `NotAllowed` while factura.com is not linked, because our RFC is unknown then. */
export async function requireNuestroRfc(trx: Trx): Promise<string> {
  const nuestro = (await findCredential(trx, 'facturacom'))?.account.toUpperCase();
  if (nuestro === undefined)
    throw new NotAllowed(
      'Error de carga.',
      'Para saber qué facturas son de esta empresa falta vincular factura.com. Un administrador debe guardar sus llaves en Activación de API.',
    );
  return nuestro;
}

/** Returns the reason why a document of another company is refused. */
export const deOtraEmpresa = (receptor: string, nuestro: string): string =>
  `Está a nombre de ${receptor} y no de ${nuestro}: no es una factura de esta empresa.`;

type Puerta<T> = {
  /** Reads one document; its `UnexpectedShape` is a reason that people read. */
  read: (contenido: Buffer) => Leido<T>;
  /** Keeps one document and returns its id, or the reason against it. */
  keep: (leido: T, contenido: Buffer) => Promise<string | { motivo: string }>;
  /** Largest document in bytes, and how much a parser has to read of it. */
  max?: number;
  tamano?: Tamano;
};

/** Keeps each document that can be read, and returns the ids of the kept ones with the reason for each refused one. One bad document stops no other. */
export async function receiveXmls<T>(
  trx: Trx,
  subidos: readonly Subido[],
  { read, keep, max = MAX_XML, tamano }: Puerta<T>,
): Promise<Recibidos> {
  const recibidos: Recibidos = { leidos: [], rechazados: [] };
  for (const { nombre, contenido } of subidos.slice(0, MAX_ARCHIVOS)) {
    const one = readOne(contenido);
    const kept = 'motivo' in one ? one : await alone(trx, () => keep(one.leido, contenido));
    if (typeof kept === 'string') recibidos.leidos.push(kept);
    else recibidos.rechazados.push({ nombre, motivo: kept?.motivo ?? 'Tiene datos que no se pueden guardar.' });
  }
  for (const { nombre } of subidos.slice(MAX_ARCHIVOS))
    recibidos.rechazados.push({ nombre, motivo: `Se leen ${MAX_ARCHIVOS} archivos a la vez.` });
  return recibidos;

  function readOne(contenido: Buffer): Leido<T> {
    if (contenido.length > max) return { motivo: `El XML pesa más de ${writePeso(max)}.` };
    if (isExcesivo(contenido, tamano)) return { motivo: 'El XML tiene demasiados elementos.' };
    try {
      return read(contenido);
    } catch (error) {
      if (!(error instanceof UnexpectedShape)) throw error;
      return { motivo: `${capitalize(error.message)}.` };
    }
  }
}

const KB = 1024;
const writePeso = (bytes: number) => (bytes < KB * KB ? `${bytes / KB} KB` : `${bytes / KB / KB} MB`);

/** Runs a write by itself: what the database refuses of one file is undone with it and returns null. Other errors rise. */
async function alone<T>(trx: Trx, write: () => Promise<T>): Promise<T | null> {
  await sql`savepoint archivo`.execute(trx);
  try {
    const written = await write();
    await sql`release savepoint archivo`.execute(trx);
    return written;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) throw error;
    await sql`rollback to savepoint archivo`.execute(trx);
    return null;
  }
}
