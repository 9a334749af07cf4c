import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { type Market, MARKET_LABEL, MARKETS } from '~/core/market';
import { palabrasOf } from '~/domain/compras/catalogo/producto';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';
import { contains, defineList } from '~/platform/lists/list.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { BAJO_EL_PISO } from './internal/colaPromociones.server';
import { estatusOf, ESTATUS_JUNTOS, tipoOf } from './publicacion';

const SORTS = ['creada', 'titulo', 'precio', 'stock', 'vendidas', 'proveedor', 'estatus'] as const;
const marca = z
  .literal('1')
  .or(z.literal(''))
  .optional()
  .catch('')
  .transform((puesta) => puesta ?? '');

const Filter = z.object({
  ...listFields(SORTS, 'creada'),
  ...(Object.fromEntries(MARKETS.map((market) => [market, marca])) as Record<Market, typeof marca>),
  sync: z
    .enum(['', 'si', 'no'])
    .optional()
    .catch('')
    .transform((sync) => sync ?? ''),
  estatus: z
    .string()
    .regex(/^\w{1,40}$/)
    .catch(''),
  proveedor: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/)
    .catch(''),
  sinProducto: marca,
});
type Filtro = z.infer<typeof Filter>;

/** Returns the marketplaces of a filter. An empty checkbox says nothing in an address, so no checkbox means all. */
export const mercadosOf = (filtro: Pick<Filtro, Market>) => {
  const puestos = MARKETS.filter((market) => filtro[market] === '1');
  return puestos.length === 0 ? [...MARKETS] : puestos;
};

