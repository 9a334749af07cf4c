import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What screens call a supplier by is what people look for, beside its code. A row keeps the words, as one index answers a search.
  for (const [table, words] of [
    ['proveedor_factura', "folio || ' ' || venta"],
    ['agente_venta', "nombre || ' ' || apellidos || ' ' || email"],
  ] as const) {
    const on = sql.table(table);
    await sql`alter table ${on} add column proveedor_nombre text not null default ''`.execute(db);
    // Before the rows are written, and its indices with it: they would be kept for nothing.
    await sql`alter table ${on} drop column busqueda`.execute(db);
    // Nothing that a trigger keeps changes with it.
    await sql`alter table ${on} disable trigger user`.execute(db);
    await sql`update ${on} x set proveedor_nombre = p.label from proveedor p where p.value = x.proveedor`.execute(db);
    await sql`alter table ${on} enable trigger user`.execute(db);
    await sql`alter table ${on} add column busqueda text generated always as (f_norm(proveedor || ' ' || proveedor_nombre || ' ' || ${sql.raw(words)})) stored`.execute(
      db,
    );
  }
  // What the column took along.
  await sql`create index proveedor_factura_search on proveedor_factura using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create index proveedor_factura_list on proveedor_factura (fecha_creacion desc, id desc) include (monto, busqueda)`.execute(
    db,
  );
  await sql`alter table proveedor_factura alter column busqueda set statistics 1000`.execute(db);

  await sql`create function nombre_of_proveedor() returns trigger language plpgsql as $$
    begin
      select label into new.proveedor_nombre from proveedor where value = new.proveedor;
      new.proveedor_nombre := coalesce(new.proveedor_nombre, '');
      return new;
    end $$`.execute(db);
  for (const table of ['proveedor_factura', 'agente_venta']) {
    await sql`create trigger ${sql.raw(table)}_proveedor before insert or update of proveedor on ${sql.table(table)} for each row execute function nombre_of_proveedor()`.execute(
      db,
    );
  }
  await sql`create function proveedor_renamed() returns trigger language plpgsql as $$
    begin
      update proveedor_factura set proveedor_nombre = new.label where proveedor = new.value;
      update agente_venta set proveedor_nombre = new.label where proveedor = new.value;
      return null;
    end $$`.execute(db);
  await sql`create trigger proveedor_renamed after update of label on proveedor for each row when (old.label is distinct from new.label) execute function proveedor_renamed()`.execute(
    db,
  );
}
