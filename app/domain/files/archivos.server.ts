import { createHash } from 'node:crypto';
import type { Db, Trx } from '~db/client.server';

/**
 * Every stored file, uploaded or generated, passes through here: today bytes in PostgreSQL, so that a backup is one thing.
 * A file never changes; a new version is a new row.
 */
export type NewArchivo = { nombre: string; tipo: string; contenido: Buffer };
export type Archivo = { id: string; nombre: string; tipo: string; bytes: number; sha256: string; contenido: Buffer };

export async function storeArchivo(db: Db | Trx, { nombre, tipo, contenido }: NewArchivo): Promise<string> {
  const { id } = await db
    .insertInto('archivo')
    .values({
      nombre,
      tipo,
      contenido,
      bytes: contenido.length,
      sha256: createHash('sha256').update(contenido).digest(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function readArchivo(db: Db | Trx, id: string): Promise<Archivo | undefined> {
  const archivo = await db
    .selectFrom('archivo')
    .where('id', '=', id)
    .select(['id', 'nombre', 'tipo', 'bytes', 'sha256', 'contenido'])
    .executeTakeFirst();
  return archivo && { ...archivo, sha256: archivo.sha256.toString('hex') };
}
