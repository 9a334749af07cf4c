/**
 * What the migrations that a database still waits for would hold up while web and worker go on. They run once in an empty
 * scratch database beside it, never in the database itself, and each of their statements is judged by its lock and by
 * how many rows its table has.
 */
import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { surviveLostConnections } from './client.server';
import { createConcurrently, type Migrations } from './migration';
import { migrations } from './migrations/index';

/** A statement of a pending migration that holds up the processes that run. `filas` is the planner's estimate. */
export type Bloqueo = { migracion: string; tabla: string; filas: number; que: string };
/** A pending migration that would not run now, and what its data wait for. */
export type Espera = { migracion: string; que: string };
/** What a pending migration does, each thing as the end of a sentence in Spanish. */
export type Paso = { migracion: string; hace: string[] };
/** Result of a review: every pending migration, what each does, what of them blocks, and which would wait for a job. */
export type Revision = { pendientes: string[]; pasos: Paso[]; bloqueos: Bloqueo[]; esperas: Espera[] };

/** Name of a table in a statement, as a group. */
export const TABLE = String.raw`(?:if exists )?(?:only )?(?:public\.)?"?(\w+)"?`;
/** What a statement does to a table that has rows already, by its form. The first group names the table. */
const BLOCKS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`^create (?:unique )?index (?!concurrently)(?:if not exists )?\\S+ on ${TABLE}`),
    'Nadie escribe en la tabla mientras se hace el índice.',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\balter (?:column )?\\S+ (?:set data )?type\\b`),
    'La tabla se reescribe entera, cerrada para todos.',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\bset not null\\b`),
    'La tabla se lee entera, cerrada para todos: antes va una regla «not valid» validada aparte.',
  ],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\badd column \\S+ [^;]*generated always as (?!identity)`),
    'La columna se calcula para cada fila: la tabla se reescribe entera, cerrada para todos.',
  ],
  [
    new RegExp(
      `^alter table ${TABLE} (?![^;]*\\bnot valid\\b)[^;]*\\badd (?:constraint \\S+ )?(?:check|foreign key|unique|primary key|exclude)\\b`,
    ),
    'La regla se comprueba en cada fila con la tabla cerrada: antes va «not valid».',
  ],
  [new RegExp(`^alter table ${TABLE} rename\\b`), 'Los procesos de la versión anterior dejan de encontrar el nombre.'],
  [
    new RegExp(`^alter table ${TABLE} [^;]*\\bdrop column\\b`),
    'Los procesos de la versión anterior dejan de encontrar la columna.',
  ],
  [
    new RegExp(`^drop table (?:if exists )?${TABLE}`),
    'Los procesos de la versión anterior dejan de encontrar la tabla.',
  ],
  [
    new RegExp(`^(?:update|delete from|insert into) ${TABLE}`),
    'Cambia filas dentro de la migración: de muchas se ocupa un trabajo aparte.',
  ],
];

const CREATES = new RegExp(`^\\s*create (?:unlogged )?table (?:if not exists )?${TABLE}`, 'i');

/** What a statement does, by its form; `$1` and `$2` are what it names. */
const ACTS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^create (?:unlogged )?table (?:if not exists )?${TABLE}`), 'crea la tabla «$1»'],
  [
    new RegExp(`^create (?:unique )?index concurrently "?(\\w+)"? on ${TABLE}`),
    'hace el índice «$1» de «$2» mientras se sigue escribiendo',
  ],
  [new RegExp(`^create (?:unique )?index (?:if not exists )?"?(\\w+)"? on ${TABLE}`), 'hace el índice «$1» de «$2»'],
  [new RegExp(`^alter table ${TABLE}`), 'cambia la tabla «$1»'],
  [new RegExp(`^drop (?:table|view|index|function|trigger) (?:concurrently )?${TABLE}`), 'quita «$1»'],
  [new RegExp(`^(?:update|delete from|insert into) ${TABLE}`), 'cambia filas de «$1»'],
  [/^create (?:or replace )?function (\w+)/, 'escribe la función «$1»'],
  [/^create (?:or replace )?(?:constraint )?trigger (\w+)/, 'pone el disparador «$1»'],
  [/^create (?:or replace )?view (\w+)/, 'escribe la vista «$1»'],
];

/** Returns what a statement does as the end of a sentence in Spanish; null for a read, and for what people need not know. */
export function actOf(statement: string): string | null {
  const plain = plainOf(statement);
  for (const [form, words] of ACTS) {
    const found = form.exec(plain);
    if (found) return words.replace('$1', found[1]!).replace('$2', found[2] ?? '');
  }
  return null;
}

/** Returns a statement without remarks, in small letters and with single spaces. */
export const plainOf = (statement: string) =>
  statement
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Returns what the first form that fits a statement says of it, and the name in its first group; null where none fits. */
export function firstOf(forms: readonly (readonly [RegExp, string])[], statement: string) {
  const plain = plainOf(statement);
  for (const [form, que] of forms) {
    const tabla = form.exec(plain)?.[1];
    if (tabla) return { tabla, que };
  }
  return null;
}

/** Returns the table that a statement holds up and in what way; null for one that holds up nothing. */
export const blockOf = (statement: string): Pick<Bloqueo, 'tabla' | 'que'> | null => firstOf(BLOCKS, statement);

