import { type RawBuilder, sql } from 'kysely';
import { esEstimado, recibeDe } from '~/domain/ventas/libro/recibe.server';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { listFields, proveedorField, rangoFields } from '~/core/listFields';
import type { Money } from '~/core/money';
import { dayRange } from '~/core/time';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import type { Moneda } from '~db/columns';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';
import { CON_ARCHIVOS, PAGOS } from '~/domain/ventas/ordenes/listOrdenes.server';
import { SIN_CONFIRMAR, sinFolio } from './internal/esperan.server';
import { ESTADO_LABEL, POR_CONFIRMAR } from './pedido';

const SORTS = ['fecha', 'plazo', 'proveedor', 'orden', 'pagado'] as const;

/** Cost of the purchase with VAT, at the ordered prices. Null while a price or a rate is missing. */
const COSTO = sql<Money | null>`(
  select case when bool_and(l.precio is not null and (l.moneda = 'MXN' or l.tipo_cambio is not null)) then
    round(sum(l.cantidad * l.precio * case when l.moneda = 'MXN' then 1 else l.tipo_cambio end) * 1.16, 2) end
  from pedido_linea l where l.pedido_id = pedido.id)`;
/** Sum over the ordenes of a pedido. Each orden counts once, however many lines it has. */
const DE_VENTA = (what: RawBuilder<Money>) => sql<Money>`(
  select coalesce(sum(${what}), 0) from orden o
  where o.id in (select l.orden_id from pedido_linea l where l.pedido_id = pedido.id))`;
const PAGADO = DE_VENTA(sql.ref('o.pagado'));

type LineaDeLista = {
  modelo: string;
  cantidad: number;
  precio: string | null;
  moneda: Moneda | null;
  tipoCambio: string | null;
};

/** Columns that every list of pedidos shows: the goods, the sale, and how far the order got. */
export const rows = (db: Db | Trx) =>
  db
    .selectFrom('pedido')
    .innerJoin('proveedor', 'proveedor.value', 'pedido.proveedor')
    .innerJoin('orden', (join) =>
      join.on(
        'orden.id',
        '=',
        sql<string>`(select l.orden_id from pedido_linea l where l.pedido_id = pedido.id order by l.posicion limit 1)`,
      ),
    )
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .leftJoin('fiscalClaim', 'fiscalClaim.ordenId', 'orden.id')
    .leftJoin('factura', 'factura.id', 'fiscalClaim.facturaId')
    .select([
      'pedido.id',
      'pedido.numero',
      'pedido.folio',
      'pedido.version',
      'pedido.proveedor',
      'proveedor.label as proveedorLabel',
      'pedido.estado',
      'pedido.via',
      'pedido.almacen',
      'pedido.folioProveedor',
      'pedido.facturaFolio',
      'pedido.dice',
      'pedido.errores',
      'pedido.detalle',
      'pedido.automatico',
      'pedido.creadoEn',
      'pedido.venceEn',
      'pedido.descartadoEn',
      'orden.id as ordenId',
      'orden.market',
      'orden.numOrden',
      'orden.packId',
      'orden.fechaCreacion',
      'orden.titulo',
      'orden.clase',
      'envio.marketId as envio',
      sql<string | null>`factura.serie || '-' || factura.folio`.as('facturaCliente'),
      // The folio of a quotation that a person wrote. The pedido's own folio stands beside it, and the folio of another supplier of the sale is left
      // out.
      sql<string | null>`(select c.folio from cotizacion c where c.orden_id = orden.id)`.as('cotizacion'),
      PAGOS.as('pagos'),
      CON_ARCHIVOS.as('conArchivos'),
      PAGADO.as('pagado'),
      DE_VENTA(recibeDe('o')).as('recibe'),
      sql<boolean>`(select coalesce(bool_or(${esEstimado('o')}), false) from orden o
        where o.id in (select l.orden_id from pedido_linea l where l.pedido_id = pedido.id))`.as('estimado'),
      COSTO.as('costo'),
      sql<LineaDeLista[]>`(
        select coalesce(jsonb_agg(jsonb_build_object(
          'modelo', coalesce(l.modelo, l.id_proveedor), 'cantidad', l.cantidad,
          'precio', l.precio::text, 'moneda', l.moneda, 'tipoCambio', l.tipo_cambio::text) order by l.posicion), '[]')
        from pedido_linea l where l.pedido_id = pedido.id)`.as('lineas'),
    ]);