/** The list of listings, the oldest first. A listing that is gone at its marketplace is found by its words alone. */
export const publicacionesList = defineList({
  lista: 'publicaciones',
  titulo: 'Publicaciones',
  filtro: Filter,
  id: 'publicacion.id',
  idsGrow: true,
  sorts: {
    creada: sql.ref('publicacion.fechaCreacion'),
    titulo: sql`${sql.ref('publicacion.titulo')} collate "C"`,
    precio: sql.ref('publicacion.precio'),
    stock: sql.ref('publicacion.stock'),
    vendidas: sql.ref('publicacion.vendido'),
    proveedor: sql.ref('publicacion.proveedor'),
    estatus: sql.ref('publicacion.estatus'),
  },
  cuales: {
    retenidas: {
      nombre: 'Esperan a una persona',
      donde: sql<boolean>`publicacion.id in (select publicacion_id from publicacion_pendiente where precio_retenido is not null or stock_retenido)`,
    },
    pierden: {
      nombre: 'Pierden',
      donde: sql<boolean>`(publicacion.de_catalogo and publicacion.id in (select publicacion_id from publicacion_competencia where lugar = 'pierde'))`,
    },
    bajoElPiso: {
      nombre: 'Bajo el piso',
      donde: sql<boolean>`publicacion.id in (select m.publicacion_id from publicacion_promocion m where ${BAJO_EL_PISO})`,
    },
    sobreventa: { nombre: 'Con sobreventa', donde: sql<boolean>`publicacion.sobreventa > 0` },
    error: {
      nombre: 'Con error',
      donde: sql<boolean>`(publicacion.problemas <> '{}' or publicacion.id in (select publicacion_id from publicacion_pendiente where error is not null))`,
    },
  },
  matches: (db, filtro) => {
    const { q, sync, estatus, proveedor, sinProducto } = filtro;
    const mercados = mercadosOf(filtro);
    return db
      .selectFrom('publicacion')
      .$if(mercados.length < MARKETS.length, (publicaciones) =>
        publicaciones.where('publicacion.market', 'in', mercados),
      )
      .$if(sync !== '', (publicaciones) => publicaciones.where('publicacion.autoSync', '=', sync === 'si'))
      .$if(estatus !== '', (publicaciones) => publicaciones.where('publicacion.estatus', 'in', juntosCon(estatus)))
      .$if(proveedor !== '', (publicaciones) => publicaciones.where('publicacion.proveedor', '=', proveedor))
      .$if(sinProducto !== '', (publicaciones) => publicaciones.where('publicacion.productoId', 'is', null))
      .$if(q === '', (publicaciones) => publicaciones.where('publicacion.ausenteDesde', 'is', null))
      .$if(q !== '', (publicaciones) => publicaciones.where(contains('publicacion.busqueda', palabras(q))));
  },
  rows: (db) =>
    db
      .selectFrom('publicacion')
      .leftJoin('proveedor', 'proveedor.value', 'publicacion.proveedor')
      .leftJoin('categoria', (join) =>
        join
          .onRef('categoria.market', '=', 'publicacion.market')
          .onRef('categoria.categoriaId', '=', 'publicacion.categoriaId'),
      )
      .leftJoin('publicacionPendiente', 'publicacionPendiente.publicacionId', 'publicacion.id')
      .select([
        'publicacion.id',
        'publicacion.market',
        'publicacion.clave',
        'publicacion.marketId',
        'publicacion.sku',
        'publicacion.titulo',
        'publicacion.precio',
        'publicacion.stock',
        'publicacion.vendido',
        'publicacion.estatus',
        'publicacion.subestatus',
        'publicacion.problemas',
        'publicacion.tipo',
        'publicacion.link',
        'publicacion.autoSync',
        'publicacion.precioEscrito',
        'publicacion.precioAjeno',
        'publicacion.stockAjeno',
        'publicacion.version',
        'publicacion.sobreventa',
        'publicacion.productoId',
        'publicacion.fechaCreacion',
        'publicacion.ausenteDesde',
        'publicacion.categoriaId',
        'proveedor.label as proveedorLabel',
        'publicacion.proveedor',
        'categoria.nombre as categoria',
        'categoria.ruta as categoriaRuta',
        'publicacionPendiente.precio as precioPendiente',
        'publicacionPendiente.stock as stockPendiente',
        'publicacionPendiente.precioRetenido',
        'publicacionPendiente.stockRetenido',
        'publicacionPendiente.error as errorPendiente',
        'publicacionPendiente.secuencia',
      ]),
  alLado: (db, publicaciones) =>
    ladosOf(
      db,
      publicaciones.map(({ productoId }) => productoId),
    ),
  totales: (publicaciones) =>
    publicaciones.select(({ fn }) => fn.countAll<number>().filterWhere('publicacion.autoSync', '=', true).as('siguen')),
  propios: {
    ...(Object.fromEntries(MARKETS.map((market) => [market, () => MARKET_LABEL[market]])) as Record<
      Market,
      () => string
    >),
    sync: (valor) => (valor === 'si' ? 'Con sincronización' : 'Sin sincronización'),
    estatus: (valor) => ESTATUS_JUNTOS.find(({ codigos }) => codigos.includes(valor))?.label ?? valor,
    proveedor: (valor) => CONNECTIONS.find(valor)?.label ?? valor,
    sinProducto: () => 'Sin producto',
  },
  excel: {
    hoja: 'Publicaciones',
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (publicacion) => publicacion.fechaCreacion },
      { header: 'Mercado', tipo: 'texto', ancho: 14, valor: ({ market }) => MERCADOS[market].label },
      { header: 'Titulo', tipo: 'texto', ancho: 60, valor: (publicacion) => publicacion.titulo },
      { header: 'ID', tipo: 'texto', ancho: 18, valor: ({ marketId, clave }) => marketId ?? clave },
      { header: 'SKU', tipo: 'texto', ancho: 36, valor: (publicacion) => publicacion.sku },
      {
        header: 'Proveedor',
        tipo: 'texto',
        ancho: 16,
        valor: ({ proveedorLabel, proveedor }) => proveedorLabel ?? proveedor,
      },
      { header: 'Precio', tipo: 'pesos', ancho: 14, valor: (publicacion) => publicacion.precio },
      { header: 'Stock', tipo: 'numero', ancho: 10, valor: (publicacion) => publicacion.stock },
      { header: 'Vendidas', tipo: 'numero', ancho: 10, valor: (publicacion) => publicacion.vendido },
      { header: 'Estatus', tipo: 'texto', ancho: 18, valor: ({ market, estatus }) => estatusOf(market, estatus).label },
      { header: 'Tipo', tipo: 'texto', ancho: 14, valor: ({ market, tipo }) => tipoOf(market, tipo) ?? tipo },
      {
        header: 'Sincronización automática',
        tipo: 'texto',
        ancho: 14,
        valor: ({ autoSync }) => (autoSync ? 'Sí' : 'No'),
      },
      {
        header: 'Categoría',
        tipo: 'texto',
        ancho: 40,
        valor: ({ categoriaRuta, categoria, categoriaId }) => categoriaRuta?.join(' > ') || categoria || categoriaId,
      },
      { header: 'Link', tipo: 'texto', ancho: 40, valor: (publicacion) => publicacion.link },
    ],
  },
});

/** Returns the states that people call like this one, at every marketplace. */
const juntosCon = (estatus: string) => [
  ...(ESTATUS_JUNTOS.find(({ codigos }) => codigos.includes(estatus))?.codigos ?? [estatus]),
];

/** A sku is one word there as it is here. */
const palabras = (q: string) => (q.includes('|') ? q.trim() : palabrasOf(q)) || q;
