import { type Kysely, sql } from 'kysely';

/** Labels that are printed before their piece is known come in runs, each asked for once. */
export async function up(db: Kysely<unknown>) {
  // `clave`: of the page it was asked on. Pressed twice it is one run.
  await sql`create table stock_tirada (
    clave      uuid primary key,
    usuario_id uuid references usuario,
    creada_en  timestamptz not null default now()
  )`.execute(db);
  await sql`alter table stock_etiqueta add column tirada uuid references stock_tirada`.execute(db);
  await sql`create index stock_etiqueta_by_tirada on stock_etiqueta (tirada, numero)`.execute(db);
  // Files that nobody names any more are taken away one by one, and each asks whether it is an invoice of stock.
  await sql`create index stock_interno_by_factura_id on stock_interno (factura_id) where factura_id is not null`.execute(
    db,
  );
}
