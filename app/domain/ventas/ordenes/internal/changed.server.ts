import { sql } from 'kysely';

/**
 * Returns the SQL for `on conflict do update where`: true when any of these columns would really change, so that a repeated reading writes nothing.
 */
export function changed(table: string, columns: readonly string[]) {
  const list = (of: string) => sql.join(columns.map((column) => sql.ref(`${of}.${column}`)));
  return sql<boolean>`(${list(table)}) is distinct from (${list('excluded')})`;
}
