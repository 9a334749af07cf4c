import { type Kysely, sql } from 'kysely';

/**
 * Commissions that a marketplace estimates before it takes them. `comision_estimada` keeps each answer by sku and price of one piece, for offers and sales;
 * `orden_comision` keeps what the answers make of a sale. `dicha` is what the marketplace said, and `comision` that with the VAT that its charges turned out to have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table comision_estimada (
    market      text not null check (market in ('ml', 'amz')),
    sku         text not null check (sku <> ''),
    del_mercado boolean not null,
    precio      numeric(14, 2) not null check (precio > 0),
    envio       numeric(14, 2) not null check (envio >= 0),
    dicha       numeric(14, 2) check (dicha >= 0),
    comision    numeric(14, 2) check (comision >= 0),
    dicha_en    timestamptz,
    error       text,
    error_en    timestamptz,
    negada      smallint not null default 0 check (negada >= 0),
    pedir_en    timestamptz not null default now(),
    primary key (market, sku, del_mercado, precio, envio),
    check ((dicha is null) = (dicha_en is null) and (dicha is null) = (comision is null)),
    check ((error is null) = (error_en is null))
  )`.execute(db);
  await sql`create table orden_comision (
    orden_id uuid primary key references orden on delete cascade,
    dicha    numeric(14, 2) not null check (dicha >= 0),
    comision numeric(14, 2) not null check (comision >= 0),
    cobrado  numeric(14, 2) not null check (cobrado > 0),
    dicha_en timestamptz not null
  )`.execute(db);

  await sql`alter table sync_run drop constraint sync_run_kind_check`.execute(db);
  await sql`alter table sync_run add constraint sync_run_kind_check check (kind in ('sweep', 'cancelled', 'missed', 'atencion', 'publicaciones', 'publicacionesNuevas', 'competencia', 'promociones', 'liquidacion', 'comisiones')) not valid`.execute(
    db,
  );
  await sql`alter table sync_run validate constraint sync_run_kind_check`.execute(db);
  await sql`alter table asiento drop constraint asiento_fuente_check`.execute(db);
  await sql`alter table asiento add constraint asiento_fuente_check
    check (fuente in ('mercado', 'tarifa', 'liquidacion', 'envio', 'factura', 'pedido', 'pieza', 'nota', 'retiro', 'producto', 'catalogo', 'estimacion')) not valid`.execute(
    db,
  );
  await sql`alter table asiento validate constraint asiento_fuente_check`.execute(db);

  // What the marketplace estimates of the sale goes before the rates, in proportion to what stays paid.
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      'coalesce(-c.r_comision, o.comision, round(p.pagado * tasa.comision, 2)) end as comision,',
      'coalesce(-c.r_comision, o.comision, round(p.pagado * oc.comision / oc.cobrado, 2), round(p.pagado * tasa.comision, 2)) end as comision,',
    ],
    [
      'o.liquidado is not null or o.comision is not null as comision_dicha,',
      `o.liquidado is not null or o.comision is not null as comision_dicha,
        oc.orden_id is not null as comision_estimada,`,
    ],
    [
      `left join ajuste on ajuste.clave = 'tarifa_' || o.market`,
      `left join ajuste on ajuste.clave = 'tarifa_' || o.market
        left join orden_comision oc on oc.orden_id = o.id`,
    ],
    [
      `case when v.comision_dicha then v.fuente else 'tarifa' end),`,
      `case when v.comision_dicha then v.fuente when v.comision_estimada then 'estimacion' else 'tarifa' end),`,
    ],
  ]);
  // A word beside 'comision' tells who estimates it.
  await rewrite(db, 'libro_asentar(uuid[])', [
    [
      'filter (where not cierto and importe is not null) as estima,',
      `filter (where not cierto and importe is not null)
                || case when bool_or(fuente = 'estimacion') then '{estimacion}' else '{}' end::text[] as estima,`,
    ],
  ]);
  await sql`create function libro_of_comisiones() returns trigger language plpgsql as $$
    begin
      perform libro_asentar(array(select orden_id from after));
      return null;
    end $$`.execute(db);
  await sql`create trigger orden_comision_posted_added after insert on orden_comision referencing new table as after
    for each statement execute function libro_of_comisiones()`.execute(db);
  await sql`create trigger orden_comision_posted_changed after update on orden_comision referencing new table as after
    for each statement execute function libro_of_comisiones()`.execute(db);
}

/** Replaces parts of a function, each of which must be there once. */
async function rewrite(db: Kysely<unknown>, name: string, parts: readonly (readonly [string, string])[]) {
  const { rows } = await sql<{ def: string }>`select pg_get_functiondef(${name}::regprocedure) as def`.execute(db);
  let { def } = rows[0]!;
  for (const [from, to] of parts) {
    if (def.split(from).length !== 2) throw new Error(`${name} does not hold once: ${from}`);
    def = def.replace(from, () => to);
  }
  await sql.raw(def).execute(db);
}
