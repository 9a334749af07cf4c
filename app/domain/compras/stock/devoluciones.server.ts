import { sql } from 'kysely';
import { z } from 'zod';
import type { Money } from '~/core/money';
import type { Moneda } from '~/core/moneda';
import { PRODUCTO_DE_ARTICULO } from '~/domain/compras/catalogo/delArticulo.server';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';
import { costoEnPesos } from '~/domain/compras/precios/precio';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import type { Db, Trx } from '~db/client.server';
import { productosOfPiezas } from './internal/modelo.server';
import { rows } from './listStock.server';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';

/** Pieces that the page shows. The list has them all. */
const MAX_PIEZAS = 200;

const articulosOf = (db: Db | Trx) =>
  db
    .selectFrom('articulo')
    .innerJoin('orden', 'orden.id', 'articulo.ordenId')
    .leftJoin('proveedor', (join) =>
      join.on('proveedor.value', '=', ({ fn }) => fn<string>('lower', ['articulo.proveedor'])),
    )
    .select([
      'orden.id as ordenId',
      'orden.numOrden',
      'orden.market',
      'articulo.posicion',
      'articulo.nombre',
      'articulo.cantidad',
      'articulo.modelo',
      'proveedor.value as proveedor',
      'proveedor.label as proveedorLabel',
      PRODUCTO_DE_ARTICULO.as('productoId'),
    ])
    .orderBy('orden.marketId')
    .orderBy('articulo.posicion');

/** Returns the articles of a sale, to choose the one that came back. */
export function listArticulos(db: Db | Trx, numero: string) {
  return articulosOf(db)
    .where((is) => is.or([is('orden.numOrden', '=', numero), is('orden.marketId', '=', numero)]))
    .limit(100)
    .execute();
}

/** Returns what `listArticulos` does for somebody who looks at it, each article with the picture of its product beside it. */
export async function findArticulos(db: Db, numero: string) {
  const articulos = await listArticulos(db, numero);
  const lados = await ladosOf(
    db,
    articulos.map(({ productoId }) => productoId),
  );
  return articulos.map((articulo, at) => ({ ...articulo, alLado: lados[at]! }));
}

/** Returns the articles of a shipment that are to leave: those of its sales that stand. */
export function listArticulosOfEnvio(db: Db | Trx, envioId: string) {
  return articulosOf(db)
    .where('orden.envioId', '=', envioId)
    .where('orden.clase', 'not in', ['cancelada', 'devuelta'])
    .limit(100)
    .execute();
}

const Cual = z.object({
  orden: z.uuid().optional().catch(undefined),
  articulo: z.coerce.number().int().min(0).max(10_000).catch(0),
  producto: z.uuid().optional().catch(undefined),
});

/** Returns the subject of the screen of returns: an article of a sale, or a product. Undefined when its address names neither. */
export async function readOfQue(db: Db, search: URLSearchParams) {
  const { orden, articulo, producto } = Cual.parse(Object.fromEntries(search));
  const suyo = orden
    ? await articulosOf(db).where('orden.id', '=', orden).where('articulo.posicion', '=', articulo).executeTakeFirst()
    : undefined;
  if (orden && !suyo) return undefined;
  const productoId = orden ? suyo?.productoId : producto;
  const [elProducto, propuesta, piezas] = await Promise.all([
    productoId ? readProductoOf(db, productoId) : undefined,
    propose(db, { ordenId: suyo?.ordenId ?? null, cantidad: suyo?.cantidad ?? 1, productoId: productoId ?? null }),
    orden ? listPiezasOf(db, { orden }) : productoId ? listPiezasOf(db, { producto: productoId }) : [],
  ]);
  if (!suyo && !elProducto) return undefined;
  return { articulo: suyo ?? null, producto: elProducto ?? null, propuesta, piezas };
}
export type DeQue = NonNullable<Awaited<ReturnType<typeof readOfQue>>>;

type Cosa = { ordenId: string | null; cantidad: number; productoId: string | null };

