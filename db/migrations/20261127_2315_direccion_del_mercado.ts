import { type Kysely, sql } from 'kysely';

/**
 * The address of a shipment that a person wrote here stands, and beside it stands what the marketplace told last of it. Null: the marketplace's own
 * address stands. An address that people wrote before has no such word yet, so the next reading that differs is shown.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table envio
    add column direccion_mercado jsonb,
    add column direccion_difiere boolean not null default false,
    add check (direccion_mercado is not null or not direccion_difiere)`.execute(db);
  await sql`update envio set direccion_mercado = '{}'
    where propio and exists (select from bitacora b
      where b.entidad = 'envio' and b.entidad_id = envio.id::text and b.accion = 'modificar'
        and b.datos->'campos' ?| array['Nombre de quien recibe', 'Teléfono', 'Calle', 'Número exterior', 'Número interior', 'Colonia',
          'Código postal', 'Ciudad', 'Municipio', 'Estado', 'Referencia'])`.execute(db);
}
