import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // An invoice of a supplier is looked for by its sale too, whose words it keeps: it never changes to another sale.
  await sql`alter table proveedor_factura add column venta text not null default ''`.execute(db);
  // Nothing that a trigger keeps changes with it, and each would write every sale once more.
  await sql`alter table proveedor_factura disable trigger user`.execute(db);
  await sql`update proveedor_factura p set venta = o.num_orden || ' ' || o.titulo from orden o where o.id = p.orden_id`.execute(
    db,
  );
  await sql`alter table proveedor_factura enable trigger user`.execute(db);
  await sql`drop index proveedor_factura_search`.execute(db);
  await sql`alter table proveedor_factura drop column busqueda`.execute(db);
  await sql`alter table proveedor_factura add column busqueda text generated always as (f_norm(proveedor || ' ' || folio || ' ' || venta)) stored`.execute(
    db,
  );
  await sql`create index proveedor_factura_search on proveedor_factura using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create function venta_of_proveedor_factura() returns trigger language plpgsql as $$
    begin
      select num_orden || ' ' || titulo into new.venta from orden where id = new.orden_id;
      new.venta := coalesce(new.venta, '');
      return new;
    end $$`.execute(db);
  await sql`create trigger proveedor_factura_venta before insert on proveedor_factura for each row execute function venta_of_proveedor_factura()`.execute(
    db,
  );
  await sql`drop index proveedor_factura_list`.execute(db);
  await sql`create index proveedor_factura_list on proveedor_factura (fecha_creacion desc, id desc) include (monto, busqueda)`.execute(
    db,
  );

  // A sale is written only where its sums changed: an invoice renamed, or sent again as it was, costs its sale nothing.
  for (const [name, changed] of [
    ['sum_proveedor_facturas', 'select orden_id from changed'],
    ['sum_proveedor_facturas_both', 'select orden_id from before union select orden_id from after'],
  ] as const) {
    await sql`create or replace function ${sql.id(name)}() returns trigger language plpgsql as $$
      begin
        update orden set facturado = f.monto, facturas_proveedor = f.facturas
        from (select o.id, coalesce(sum(p.monto), 0) as monto, count(p.id) as facturas
              from orden o left join proveedor_factura p on p.orden_id = o.id
              where o.id in (${sql.raw(changed)}) group by o.id) f
        where orden.id = f.id and (orden.facturado, orden.facturas_proveedor) is distinct from (f.monto, f.facturas);
        return null;
      end $$`.execute(db);
  }

  await sql`drop index envio_by_fecha`.execute(db);
  await sql`create index envio_by_fecha on envio (fecha_creacion desc, id desc) include (costo, busqueda)`.execute(db);
  await sql`create index cliente_fiscal_by_fecha on cliente_fiscal (fecha_creacion desc, id desc)`.execute(db);
  // The few lines that are not of the general rate, which the net of a month has to find among all.
  await sql`create index articulo_otra_tasa on articulo (orden_id) where tasa_iva <> 0.16`.execute(db);

  for (const table of ['envio', 'proveedor_factura', 'cliente_fiscal']) {
    await sql`alter table ${sql.table(table)} alter column busqueda set statistics 1000`.execute(db);
  }
  await sql`alter table proveedor_factura set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000,
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)`.execute(db);
}
