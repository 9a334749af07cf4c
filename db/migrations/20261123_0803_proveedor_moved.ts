import { type Kysely, sql } from 'kysely';

/** A field that only one table has is looked at once it is known which one it is: PostgreSQL resolves all that a condition names before it weighs its first part. */
export async function up(db: Kysely<unknown>) {
  await sql`create or replace function proveedor_moved() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'catalogo_proveedor' then
        if new.tipo_cambio is not distinct from old.tipo_cambio and new.frescura_min = old.frescura_min then
          return null;
        end if;
      end if;
      insert into publicacion_mirar (producto_id, motivo)
        select distinct p.producto_id, case tg_table_name when 'catalogo_proveedor' then 'proveedor' when 'catalogo_pausa' then 'frescura' else 'regla' end
        from publicacion p where p.auto_sync and p.producto_id is not null and p.proveedor = new.proveedor
          and (tg_table_name <> 'catalogo_pausa' or (to_jsonb(new) ->> 'producto_id') is null or p.producto_id = (to_jsonb(new) ->> 'producto_id')::uuid);
      return null;
    end $$`.execute(db);
}
