import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makeFolder } from '~/core/carpetas.server';
import { bucketOf, env } from '~/core/env.server';
import { readInstant } from '~/core/time';
import { descuadradas } from '~/domain/ventas/libro/cuadreLibro.server';
import { type Db, openDatabase } from '~db/client.server';
import { clusterOf, stopEmbedded } from '~db/embedded';
import { restore, type Restored } from '~db/respaldo';
import { type BucketDeRespaldos, openBucket } from './internal/respaldo/bucket.server';
import { bringRespaldo } from './internal/respaldo/traer.server';

/** Age of the newest backup above which a restore replays too much, and the archive grows. */
const MAX_AGE_HOURS = 50;
/** What the bucket may lack of the present: segments close after two minutes, and leave within a minute of that. */
const MAX_BEHIND_MINUTES = 15;
/** Sales whose ledger is reckoned again. */
const VENTAS = 2_000;
/** Time that the reading of one whole table may take. */
const TABLE_MS = 30 * 60_000;

/** What became of a restore: the backup, the moment it knows up to, and what was seen. */
type Prueba = { respaldo: string | null; sabeHasta: Date | null; bien: boolean; dice: string };

/**
 * Restores the newest backup of the bucket into a scratch server beside the folder of the backups, looks whether it
 * could take the place of this database, and removes the server. Keeps what it saw for the condition. Without
 * `RESPALDOS_S3` it does nothing.
 */
export async function probarRespaldo(db: Db): Promise<void> {
  const ajustes = bucketOf(process.env);
  if (!ajustes) return;
  const began = Date.now();
  const { respaldo, sabeHasta, bien, dice } = await tryRestore(db, openBucket(ajustes), {
    place: join(env().RESPALDOS, '.prueba'),
    clave: ajustes.clave,
  });
  const segundos = Math.round((Date.now() - began) / 1_000);
  await db.insertInto('respaldoPrueba').values({ respaldo, sabeHasta, bien, dice, segundos }).execute();
  await sql`delete from respaldo_prueba where en < now() - interval '90 days'`.execute(db);
}

/** Restores the newest backup of a bucket in a place that is removed afterwards. A failure of any kind is what it says. */
export async function tryRestore(
  db: Db,
  bucket: BucketDeRespaldos,
  { place, clave }: { place: string; clave: string },
): Promise<Prueba> {
  const prueba: Prueba = { respaldo: null, sabeHasta: null, bien: false, dice: '' };
  const folder = join(place, 'servidor');
  await removePlace(place, folder);
  try {
    makeFolder(place);
    // PostgreSQL's account passes through, and lists nothing.
    chmodSync(place, 0o711);
    const { guardado, base, wal } = await bringRespaldo(bucket, { into: place });
    prueba.respaldo = guardado.nombre;
    const hours = (Date.now() - readInstant(guardado.hechoEn)!.getTime()) / 3_600_000;
    const restored = await restore({ base, wal, folder, passphrase: clave, durable: false });
    prueba.sabeHasta = restored.knowsUntil;
    const seen = await look(db, restored);
    if (hours > MAX_AGE_HOURS) throw new Error(`el respaldo más nuevo es de hace ${Math.floor(hours)} horas`);
    return { ...prueba, bien: true, dice: seen };
  } catch (error) {
    return { ...prueba, dice: error instanceof Error ? error.message : String(error) };
  } finally {
    await removePlace(place, folder);
  }
}

async function removePlace(place: string, folder: string) {
  await stopEmbedded(folder);
  // Where PostgreSQL's account cannot enter, the cluster lies elsewhere.
  const { folder: cluster } = clusterOf(folder);
  for (const path of [cluster, place]) rmSync(path, { recursive: true, force: true });
}

/** Looks whether a restored server could take the place of this database, and says what it saw. Throws with what is wrong. */
async function look(db: Db, { server, secrets, knowsUntil }: Restored): Promise<string> {
  const behind = (Date.now() - knowsUntil.getTime()) / 60_000;
  if (behind > MAX_BEHIND_MINUTES) throw new Error(`le falta lo de los últimos ${Math.floor(behind)} minutos`);
  if (secrets.LLAVES !== env().LLAVES)
    throw new Error('sus LLAVES no son las de ahora: haz un respaldo nuevo (npm run respaldar)');
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const scratch = openDatabase(server.urlOf(rows[0]!.name), { max: 1, statementTimeoutMs: TABLE_MS });
  try {
    const [migracion, { tablas, filas }] = [await sameSchema(db, scratch.db), await readAll(scratch.db)];
    await sameHistory(db, scratch.db, knowsUntil);
    const ventas = await sameLedger(db, scratch.db);
    return `${tablas} tablas leídas enteras, ${filas} filas, ${ventas} ventas cuadran, migración ${migracion}`;
  } finally {
    await scratch.close();
  }
}

async function sameSchema(db: Db, scratch: Db): Promise<string> {
  const last = async (of: Db) =>
    (await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(of)).rows[0]!.name;
  const [ours, theirs] = [await last(db), await last(scratch)];
  if (ours !== theirs) throw new Error(`su última migración es ${theirs} y la de ahora ${ours}`);
  return theirs;
}

/** Reads every row of every table from its pages, whose checksums PostgreSQL compares. */
async function readAll(scratch: Db): Promise<{ tablas: number; filas: number }> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(scratch);
  let filas = 0;
  for (const { schema, name } of tables) {
    const n = await scratch.transaction().execute(async (trx) => {
      for (const way of ['indexscan', 'indexonlyscan', 'bitmapscan'])
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(trx);
      return (await sql<{ n: number }>`select count(*) as n from ${sql.table(`${schema}.${name}`)}`.execute(trx))
        .rows[0]!.n;
    });
    filas += n;
  }
  return { tablas: tables.length, filas };
}

/** Tables where rows only come: what this database had by then, the restored one has. */
const HISTORY = [
  ['bitacora', 'en'],
  ['asiento', 'supimos'],
] as const;

async function sameHistory(db: Db, scratch: Db, until: Date): Promise<void> {
  for (const [table, at] of HISTORY) {
    const count = async (of: Db) =>
      (
        await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
          where ${sql.ref(at)} between ${until}::timestamptz - interval '31 days' and ${until}::timestamptz - interval '1 minute'`.execute(
          of,
        )
      ).rows[0]!.n;
    const [ours, theirs] = [await count(db), await count(scratch)];
    if (theirs < ours) throw new Error(`de ${table} tiene ${theirs} filas del último mes y aquí hay ${ours}`);
  }
}

/** Reckons ledgers again: a sale that holds here holds there. */
async function sameLedger(db: Db, scratch: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select orden_id as id from libro_venta where falta <> '{calculo}' order by fecha desc limit ${VENTAS}`.execute(
    scratch,
  );
  const ids = rows.map(({ id }) => id);
  const there = await descuadradas(scratch, ids);
  const here = new Set(there.length === 0 ? [] : await descuadradas(db, ids));
  const wrong = there.filter((venta) => !here.has(venta));
  if (wrong.length > 0) throw new Error(`el libro de ${wrong.slice(0, 5).join(', ')} no cuadra ahí y aquí sí`);
  return ids.length;
}
