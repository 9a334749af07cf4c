import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  /*
   * A sale is looked for by its number, its title, the folio and RFC of the facturas that cover it and the folios of its suppliers. All of it
   * is text of its own row, so that one index answers a search and a walk by date can stop at its first hundred.
   */
  await sql`alter table orden add column documentos text not null default ''`.execute(db);
  await sql`create function documentos_of(ordenes uuid[]) returns void language sql as $$
    update orden o set documentos = d.documentos
    from (select x.id, concat_ws(' ',
            (select string_agg(distinct f.serie || '-' || f.folio || ' ' || f.rfc, ' ') from factura_orden fo join factura f on f.id = fo.factura_id where fo.orden_id = x.id),
            (select string_agg(distinct p.folio, ' ') from proveedor_factura p where p.orden_id = x.id)) as documentos
          from unnest(ordenes) x(id)) d
    where o.id = d.id and o.documentos <> d.documentos $$`.execute(db);
  await sql`select documentos_of(array(select orden_id from factura_orden union select orden_id from proveedor_factura))`.execute(
    db,
  );

  await sql`drop index orden_search`.execute(db);
  await sql`alter table orden drop column busqueda`.execute(db);
  await sql`alter table orden add column busqueda text generated always as (f_norm(
    num_orden || case when market_id = num_orden then '' else ' ' || market_id end || ' ' || titulo || ' ' || documentos)) stored`.execute(
    db,
  );
  // What waits to be sorted into the index is read whole by every search: little of it may wait.
  await sql`create index orden_search on orden using gin (busqueda gin_trgm_ops) with (gin_pending_list_limit = 512)`.execute(
    db,
  );

  await sql`create function documentos_of_changed() returns trigger language plpgsql as $$
    begin
      perform documentos_of(array(select distinct orden_id from changed));
      return null;
    end $$`.execute(db);
  for (const table of ['factura_orden', 'proveedor_factura']) {
    await sql`create trigger ${sql.raw(table)}_named after insert on ${sql.table(table)} referencing new table as changed
      for each statement execute function documentos_of_changed()`.execute(db);
    await sql`create trigger ${sql.raw(table)}_unnamed after delete on ${sql.table(table)} referencing old table as changed
      for each statement execute function documentos_of_changed()`.execute(db);
  }
  // The sale of a supplier's invoice never changes; its folio may.
  await sql`create trigger proveedor_factura_renamed after update on proveedor_factura referencing new table as changed
    for each statement execute function documentos_of_changed()`.execute(db);

  // What a search walks by date, and what its totals add up, without reading a row.
  await sql`create index orden_walk on orden (fecha_creacion desc, id desc) include (busqueda, clase, estatus, pagado, pagado_abs, facturado)`.execute(
    db,
  );
  await sql`drop index factura_list`.execute(db);
  await sql`create index factura_list on factura (fecha_timbrado desc, id desc) include (total, estatus, busqueda) where tipo <> 'notaCredito'`.execute(
    db,
  );
  await sql`drop index factura_folio_rfc`.execute(db);
  await sql`alter table factura drop column folio_rfc`.execute(db);

  // An index is enough where its pages are known to be visible to all, and the newest are the ones that are read: not only after a fifth of the
  // table is new, as by default.
  for (const table of ['orden', 'factura', 'envio']) {
    await sql`alter table ${sql.table(table)} set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000,
      autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)`.execute(db);
  }

  // How common a word is decides between the walk and the search index: a sample of a hundred texts cannot tell one in a thousand.
  await sql`alter table orden alter column busqueda set statistics 1000`.execute(db);
  await sql`alter table factura alter column busqueda set statistics 1000`.execute(db);
}
