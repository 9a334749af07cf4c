import { type Kysely, sql } from 'kysely';

/** Sales that this migration itself names; the night names older ones, stretch by stretch, so that no release waits for millions of rows. */
const AHORA = 20_000;

/**
 * A sale is found by its buyer as well: nickname, name, receiver, telephone, and the legal name on its facturas. The words stand in `orden.documentos`, which
 * `busqueda` holds already: one condition over one table still answers every search, and no column is generated anew.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create function comprador_de(o orden) returns text language sql stable as $$
    select left(concat_ws(' ', o.comprador, o.datos #>> '{buyer,first_name}', o.datos #>> '{buyer,last_name}',
      (select concat_ws(' ', e.nombre_receptor, e.apellidos, regexp_replace(e.telefono, '\\D', '', 'g')) from envio e where e.id = o.envio_id)), 600) $$`.execute(
    db,
  );
  await sql`create function documentos_de(o orden) returns text language sql stable as $$
    select concat_ws(' ',
      (select string_agg(distinct concat_ws(' ', f.serie || '-' || f.folio, f.rfc, case when f.tipo = 'individual' then f.razon_social end), ' ')
        from factura_orden fo join factura f on f.id = fo.factura_id where fo.orden_id = o.id),
      (select string_agg(distinct p.folio, ' ') from proveedor_factura p where p.orden_id = o.id),
      comprador_de(o)) $$`.execute(db);
  await sql`create or replace function documentos_of(ordenes uuid[]) returns void language sql as $$
    update orden set documentos = d.documentos
    from (select o.id, documentos_de(o) as documentos from orden o where o.id = any (ordenes)) d
    where orden.id = d.id and orden.documentos <> d.documentos $$`.execute(db);

  // A sale that is born has no documents yet.
  await sql`create function orden_comprador_added() returns trigger language plpgsql as $$
    begin
      new.documentos := concat_ws(' ', nullif(new.documentos, ''), comprador_de(new));
      return new;
    end $$`.execute(db);
  await sql`create function orden_comprador_changed() returns trigger language plpgsql as $$
    begin
      new.documentos := documentos_de(new);
      return new;
    end $$`.execute(db);
  await sql`create trigger orden_comprador_added before insert on orden for each row execute function orden_comprador_added()`.execute(
    db,
  );
  await sql`create trigger orden_comprador_changed before update of comprador, envio_id, datos on orden for each row
    when (old.comprador is distinct from new.comprador or old.envio_id is distinct from new.envio_id or old.datos -> 'buyer' is distinct from new.datos -> 'buyer')
    execute function orden_comprador_changed()`.execute(db);
  await sql`create function envio_receptor_changed() returns trigger language plpgsql as $$
    declare
      movidas uuid[] := array(select o.id from after a join before b using (id) join orden o on o.envio_id = a.id
        where (a.nombre_receptor, a.apellidos, a.telefono) is distinct from (b.nombre_receptor, b.apellidos, b.telefono));
    begin
      if cardinality(movidas) > 0 then perform documentos_of(movidas); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger envio_receptor_changed after update on envio referencing old table as before new table as after
    for each statement execute function envio_receptor_changed()`.execute(db);

  await sql`select documentos_of(array(select id from orden order by id desc limit ${sql.lit(AHORA)}))`.execute(db);
  // The sales before this one wait for the night. The row goes with the last of them.
  await sql`create table orden_por_nombrar (antes_de uuid primary key)`.execute(db);
  await sql`insert into orden_por_nombrar select id from orden order by id desc offset ${sql.lit(AHORA - 1)} limit 1`.execute(
    db,
  );
}
