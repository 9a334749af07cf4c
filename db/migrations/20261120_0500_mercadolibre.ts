import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Who is linked, in words people know, and since when.
  await sql`alter table credential add label text, add linked_at timestamptz not null default now()`.execute(db);

  // When an orden must be read again though nobody announced a change: a shipment not born yet, withholding not charged yet.
  await sql`alter table orden add revisar_en timestamptz, add revisiones smallint not null default 0`.execute(db);
  await sql`create index orden_por_revisar on orden (revisar_en) where revisar_en is not null`.execute(db);

  // The state of the shipment that the address was read from: the marketplace hides addresses later on, and the good one stays.
  await sql`alter table envio add direccion_en timestamptz`.execute(db);
}
