import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/**
 * A file to be stored, uploaded or generated. Files are rows of `archivo`, so that a backup is one thing. A file never changes; a new version is a
 * new row. A row that keeps a file names it by a foreign key: a file that no row names is removed after some days.
 */
export type NewArchivo = { nombre: string; tipo: string; contenido: Buffer };
export type Archivo = { id: string; nombre: string; tipo: string; bytes: number; sha256: string; contenido: Buffer };

/** Stores a file and returns its id. */
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

/**
 * Stores a file that people send again and again: the same bytes of the same type are kept once. The caller names the file in the same transaction.
 */
export async function storeOnce(trx: Trx, archivo: NewArchivo): Promise<string> {
  const sha256 = createHash('sha256').update(archivo.contenido).digest();
  // Two callers with the same bytes come one after the other.
  await lockName(trx, 'archivo', sha256.toString('hex'));
  const kept = await trx
    .selectFrom('archivo')
    .select('id')
    .where('sha256', '=', sha256)
    .where('tipo', '=', archivo.tipo)
    .orderBy('id')
    .limit(1)
    // The nightly cleaning passes over a file that somebody is about to name.
    .forKeyShare()
    .executeTakeFirst();
  return kept?.id ?? (await storeArchivo(trx, archivo));
}

/** Reads a file; undefined when there is none by that id. */
export async function readArchivo(db: Db | Trx, id: string): Promise<Archivo | undefined> {
  const archivo = await db
    .selectFrom('archivo')
    .where('id', '=', id)
    .select(['id', 'nombre', 'tipo', 'bytes', 'sha256', 'contenido'])
    .executeTakeFirst();
  return archivo && { ...archivo, sha256: archivo.sha256.toString('hex') };
}

/**
 * Removes files that are older than so many days and that nobody names, as a process leaves them that ends between storing and naming. Every foreign
 * key to a file counts, of whatever table, and so do the texts (`dice`) of `dichos`: requests under way may name a file too. Returns how many were
 * removed.
 */
export async function retireLoose(db: Db, dias: number, dichos: RawBuilder<{ dice: string }>): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows: llaves } = await sql<{ tabla: string; columna: string }>`
      select c.conrelid::regclass::text as tabla, a.attname as columna
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'archivo'::regclass`.execute(trx);
    const sinNadie = llaves.map(
      ({ tabla, columna }) =>
        sql`and not exists (select from ${sql.table(tabla)} r where r.${sql.ref(columna)} = archivo.id)`,
    );
    // A transaction that names a file at this moment holds it.
    const { rows } = await sql<{ id: string }>`
      select id from archivo
      where creado_en < now() - make_interval(days => ${dias}) ${sql.join(sinNadie, sql` `)}
      for update of archivo skip locked`.execute(trx);
    if (rows.length === 0) return 0;
    const { numAffectedRows } = await sql`
      with vivos as materialized (${dichos})
      delete from archivo where id = any(${rows.map(({ id }) => id)}::uuid[])
        and not exists (select from vivos where strpos(dice, archivo.id::text) > 0)`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
