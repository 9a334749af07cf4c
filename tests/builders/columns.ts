import { sql } from 'kysely';
import type { Db } from '~db/client.server';

export type Row = Record<string, unknown>;
/** Rows by table. */
export type Rows = Partial<Record<string, Row[]>>;
/** 'table.column' of what a builder leaves empty and the product fills, and of what only the builder fills. */
export type Differences = { faltan: string[]; sobran: string[] };

/** Reads whole rows of a table; names are the database's own, in camel case. */
export const select = async (db: Db, table: string, where: ReturnType<typeof sql>): Promise<Row[]> =>
  (await sql<Row>`select * from ${sql.table(table)} where ${where}`.execute(db)).rows;

const isEmpty = (value: unknown) => value === null || ['{}', '[]', '""'].includes(JSON.stringify(value));

/** What tells how a call went, and not what it came to: on a busy machine an answer may be lost, and is looked for. */
const DE_LA_LLAMADA = new Set(['effect.unknownAt']);

/** Compares which columns a builder fills with those that the product fills in any of its rows of the same table. */
export function differences(made: Rows, real: Rows): Differences {
  const seen = { faltan: new Set<string>(), sobran: new Set<string>() };
  for (const [table, rows] of Object.entries(made))
    for (const row of rows!)
      for (const column of Object.keys(row)) {
        if (DE_LA_LLAMADA.has(`${table}.${column}`)) continue;
        const [ours, theirs] = [isEmpty(row[column]), real[table]!.map((one) => isEmpty(one[column]))];
        if (ours && !theirs.includes(true)) seen.faltan.add(`${table}.${column}`);
        if (!ours && !theirs.includes(false)) seen.sobran.add(`${table}.${column}`);
      }
  return { faltan: [...seen.faltan].toSorted(), sobran: [...seen.sobran].toSorted() };
}