export type PedidoRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/** Returns one pedido as lists show it; undefined when there is none. */
export async function readPedidoFila(db: Db | Trx, id: string): Promise<PedidoRow | undefined> {
  return rows(db).where('pedido.id', '=', id).executeTakeFirst();
}

/** Returns what stands beside pedidos: the picture of the product that the first line of each asks for. */
async function ladosOfPedidos(db: Db, pedidos: readonly { id: string }[]) {
  const ids = pedidos.map(({ id }) => id);
  const primeras = await db
    .selectFrom('pedidoLinea')
    .distinctOn('pedidoId')
    .select(['pedidoId', 'productoId'])
    .where('pedidoId', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('pedidoId')
    .orderBy('posicion')
    .execute();
  const productos = new Map(primeras.map(({ pedidoId, productoId }) => [pedidoId, productoId]));
  return ladosOf(
    db,
    ids.map((id) => productos.get(id) ?? null),
  );
}

/** Search by our folio, the supplier's, or anything that its sale is found by. */
const conPalabras = (q: string) =>
  sql<boolean>`(lower(pedido.folio) = lower(${q}) or lower(pedido.folio_proveedor) = lower(${q}) or exists (
    select from orden where orden.market = pedido.market and orden.num_orden = pedido.num_orden and ${contains('orden.busqueda', q)}))`;

const sorts = {
  fecha: sql.ref('pedido.creadoEn'),
  plazo: sql`coalesce(pedido.vence_en, pedido.creado_en + interval '2 days')`,
  proveedor: sql`${sql.ref('pedido.proveedor')} collate "C"`,
  orden: sql`${sql.ref('pedido.numOrden')} collate "C"`,
  pagado: PAGADO,
};

const comunes = {
  id: 'pedido.id',
  idsGrow: true,
  sorts,
  rows,
  alLado: ladosOfPedidos,
};

const COLUMNAS = {
  fecha: { header: 'Fecha de Creación', tipo: 'fechaHora', valor: (pedido) => pedido.fechaCreacion },
  venta: { header: 'Id de la Venta', tipo: 'texto', ancho: 20, valor: (pedido) => pedido.numOrden },
  paquete: { header: 'Paquete', tipo: 'texto', ancho: 20, valor: (pedido) => pedido.packId },
  folio: { header: 'Pedido', tipo: 'texto', ancho: 12, valor: (pedido) => pedido.folio },
  cotizacion: {
    header: 'Cotización',
    tipo: 'texto',
    ancho: 18,
    valor: (pedido) => pedido.folioProveedor ?? pedido.cotizacion,
  },
  titulo: { header: 'Titulo', tipo: 'texto', ancho: 60, valor: (pedido) => pedido.titulo },
  pagado: { header: 'Monto Pagado', tipo: 'pesos', ancho: 14, valor: (pedido) => pedido.pagado },
  costo: { header: 'Costo', tipo: 'pesos', ancho: 14, valor: (pedido) => pedido.costo },
  proveedor: { header: 'Proveedor', tipo: 'texto', ancho: 16, valor: (pedido) => pedido.proveedorLabel },
  estado: { header: 'Estado', tipo: 'texto', ancho: 16, valor: (pedido) => ESTADO_LABEL[pedido.estado] },
  vence: { header: 'Vence', tipo: 'fechaHora', valor: (pedido) => pedido.venceEn },
  almacen: { header: 'Almacén', tipo: 'texto', ancho: 10, valor: (pedido) => pedido.almacen },
  productos: {
    header: 'Productos',
    tipo: 'texto',
    ancho: 40,
    valor: (pedido) => pedido.lineas.map(({ modelo, cantidad }) => `${cantidad} x ${modelo}`).join(', '),
  },
  facturaCt: { header: 'Factura del proveedor', tipo: 'texto', ancho: 18, valor: (pedido) => pedido.facturaFolio },
  facturaCliente: { header: 'Factura cliente', tipo: 'texto', ancho: 18, valor: (pedido) => pedido.facturaCliente },
} as const satisfies Record<string, ExcelColumn<PedidoRow>>;

/** 'Ordenes por confirmar': pedidos that wait to be bought, confirmed or taken off. Those that went on are shown with their sale. */
export const porConfirmarList = defineList({
  ...comunes,
  lista: 'ordenesPorConfirmar',
  titulo: 'Ordenes por confirmar',
  filtro: z.object({
    ...listFields(SORTS, 'plazo'),
    proveedor: proveedorField,
  }),
  propios: { proveedor: (valor) => `Proveedor: ${valor}` },
  cuales: {
    porConfirmar: { nombre: 'Por confirmar', donde: SIN_CONFIRMAR },
    sinFolio: { nombre: 'Sin folio', donde: sinFolio(sql`now()`) },
  },
  matches: (db, { q, proveedor }) =>
    db
      .selectFrom('pedido')
      .where('pedido.descartadoEn', 'is', null)
      .where(
        'pedido.estado',
        'in',
        [...POR_CONFIRMAR].map((estado) => sql.lit(estado)),
      )
      .$if(proveedor !== undefined, (pedidos) => pedidos.where('pedido.proveedor', '=', proveedor!))
      .$if(q !== '', (pedidos) => pedidos.where(conPalabras(q))),
  totales: (pedidos) =>
    pedidos.select([
      sql<string>`coalesce(sum(${PAGADO}), 0)`.as('pagado'),
      sql<string>`coalesce(sum(${COSTO}), 0)`.as('costo'),
    ]),
  excel: {
    hoja: 'Ordenes por confirmar',
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.venta,
      COLUMNAS.paquete,
      COLUMNAS.folio,
      COLUMNAS.cotizacion,
      COLUMNAS.titulo,
      COLUMNAS.pagado,
      COLUMNAS.costo,
      COLUMNAS.proveedor,
      COLUMNAS.estado,
      COLUMNAS.vence,
    ],
  },
});

