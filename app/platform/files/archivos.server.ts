import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/**
 * Every stored file, uploaded or generated, passes through here: today bytes in PostgreSQL, so that a backup is one thing.
 * A file never changes; a new version is a new row. Who keeps one names it by a foreign key: a file without any goes after some days.
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

/** The same for what people send again and again: bytes that are here under their type are not kept twice. Whoever calls names it in the same transaction. */
export async function storeUnaVez(trx: Trx, archivo: NewArchivo): Promise<string> {
  const sha256 = createHash('sha256').update(archivo.contenido).digest();
  // Two who bring the same bytes at once come one after the other.
  await lockName(trx, 'archivo', sha256.toString('hex'));
  const kept = await trx
    .selectFrom('archivo')
    .select('id')
    .where('sha256', '=', sha256)
    .where('tipo', '=', archivo.tipo)
    .orderBy('id')
    .limit(1)
    // The nightly cleaning passes over what somebody is about to name.
    .forKeyShare()
    .executeTakeFirst();
  return kept?.id ?? (await storeArchivo(trx, archivo));
}

export async function readArchivo(db: Db | Trx, id: string): Promise<Archivo | undefined> {
  const archivo = await db
    .selectFrom('archivo')
    .where('id', '=', id)
    .select(['id', 'nombre', 'tipo', 'bytes', 'sha256', 'contenido'])
    .executeTakeFirst();
  return archivo && { ...archivo, sha256: archivo.sha256.toString('hex') };
}

/**
 * Removes files that are older than so many days and that nobody names: a process that ended between keeping one and naming it left them. Every foreign key to a
 * file counts, of whatever table, and so does what `dichos` asks for: texts (`dice`) of what is still under way, in which one may be named.
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
    // Whoever names one at this moment holds it.
    const { rows } = await sql<{ id: string }>`
      select id from archivo where creado_en < now() - make_interval(days => ${dias}) ${sql.join(sinNadie, sql` `)}
      for update of archivo skip locked`.execute(trx);
    if (rows.length === 0) return 0;
    const { numAffectedRows } = await sql`
      with vivos as materialized (${dichos})
      delete from archivo where id = any(${rows.map(({ id }) => id)}::uuid[])
        and not exists (select from vivos where strpos(dice, archivo.id::text) > 0)`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
