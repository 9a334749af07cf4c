import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  /*
   * The sales that can be invoiced, by date: what 'Facturación general' lists, searches and adds up of a month without reading a row. The
   * condition is the one of its lists (MOTIVO_DE_EXCLUSION), word for word: a query with other words does not meet this index.
   */
  await sql`create index orden_facturable on orden (fecha_creacion, id) include (pack_id, num_orden, market, pagado_abs, busqueda) where (case
    when clase = 'cancelada' then 'cancelada'
    when clase = 'devuelta' then 'devuelta'
    when meli_resale then 'meliResale'
    when market = 'ml' and market_status not in ('paid', 'partially_refunded') then 'sinPagar'
    when pagado_abs <= 0 then 'sinImporte' end) is null`.execute(db);
}