/**
 * Returns the values that prefill the form of a return: the pieces still to come, the cost of each with VAT, and the claim it comes back for. The cost is
 * what the ledger of the sale says of a piece, where the sale has one product; else the price it was bought at, else today's.
 */
export async function propose(db: Db | Trx, { ordenId, cantidad, productoId }: Cosa) {
  const {
    rows: [dicho],
  } = await sql<{
    recibidas: number;
    deLaOrden: number;
    libro: Money | null;
    precio: Money | null;
    moneda: Moneda | null;
    tipoCambio: Money | null;
    reclamo: string | null;
  }>`
    with recibidas as (
      select count(*) filter (where s.producto_id is not distinct from ${productoId}::uuid)::int as de_producto,
        count(*)::int as de_la_orden
      from stock_interno s where s.orden_id = ${ordenId}::uuid),
    libro as (
      select nullif(round(greatest(sum(s.importe), 0) / max(a.piezas), 2), 0) as costo
      from asiento s cross join (
        select sum(cantidad) as piezas, count(distinct coalesce(sku, nombre, '')) as cosas
        from articulo where orden_id = ${ordenId}::uuid) a
      where s.orden_id = ${ordenId}::uuid and s.a = 'costo' and a.cosas = 1 and a.piezas > 0),
    comprado as (
      select 1 as orden, p.numero, l.precio, l.moneda, l.tipo_cambio
      from pedido_linea l join pedido p on p.id = l.pedido_id
      where l.orden_id = ${ordenId}::uuid and l.producto_id = ${productoId}::uuid
        and p.estado not in ('borrador', 'cancelado', 'rechazado', 'vencido')),
    ofrecido as (
      select 2 as orden, 0 as numero, oferta.precio, oferta.moneda, ${tipoCambio} as tipo_cambio
      from oferta join producto on producto.id = oferta.producto_id
      where oferta.producto_id = ${productoId}::uuid),
    costo as (
      select precio, moneda, tipo_cambio
      from (select * from comprado union all select * from ofrecido) c
      where precio is not null order by orden, numero desc limit 1),
    reclamo_de as (
      select concat_ws(': ', 'Reclamo ' || r.market_id, coalesce(r.problema, r.titulo)) as reclamo
      from reclamo r join orden o on o.market = r.market and o.market_id = r.orden_market_id
      where o.id = ${ordenId}::uuid order by r.fecha desc limit 1)
    select recibidas.de_producto as recibidas, recibidas.de_la_orden,
      (select costo from libro) as libro, costo.precio, costo.moneda, costo.tipo_cambio, (select reclamo from reclamo_de) as reclamo
    from recibidas left join costo on true`.execute(db);
  const {
    recibidas = 0,
    deLaOrden = 0,
    libro = null,
    precio = null,
    moneda = null,
    tipoCambio: cambio = null,
    reclamo = null,
  } = dicho ?? {};
  const costo = costoEnPesos({ precio, moneda, sinPrecio: null, tipoCambio: cambio });
  return {
    cantidad: Math.max(1, cantidad - recibidas),
    recibidas,
    deLaOrden,
    costo: libro?.toFixed(2) ?? (typeof costo === 'string' ? null : costo.withIva().toFixed(2)),
    observaciones: reclamo,
  };
}

function readProductoOf(db: Db, id: string) {
  return db
    .selectFrom('producto')
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select([
      'producto.id',
      'producto.nombre',
      'producto.proveedor',
      'proveedor.label as proveedorLabel',
      'producto.marca',
      'producto.modelo',
      'producto.idProveedor',
      'producto.link',
      'producto.costoEnvio',
      'producto.productoMaximo',
      'producto.precioLista',
      'oferta.existencia',
    ])
    .where('producto.id', '=', id)
    .executeTakeFirst();
}

/** The returned pieces of a sale or a product, the newest first. */
function listPiezasOf(db: Db, { orden, producto }: { orden?: string; producto?: string }) {
  return rows(db)
    .$if(orden !== undefined, (todas) => todas.where('stockInterno.ordenId', '=', orden!))
    .$if(producto !== undefined, (todas) => todas.where('stockInterno.productoId', '=', producto!))
    .orderBy('stockInterno.id', 'desc')
    .limit(MAX_PIEZAS)
    .execute();
}

