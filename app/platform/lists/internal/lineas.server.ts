import { sql, type RawBuilder } from 'kysely';
import { tableOf } from '~/core/table';
import type { Db, Trx } from '~db/client.server';

/** The part of a value that is written: all of it, some of its fields, or the same part of each of its items. */
export type Parte = 'todo' | { campos: Campos } | { cada: Parte };
export type Campos = Readonly<Record<string, Parte>>;

const pesos = (value: RawBuilder<unknown>) =>
  sql`(case when min_scale(${value}) <= 2 then round(${value}, 2) else round(${value}, 6) end)::text`;
const instante = (value: RawBuilder<unknown>) =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const same = (value: RawBuilder<unknown>) => value;

/** How SQL writes a value of each type as `JSON.stringify` would write it once it was read. Values of other types are read and written by us. */
const WRITTEN: Readonly<Record<string, typeof same>> = tableOf({
  numeric: pesos,
  'timestamp with time zone': instante,
  ...Object.fromEntries(
    [
      ...['text', 'character varying', 'uuid', 'boolean', 'date', 'smallint', 'integer', 'bigint', 'json', 'jsonb'],
      ...['text[]', 'character varying[]', 'uuid[]', 'integer[]', 'boolean[]'],
    ].map((type) => [type, same]),
  ),
});

/**
 * Returns how PostgreSQL writes rows as JSON. Rows that are read here turn each date and amount into a value, only to write it as the text that it
 * was. Fields that are left out are not even asked: their subqueries do not run.
 */
export function createLineas(rows: (db: Db | Trx) => RawBuilder<unknown>, propias: Propias = {}) {
  const types = new Map<string, string>();

  /** Returns the type of each field; each is asked once. */
  async function typesOf(db: Db | Trx, names: readonly string[]): Promise<string[]> {
    const unknown = names.filter((name) => !types.has(name));
    if (unknown.length > 0) {
      const asked = unknown.map((name) => sql`pg_typeof(${columnOf(name)})::text`);
      const { rows: found } = await sql<{ types: string[] }>`
        select array[${sql.join(asked)}] as types from (select) uno left join (${rows(db)}) fila on false`.execute(db);
      found[0]!.types.forEach((type, at) => types.set(unknown[at]!, type));
    }
    return names.map((name) => types.get(name)!);
  }

  /** Returns the expression of a line over rows named `fila`; null where a field has a type that we write ourselves. */
  return async (db: Db | Trx, campos: Campos): Promise<Linea | null> => {
    const names = Object.keys(campos);
    const found = await typesOf(db, names);
    if (found.some((type) => !Object.hasOwn(WRITTEN, type))) return null;
    const write = (name: string, type: string, parte: Parte) => {
      const value = columnOf(name);
      return parte === 'todo' ? WRITTEN[type]!(value) : parteOf(sql`${value}::jsonb`, parte, 0);
    };
    const told = names.map(
      (name, at) => sql`${propias[name] ?? write(name, found[at]!, campos[name]!)} as ${sql.raw(`"${name}"`)}`,
    );
    return {
      text: sql<string>`row_to_json(linea)::text`,
      from: sql`cross join lateral (select ${sql.join(told)}) linea`,
    };
  };
}

/** Expressions over rows named `fila` for fields whose JSON SQL writes with less work than the column of a screen takes. */
export type Propias = Readonly<Record<string, RawBuilder<unknown>>>;

/** The expression of a line, and the join that it needs. */
export type Linea = { text: RawBuilder<string>; from: RawBuilder<unknown> };

const columnOf = (name: string) => sql.ref(`fila.${name}`);

function parteOf(value: RawBuilder<unknown>, parte: Parte, depth: number): RawBuilder<unknown> {
  if (parte === 'todo') return value;
  if ('cada' in parte) {
    const item = sql.raw(`item${depth}`);
    const each = parteOf(sql`${item}.value`, parte.cada, depth + 1);
    // PostgreSQL keeps the order of an array's items.
    return sql`case
      when jsonb_typeof(${value}) = 'array' and ${value} <> '[]'
        then (select jsonb_agg(${each}) from jsonb_array_elements(${value}) ${item})
      else ${value} end`;
  }
  const fields = Object.entries(parte.campos).map(
    ([name, inside]) => sql`${sql.lit(name)}::text, ${parteOf(sql`${value}->${sql.lit(name)}`, inside, depth)}`,
  );
  return sql`case jsonb_typeof(${value})
    when 'object' then jsonb_build_object(${sql.join(fields)})
    else ${value} end`;
}
