import { type Kysely, sql } from 'kysely';

/** Receivers of webhooks are told of conditions that somebody has to see to, and of a test that a person asks for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const TIPOS = sql.raw(
    `'orden.creada', 'orden.actualizada', 'factura.timbrada', 'factura.cancelada', 'factura.rechazada', 'pedido.actualizado', 'pregunta.nueva', 'reclamo.nuevo', 'stock.movido', 'condicion.cambiada'`,
  );
  await sql`alter table gancho drop constraint gancho_tipos_check,
    add constraint gancho_tipos_check check (cardinality(tipos) > 0 and tipos <@ array[${TIPOS}])`.execute(db);
  await sql`alter table gancho_evento drop constraint gancho_evento_tipo_check,
    add constraint gancho_evento_tipo_check check (tipo in (${TIPOS}, 'prueba'))`.execute(db);
}
