/** The schema as a version of the code meets it, read from the catalog of PostgreSQL, and the versions of it that migrations went through. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { surviveLostConnections, type Db } from '~db/client.server';
import { createConcurrently, type Migrations } from '~db/migration';
import { migrations } from '~db/migrations/index';
import { inScratch } from '~db/reviewMigrations';

/** A column of a table or a view. `llena`: a row that leaves it out gets a value, which `valor` writes where it is an expression. */
export type Columna = { tipo: string; debe: boolean; llena: boolean; valor: string | null };
/** A check, with the columns that it is about. */
export type Regla = { nombre: string; dice: string; columnas: string[] };
export type Tabla = { columnas: Record<string, Columna>; reglas: Regla[] };
/** Tables and views by name, and functions with the types of their arguments. */
export type Esquema = { tablas: Record<string, Tabla>; funciones: string[] };

/** Reads the schema of a database: what is ours, and nothing of extensions and of the queue. */
export async function readEsquema(db: Kysely<unknown> | Db): Promise<Esquema> {
  const ask = async <T>(query: string) => (await sql.raw<T>(query).execute(db as Kysely<unknown>)).rows;
  const columnas = await ask<{ tabla: string; columna: string } & Columna>(`
    select c.relname as tabla, a.attname as columna, format_type(a.atttypid, a.atttypmod) as tipo, a.attnotnull as debe,
      a.atthasdef or a.attidentity <> '' as llena, case a.attgenerated when '' then pg_get_expr(d.adbin, d.adrelid) end as valor
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') order by c.relname, a.attnum`);
  const reglas = await ask<{ tabla: string } & Regla>(`
    select r.relname as tabla, c.conname as nombre, pg_get_constraintdef(c.oid) as dice,
      array(select a.attname::text from pg_attribute a where a.attrelid = r.oid and a.attnum = any(c.conkey)) as columnas
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where r.relnamespace = 'public'::regnamespace and c.contype = 'c' order by 1, 2`);
  const funciones = await ask<{ firma: string }>(`
    select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as firma from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`);
  const tablas: Record<string, Tabla> = {};
  const tablaOf = (nombre: string) => (tablas[nombre] ??= { columnas: {}, reglas: [] });
  for (const { tabla, columna, ...resto } of columnas) tablaOf(tabla).columnas[columna] = resto;
  for (const { tabla, ...regla } of reglas) tablaOf(tabla).reglas.push(regla);
  return { tablas, funciones: funciones.map(({ firma }) => firma) };
}

/** Runs every migration in an empty scratch database, and returns the schema as it was after each of these, and at the end. */
export async function esquemasAt(
  despues: readonly string[],
  maker: string,
  tree: Migrations = migrations,
): Promise<{ antes: Map<string, Esquema>; ahora: Esquema }> {
  return inScratch(maker, async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    surviveLostConnections(pool);
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const antes = new Map<string, Esquema>();
    try {
      for (const name of Object.keys(tree).sort()) {
        const migration = tree[name]!;
        if ('up' in migration) await db.transaction().execute((trx) => migration.up(trx));
        else await createConcurrently(db, migration.concurrently);
        if (despues.includes(name)) antes.set(name, await readEsquema(db));
      }
      return { antes, ahora: await readEsquema(db) };
    } finally {
      await pool.end();
    }
  });
}

/**
 * Returns what of a schema the code of a version would miss in a later one: what it reads and calls is gone or of another type, or what it writes is refused. `sinNombrar` are the tables, columns
 * (`table.column`) and functions that this code never names, so they may go.
 */
export async function lossesOf(db: Db, antes: Esquema, ahora: Esquema, sinNombrar: readonly string[]) {
  const losses: string[] = [];
  const misses = (que: string) => !sinNombrar.includes(que);
  for (const firma of antes.funciones)
    if (!ahora.funciones.includes(firma) && misses(nombreOf(firma))) losses.push(`${firma} is gone`);
  for (const [nombre, { columnas, reglas }] of Object.entries(antes.tablas)) {
    const hoy = ahora.tablas[nombre];
    if (!hoy) {
      if (misses(nombre)) losses.push(`${nombre} is gone`);
      continue;
    }
    for (const [columna, { tipo, debe, llena }] of Object.entries(columnas)) {
      const que = `${nombre}.${columna}`;
      const now = hoy.columnas[columna];
      if (!now) {
        if (misses(que)) losses.push(`${que} is gone`);
      } else if (now.tipo !== tipo) losses.push(`${que} was ${tipo} and is ${now.tipo}`);
      else if (now.debe && !debe) losses.push(`${que} takes no null any more`);
      else if (now.debe && llena && !now.llena) losses.push(`${que} has no value of its own any more`);
    }
    for (const [columna, { debe, llena }] of Object.entries(hoy.columnas))
      if (!(columna in columnas) && debe && !llena) losses.push(`${nombre}.${columna} is new, and nothing fills it`);
    for (const regla of hoy.reglas)
      if (!reglas.some((one) => isWider(one.dice, regla.dice)) && !(await takesRowsOf(db, columnas, hoy, regla)))
        losses.push(`${nombre} has a new rule: ${regla.nombre}`);
  }
  return losses;
}

export const nombreOf = (firma: string) => firma.slice(0, firma.indexOf('('));

/** Whether a rule is another one, or the same with more words allowed. */
function isWider(before: string, now: string): boolean {
  const words = (dice: string) => new Set(dice.match(/'[^']*'/g));
  const form = (dice: string) => dice.replace(/ARRAY\[[^\]]*\]/g, 'ARRAY');
  return form(before) === form(now) && [...words(before)].every((word) => words(now).has(word));
}

/** Whether rows that leave out every column of a rule satisfy it. One about a column of before may refuse what was written to it. */
async function takesRowsOf(db: Db, before: Tabla['columnas'], { columnas }: Tabla, { dice, columnas: about }: Regla) {
  if (about.some((columna) => columna in before)) return false;
  const values = about.map((columna) => {
    const { tipo, valor } = columnas[columna]!;
    return `(${valor ?? 'null'})::${tipo} as "${columna}"`;
  });
  const { rows } = await sql
    .raw<{ toma: boolean }>(
      `select coalesce(${dice.replace(/^CHECK /, '').replace(/ NOT VALID$/, '')}, true) as toma from (select ${values.join(', ')}) fila`,
    )
    .execute(db);
  return rows[0]!.toma;
}
