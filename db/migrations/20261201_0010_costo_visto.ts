import { type Kysely, sql } from 'kysely';

/**
 * Price of a supplier at the moment when a sale of its product was seen. It estimates the cost of a sale for which nothing is ordered yet, so it is kept
 * with the sale: what the supplier asks later is not what that sale costs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table costo_visto (
    orden_id    uuid not null references orden on delete cascade,
    sku         text not null check (sku <> '' and sku = lower(sku)),
    proveedor   text not null references proveedor,
    producto_id uuid not null references producto,
    precio      numeric(18, 6) not null check (precio > 0),
    moneda      text not null check (moneda in ('MXN', 'USD')),
    tipo_cambio numeric(18, 6) check (tipo_cambio > 0),
    precio_en   timestamptz not null,
    visto_en    timestamptz not null default now(),
    primary key (orden_id, sku),
    check (moneda = 'MXN' or tipo_cambio is not null)
  )`.execute(db);
  await sql`create index costo_visto_by_producto on costo_visto (producto_id)`.execute(db);

  await sql`alter table asiento drop constraint asiento_fuente_check`.execute(db);
  await sql`alter table asiento add constraint asiento_fuente_check
    check (fuente in ('mercado', 'tarifa', 'liquidacion', 'envio', 'factura', 'pedido', 'pieza', 'nota', 'retiro', 'producto', 'catalogo')) not valid`.execute(
    db,
  );
  await sql`alter table asiento validate constraint asiento_fuente_check`.execute(db);

  /*
   * A line has its typed cost, else the supplier's price that was seen. Goods that lie with the marketplace were bought some other day, and of a sale that
   * came back nobody knows whether it was bought, so neither takes that price; one that is not paid yet costs nothing. It stands in an account of its own: no supplier is owed what was not ordered.
   */
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      `select v.id, a.sku, a.cantidad * c.costo as importe, v.liquidado is not null and v.clase <> 'devuelta' as cierto, v.fecha_creacion as ocurrio,
        count(*) over (partition by v.id) = count(c.costo) over (partition by v.id) as todas`,
      `select v.id, a.sku, a.cantidad * c.costo as importe, v.liquidado is not null and v.clase <> 'devuelta' as cierto, v.fecha_creacion as ocurrio,
        t.proveedor, a.cantidad * t.precio * case when t.moneda = 'MXN' then 1 else t.tipo_cambio end as visto,
        count(*) over (partition by v.id) = count(coalesce(c.costo, t.precio)) over (partition by v.id) as todas`,
    ],
    [
      `          order by t.tarde, case when t.tarde then p.id end, p.desde desc, p.id desc limit 1
        ) c on true`,
      `          order by t.tarde, case when t.tarde then p.id end, p.desde desc, p.id desc limit 1
        ) c on true
        left join costo_visto t on c.costo is null and t.orden_id = v.id and t.sku = lower(a.sku) and v.viva and v.cobrado > 0 and not v.de_su_almacen`,
    ],
    [
      `max(ocurrio) as ocurrio from linea_propia where todas group by 1, 2
    ),`,
      `max(ocurrio) as ocurrio from linea_propia where todas and importe is not null group by 1, 2
    ),
    visto as (
      select id, proveedor, round(sum(visto) * 1.16, 2) as importe, max(ocurrio) as ocurrio from linea_propia where todas and importe is null group by 1, 2
    ),`,
    ],
    [
      `select id from comprada union select id from propia`,
      `select id from comprada union select id from propia union select id from visto`,
    ],
    [
      `    select id, 'recuperado:' || folio, 'costo', cuenta,`,
      `    select id, 'catalogo:' || proveedor, 'porPedir:' || proveedor, 'costo', importe, false, 'catalogo', ocurrio from visto
    union all
    select id, 'recuperado:' || folio, 'costo', cuenta,`,
    ],
  ]);

  // What a price in a catalogue told is an estimate, so it is no part of what an ended month said before.
  await rewrite(db, 'utilidad_moved()', [
    [`new.estima && '{costo,propio}'`, `new.estima && '{costo,propio,catalogo}'`],
  ]);
  await sql`drop trigger libro_venta_moved on libro_venta`.execute(db);
  await sql`create trigger libro_venta_moved after update on libro_venta for each row
    when (old.queda is not null and not (old.estima && '{costo,propio,catalogo}')
      and (old.queda is distinct from new.queda or new.estima && '{costo,propio,catalogo}'))
    execute function utilidad_moved()`.execute(db);

  // A line that is corrected loses its price, or takes up another one.
  await rewrite(db, 'libro_of_articulos()', [
    [
      `before a join orden o on o.id = a.orden_id where exists (select from costo_propio c where c.sku = lower(a.sku)))`,
      `before a join orden o on o.id = a.orden_id
          where exists (select from costo_propio c where c.sku = lower(a.sku)) or exists (select from costo_visto t where t.orden_id = a.orden_id))`,
    ],
    [
      `after a where exists (select from costo_propio c where c.sku = lower(a.sku)))`,
      `after a
          where exists (select from costo_propio c where c.sku = lower(a.sku)) or exists (select from costo_visto t where t.orden_id = a.orden_id))`,
    ],
    [
      `except select id, orden_id, sku, cantidad from after)) a
          where exists (select from costo_propio c where c.sku = lower(a.sku)));`,
      `except select id, orden_id, sku, cantidad from after)) a
          where exists (select from costo_propio c where c.sku = lower(a.sku)) or exists (select from costo_visto t where t.orden_id = a.orden_id));`,
    ],
  ]);
  await sql`create function libro_of_vistos() returns trigger language plpgsql as $$
    begin
      perform libro_asentar(array(select distinct orden_id from after));
      return null;
    end $$`.execute(db);
  await sql`create trigger costo_visto_posted after insert on costo_visto referencing new table as after
    for each statement execute function libro_of_vistos()`.execute(db);
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