/** Time since the sale ended. A parcel takes days to come back; after two weeks somebody asks for it. */
const PLAZOS = { aviso: 5 * DIA, mal: 14 * DIA };
/** Age of a sale after which nothing comes back. */
const VIGENCIA = sql`interval '120 days'`;

const isAmong = (ordenes?: readonly string[]) => (ordenes ? sql`o.id = any(${[...ordenes]}::uuid[])` : sql`true`);

/** SQL: the returns that wait to be received, as `countInSql` takes them; of all ordenes, or of some. */
const porRecibir = (ordenes?: readonly string[]) => sql`
    with vuelve as (
      select o.id from orden o join envio e on e.id = o.envio_id
      where o.fecha_creacion > now() - ${VIGENCIA}
        and (o.clase in ('cancelada', 'devuelta') or o.estatus = 'enDevolucion')
        and e.estatus in ('shipped', 'delivered', 'not_delivered', 'returned',
          'enCamino', 'entregado', 'enSucursal', 'enDevolucion', 'devuelto')
        and ${isAmong(ordenes)}
      union select o.id from reclamo r join orden o on o.market = r.market and o.market_id = r.orden_market_id
      where r.actualizado_en > now() - ${VIGENCIA} and exists (
        select from jsonb_array_elements(r.devoluciones) d where d ->> 'estatus' in ('shipped', 'delivered'))
        and ${isAmong(ordenes)})
    select o.id::text as id, o.titulo,
      o.num_orden || ' · ' || coalesce('Reclamo ' || r.market_id,
        case when o.clase = 'cancelada' then 'Venta cancelada' else 'Venta devuelta' end) as detalle,
      coalesce('stockInterno?ver=' || v.id, 'devoluciones?orden=' || o.id || '&articulo=' || falta.posicion) as a,
      coalesce(r.actualizado_en, o.cambio_en, o.actualizada_en) as desde, null::timestamptz as vence,
      v.id is null as aqui
    from vuelve
    join orden o on o.id = vuelve.id
    left join envio e on e.id = o.envio_id
    left join lateral (
      select market_id, actualizado_en from reclamo
      where market = o.market and orden_market_id = o.market_id order by fecha desc limit 1) r on true
    left join lateral (
      select id from stock_interno where venta_id = o.id and estado = 'vendido' order by folio limit 1) v on true
    cross join lateral (
      select posicion from (
        select posicion, sum(cantidad) over (order by posicion) as hasta from articulo where orden_id = o.id) a
      where hasta > (select count(*) from stock_interno where orden_id = o.id) + (
        select count(distinct m.pieza_id) from stock_movimiento m join stock_interno s on s.id = m.pieza_id
        where m.venta_id = o.id and m.a = 'vendido' and s.venta_id is distinct from o.id)
      order by posicion limit 1) falta
    where e.tipo_logistico is distinct from 'fulfillment'`;

/** Name of the act that puts aside many returns that did not arrive. */
export const NO_HA_LLEGADO = 'devolucion.noHaLlegado';

/**
 * 'Devoluciones por recibir': pieces not in our hands yet, of sales that ended after their parcel left and of claims whose return is on its way. Our
 * own pieces come back as themselves. Parcels from the marketplace's warehouse return there and are left out.
 */
export const devolucionesPorRecibir: Cola = {
  clave: 'devolucionesPorRecibir',
  titulo: 'Devoluciones por recibir',
  icono: 'cajaAbierta',
  pantallas: ['devoluciones'],
  ver: 'Recibir devoluciones',
  plazos: PLAZOS,
  necesita: 'ventas',
  // Each piece is looked at before it is received, with its cost and state, so no lot receives many. What many share is that they did not arrive.
  lote: { lista: 'ordenesCanceladas', hacer: [NO_HA_LLEGADO] },
  mira: (db, mirada) => countInSql(db, porRecibir(), PLAZOS, mirada),
};