/** 'Ordenes CT': the pedidos at the supplier whose orders have two steps, finished ones included. */
export const ordenesCtList = defineList({
  ...comunes,
  lista: 'ordenesCT',
  titulo: 'Ordenes CT',
  filtro: z
    .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields) })),
  matches(db, { q, desde, hasta }) {
    const { from, to } = dayRange(desde, hasta);
    return db
      .selectFrom('pedido')
      .where('pedido.proveedor', '=', sql.lit('ct'))
      .where('pedido.creadoEn', '>=', from)
      .where('pedido.creadoEn', '<', to)
      .$if(q !== '', (pedidos) => pedidos.where(conPalabras(q)));
  },
  totales: (pedidos) =>
    pedidos.select([
      sql<string>`coalesce(sum(${PAGADO}), 0)`.as('pagado'),
      sql<string>`coalesce(sum(${COSTO}), 0)`.as('costo'),
    ]),
  excel: {
    hoja: 'Ordenes CT',
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.venta,
      COLUMNAS.folio,
      COLUMNAS.cotizacion,
      COLUMNAS.productos,
      COLUMNAS.almacen,
      COLUMNAS.pagado,
      COLUMNAS.costo,
      COLUMNAS.estado,
      COLUMNAS.vence,
      COLUMNAS.facturaCt,
      COLUMNAS.facturaCliente,
    ],
  },
});
