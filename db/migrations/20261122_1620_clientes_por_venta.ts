import { sql, type Kysely } from 'kysely';

/** Every client that was ever invoiced: staff's records, and the receivers that were made of what a customer typed for one sale. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table cliente_publico
    add id uuid not null unique default uuidv7(),
    add busqueda text generated always as (f_norm(rfc || ' ' || razon_social || ' ' || cp)) stored`.execute(db);
  await sql`create index cliente_publico_by_fecha on cliente_publico (creado_en desc, id desc)`.execute(db);
  await sql`create index cliente_publico_search on cliente_publico using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create view cliente_conocido as
    select id, 'registro' as origen, fecha_creacion, rfc, razon_social, cp, regimen, telefono, emails, uid, busqueda from cliente_fiscal
    union all
    select id, 'venta', creado_en, rfc, razon_social, cp, regimen, null, '{}'::text[], uid, busqueda from cliente_publico`.execute(
    db,
  );
}
