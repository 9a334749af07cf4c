import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Of the many facturas that stand, the few that were asked to be cancelled and were not: among them are those that stand beside their substitute.
  await sql`alter table factura add column rechazada_en timestamptz`.execute(db);
  await sql`update factura set rechazada_en = c.resuelta_en
    from (select factura_id, max(resuelta_en) as resuelta_en from cancelacion where estado = 'rechazada' group by factura_id) c where factura.id = c.factura_id`.execute(
    db,
  );
  await sql`create index factura_rechazada on factura (rechazada_en) where estatus = 'vigente' and rechazada_en is not null`.execute(
    db,
  );
  // Of the refused stamps, those that were to replace another.
  await sql`create index effect_sustitucion_refused on effect (created_at) where state = 'refused' and (request -> 'sustituye') is not null`.execute(
    db,
  );
}
