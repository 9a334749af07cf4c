import { type Kysely, sql } from 'kysely';

/** What people say of a product beside its supplier's catalogue, how many pieces of it were sold, and how it is found and counted among 150,000. */
export async function up(db: Kysely<unknown>) {
  // array_to_string is only stable, because elements of other types print by settings; texts do not.
  await sql`create function f_lista(textos text[]) returns text language sql immutable strict parallel safe
    as $$ select array_to_string(textos, ' ') $$`.execute(db);
  await sql`alter table producto
    add costo_envio     numeric(14, 2) check (costo_envio >= 0),
    add producto_maximo integer check (producto_maximo > 0),
    add precio_lista    numeric(14, 2) check (precio_lista > 0),
    add piezas_vendidas integer not null default 0 check (piezas_vendidas >= 0),
    add version         integer not null default 1,
    add busqueda        text generated always as (f_norm(id_proveedor || ' ' || coalesce(modelo, '') || ' ' || coalesce(modelo_fabricante, '') || ' ' ||
      coalesce(marca, '') || ' ' || coalesce(nombre, '') || ' ' || f_lista(gtins))) stored`.execute(db);
  await sql`create index producto_search on producto using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create index producto_list on producto (piezas_vendidas, id)`.execute(db);
  await sql`create index producto_list_of on producto (proveedor, piezas_vendidas, id)`.execute(db);
  // The model of a sku says whose sale it was, in whatever case it was written.
  await sql`create index producto_by_modelo on producto (proveedor, lower(modelo)) where modelo is not null`.execute(
    db,
  );
  // What could not be read comes after what is known to be none.
  await sql`create index oferta_by_existencia on oferta (coalesce(existencia, -1), producto_id)`.execute(db);

  // How many products there are, by supplier and by whether there is stock. Each write adds what it changed, and nobody waits for anybody; now and then they are
  // counted anew into one row each.
  await sql`create table producto_cuenta (
    proveedor  text not null references proveedor,
    existencia text not null check (existencia in ('con', 'sin', 'sinDato')),
    cuantos    integer not null
  )`.execute(db);
  await sql`create function clase_existencia(piezas integer) returns text language sql immutable parallel safe
    as $$ select case when piezas is null then 'sinDato' when piezas > 0 then 'con' else 'sin' end $$`.execute(db);
  await sql`insert into producto_cuenta (proveedor, existencia, cuantos)
    select proveedor, clase_existencia(existencia), count(*) from producto join oferta on producto_id = producto.id group by 1, 2`.execute(
    db,
  );
  await sql`create function oferta_counted() returns trigger language plpgsql as $$
    begin
      insert into producto_cuenta (proveedor, existencia, cuantos)
        select p.proveedor, clase_existencia(c.existencia), count(*) from changed c join producto p on p.id = c.producto_id group by 1, 2;
      return null;
    end $$`.execute(db);
  await sql`create function oferta_recounted() returns trigger language plpgsql as $$
    begin
      insert into producto_cuenta (proveedor, existencia, cuantos)
        select p.proveedor, m.clase, sum(m.cuantos)
        from before b join after a using (producto_id) join producto p on p.id = producto_id,
          lateral (values (clase_existencia(a.existencia), 1), (clase_existencia(b.existencia), -1)) m (clase, cuantos)
        where clase_existencia(a.existencia) <> clase_existencia(b.existencia)
        group by 1, 2 having sum(m.cuantos) <> 0;
      return null;
    end $$`.execute(db);
  await sql`create trigger oferta_counted after insert on oferta referencing new table as changed
    for each statement execute function oferta_counted()`.execute(db);
  await sql`create trigger oferta_recounted after update on oferta referencing old table as before new table as after
    for each statement execute function oferta_recounted()`.execute(db);
}
