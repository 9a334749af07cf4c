import { type Kysely, sql } from 'kysely';

/** Receivers of webhooks are told of a factura that was asked for and not stamped. */
export async function up(db: Kysely<unknown>) {
  const TIPOS = sql.raw(
    `'orden.creada', 'orden.actualizada', 'factura.timbrada', 'factura.cancelada', 'factura.rechazada', 'pedido.actualizado', 'pregunta.nueva', 'reclamo.nuevo', 'stock.movido'`,
  );
  await sql`alter table gancho drop constraint gancho_tipos_check,
    add constraint gancho_tipos_check check (cardinality(tipos) > 0 and tipos <@ array[${TIPOS}])`.execute(db);
  await sql`alter table gancho_evento drop constraint gancho_evento_tipo_check,
    add constraint gancho_evento_tipo_check check (tipo in (${TIPOS}))`.execute(db);
  // A call that is sent changes its row several times: only its last no is told.
  await sql`create function gancho_factura_rechazada() returns trigger language plpgsql as $$
    begin
      if gancho_quiere('factura.rechazada') then perform gancho_avisar('factura.rechazada', (select array_agg((id)::text)
        from after a join before b using (id)
        where a.type = 'cfdi.stamp' and a.state in ('refused', 'cancelled') and b.state not in ('refused', 'cancelled'))); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger gancho_factura_rechazada after update on effect
    referencing old table as before new table as after
    for each statement execute function gancho_factura_rechazada()`.execute(db);
}
