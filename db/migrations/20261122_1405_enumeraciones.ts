import { type Kysely, sql } from 'kysely';

/** Columns that hold one of a few words, and had no check yet. */
const COLUMNS: [table: string, column: string, values: string[]][] = [
  ['enlace', 'market', ['ml', 'amz']],
  ['factura', 'market', ['ml', 'amz']],
  ['factura_draft', 'market', ['ml', 'amz']],
  ['comprador_fiscal', 'market', ['ml', 'amz']],
  ['sync_run', 'kind', ['sweep', 'cancelled', 'missed']],
  ['sat_catalogo', 'catalogo', ['usos', 'regimenes', 'formasPago', 'unidades', 'productos']],
  ['effect_attempt', 'outcome', ['answered', 'unclear', 'found', 'absent', 'not-sent', 'refused', 'account']],
];

export async function up(db: Kysely<unknown>) {
  for (const [table, column, values] of COLUMNS) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.id(`${table}_${column}_check`)} check (${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))}))`.execute(
      db,
    );
  }
}