/** Returns the statements of a text that may hold several. */
export function statementsIn(text: string): string[] {
  const ends = [...text.matchAll(/\$(\w*)\$[\s\S]*?\$\1\$|'[^']*'|--[^\n]*|;/g)].filter(([end]) => end === ';');
  return [0, ...ends.map(({ index }) => index + 1)]
    .map((from, at) => text.slice(from, ends[at]?.index))
    .filter((statement) => plainOf(statement) !== '');
}

/**
 * Reviews the migrations that the database at the owner's `url` waits for. Throws when the account of `maker`, usually
 * the owner's, may not make a scratch database.
 */
export async function reviewMigrations(url: string, maker = url, tree: Migrations = migrations): Promise<Revision> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: 'trastienda-revisar',
    connectionTimeoutMillis: 10_000,
  });
  surviveLostConnections(pool);
  try {
    const pendientes = await pendingIn(pool, tree);
    if (pendientes.length === 0) return { pendientes, pasos: [], bloqueos: [], esperas: [] };
    const esperas = await waitsIn(pool, pendientes, tree);
    const filas = await rowsIn(pool);
    // Nobody waits in a database without tables.
    if (filas.size === 0) return { pendientes, pasos: [], bloqueos: [], esperas };
    const statements = await inScratch(maker, (scratch) => statementsOf(pendientes, scratch, tree));
    // A table that these migrations make has no rows, and nobody waits for it.
    for (const { statement } of statements) filas.delete(CREATES.exec(statement)?.[1] ?? '');
    const bloqueos = statements.flatMap(({ migracion, statement }) => {
      const block = blockOf(statement);
      const hay = block ? filas.get(block.tabla) : undefined;
      return block && hay !== undefined ? [{ migracion, filas: hay, ...block }] : [];
    });
    const pasos = pendientes.map((migracion) => {
      const own = statements.filter((one) => one.migracion === migracion);
      return { migracion, hace: [...new Set(own.flatMap(({ statement }) => actOf(statement) ?? []))] };
    });
    return { pendientes, pasos, bloqueos, esperas };
  } finally {
    await pool.end();
  }
}

/** Returns the names of the migrations that a database waits for, in their order. */
export async function pendingIn(pool: pg.Pool, tree: Migrations = migrations): Promise<string[]> {
  const applied = await appliedIn(pool);
  return Object.keys(tree)
    .sort()
    .filter((name) => !applied.has(name));
}

async function appliedIn(pool: pg.Pool): Promise<Set<string>> {
  const { rows: tables } = await pool.query(`select 1 where to_regclass('kysely_migration') is not null`);
  if (tables.length === 0) return new Set();
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration');
  return new Set(rows.map(({ name }) => name));
}

/** Asks each pending migration whether its data are carried, in a transaction that may not write. */
async function waitsIn(pool: pg.Pool, pendientes: readonly string[], tree: Migrations): Promise<Espera[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const esperas: Espera[] = [];
  for (const [at, migracion] of pendientes.entries()) {
    const { requires } = tree[migracion]!;
    if (!requires) continue;
    const que = await db
      .transaction()
      .setAccessMode('read only')
      .execute(requires)
      .catch((error: { code?: string }) => {
        if (at === 0 || !UNKNOWN_YET.has(error.code ?? '')) throw error;
        return 'se sabrá cuando estén las anteriores';
      });
    if (que !== null) esperas.push({ migracion, que });
  }
  return esperas;
}
/** SQLSTATE of a table, a column and a function that an earlier pending migration may yet make. */
const UNKNOWN_YET: ReadonlySet<string> = new Set(['42P01', '42703', '42883']);

/** Runs the work with the address of an empty database that ends with it. */
export async function inScratch<T>(maker: string, work: (url: string) => Promise<T>): Promise<T> {
  const scratch = `trastienda_revision_${randomBytes(6).toString('hex')}`;
  await inMaker(maker, `create database ${scratch} template template0`);
  try {
    return await work(at(maker, scratch));
  } finally {
    await inMaker(maker, `drop database if exists ${scratch} with (force)`);
  }
}

/** `create database` and its end run in no transaction, and beside the database in question. */
async function inMaker(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'trastienda-revisar' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function rowsIn(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ tabla: string; filas: number }>(`
    select c.relname as tabla, greatest(0, c.reltuples)::float8 as filas
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')`);
  return new Map(rows.map(({ tabla, filas }) => [tabla, filas]));
}

function at(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** Runs every migration in the scratch database and returns the statements of those that are pending. */
export async function statementsOf(pendientes: readonly string[], url: string, tree: Migrations) {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'trastienda-revisar' });
  surviveLostConnections(pool);
  const statements: { migracion: string; statement: string }[] = [];
  let current: string | null = null;
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    log: ({ level, query }) => {
      const migracion = level === 'query' ? current : null;
      if (migracion !== null)
        statements.push(...statementsIn(query.sql).map((statement) => ({ migracion, statement })));
    },
  });
  try {
    for (const migracion of Object.keys(tree).sort()) {
      const migration = tree[migracion]!;
      const isPending = pendientes.includes(migracion);
      if ('up' in migration) {
        await db.transaction().execute(async (trx) => {
          current = isPending ? migracion : null;
          await migration.up(trx);
          current = null;
        });
      } else {
        current = isPending ? migracion : null;
        await createConcurrently(db, migration.concurrently);
        current = null;
      }
    }
    return statements;
  } finally {
    await db.destroy();
  }
}
