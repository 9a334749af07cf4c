import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Sales that a living CFDI of the PAC charges while the document is not here: read again at each reconciliation. Nobody invoices them meanwhile.
  await sql`create table cfdi_por_adoptar (
    num_orden text not null,
    uuid      text not null,
    folio     text not null,
    primary key (num_orden, uuid)
  )`.execute(db);
  await sql`alter table restauracion add column canceladas jsonb not null default '[]'`.execute(db);
}