/** A return that waits to be received. `a` is the address of its next piece, and `pospuesta` tells that it is put aside. */
type Esperada = { id: string; a: string; pospuesta: boolean };

/** Returns those of some ordenes that wait to come back. */
export async function listEsperadas(db: Db | Trx, ordenes: readonly string[], ahora: Date): Promise<Esperada[]> {
  const { rows } = await sql<Esperada>`
    select c.id, c.a, coalesce(e.pospuesta_hasta > ${ahora}, false) as pospuesta
    from (${porRecibir(ordenes)}) c
    left join encargo e on e.cola = ${devolucionesPorRecibir.clave} and e.cosa = c.id`.execute(db);
  return rows;
}

/** Tells whether one of some ordenes waits to come back. */
export async function comesBack(db: Db, ordenes: readonly string[]): Promise<boolean> {
  return (await listEsperadas(db, ordenes, new Date())).length > 0;
}

/** Returns that a person reads before scanning. */
const PRIMERAS = 20;

/** Returns the most urgent returns for whoever receives them, each with the number of its sale, and the total. */
export async function listPorRecibir(db: Db, quien: { id: string; rol: string }) {
  const { total, cosas } = await devolucionesPorRecibir.mira(db, {
    ahora: new Date(),
    limite: PRIMERAS,
    aparte: [],
    quien,
  });
  if (cosas.length === 0) return { total, ventas: [] };
  const numeros = new Map(
    (
      await db
        .selectFrom('orden')
        .select(['id', 'numOrden'])
        .where(
          'id',
          'in',
          cosas.map(({ id }) => id),
        )
        .execute()
    ).map(({ id, numOrden }) => [id, numOrden]),
  );
  return {
    total,
    ventas: cosas.map(({ id, titulo, detalle, a, desde }) => ({
      numero: numeros.get(id)!,
      titulo,
      porque: detalle.split(' · ').slice(1).join(' · '),
      a,
      desde,
    })),
  };
}
export type PorRecibir = Awaited<ReturnType<typeof listPorRecibir>>;

/** Returns what `listPorRecibir` does for somebody who looks at it, each return with the picture of what comes back beside it. */
export async function findPorRecibir(db: Db, quien: { id: string; rol: string }) {
  const { total, ventas } = await listPorRecibir(db, quien);
  const lados = await ladosOf(
    db,
    await productosOfDirecciones(
      db,
      ventas.map(({ a }) => a),
    ),
  );
  return { total, ventas: ventas.map((venta, at) => ({ ...venta, alLado: lados[at]! })) };
}

/** Returns the products of what the addresses of returns name: an article of a sale, or a piece of our own. */
async function productosOfDirecciones(db: Db, direcciones: readonly string[]): Promise<(string | null)[]> {
  const dichas = direcciones.map((a) => {
    const search = new URLSearchParams(a.slice(a.indexOf('?')));
    return { pieza: search.get('ver'), ...Cual.parse(Object.fromEntries(search)) };
  });
  const idsOf = (key: 'pieza' | 'orden') => sql<string>`any(${dichas.flatMap((una) => una[key] ?? [])}::uuid[])`;
  const [piezas, articulos] = await Promise.all([
    db.selectFrom('stockInterno').select(['id', 'productoId']).where('id', '=', idsOf('pieza')).execute(),
    db
      .selectFrom('articulo')
      .select(['ordenId', 'posicion', PRODUCTO_DE_ARTICULO.as('productoId')])
      .where('ordenId', '=', idsOf('orden'))
      .execute(),
  ]);
  const suyos = await productosOfPiezas(db, piezas);
  const deLoDicho = new Map([
    ...piezas.map(({ id, productoId }) => [id, productoId ?? suyos.get(id) ?? null] as const),
    ...articulos.map(({ ordenId, posicion, productoId }) => [`${ordenId} ${posicion}`, productoId] as const),
  ]);
  return dichas.map(({ pieza, orden, articulo }) => deLoDicho.get(pieza ?? `${orden} ${articulo}`) ?? null);
}
