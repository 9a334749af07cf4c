import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { type Market, MARKETS } from '~/core/market';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { defineList } from '~/platform/lists/list.server';
import { MERCADOS, publicadoPor } from '~/domain/mercados/mercados';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { DE_PRODUCTO } from '~/domain/compras/catalogo/columnas.server';
import { meaningOf } from '~/domain/compras/catalogo/listProductos.server';
import { preciosOf } from '~/domain/compras/catalogo/producto';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';

const Filter = z.object({
  ...listFields(['vendidas', 'existencia', 'alta'], '-vendidas'),
  proveedor: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/)
    .catch(''),
});

/** Condition over a product: it has a listing that buyers can reach, now or once it has stock. */
export const publicada = (market: Market) => sql<boolean>`exists (
  select from publicacion p where p.producto_id = producto.id and p.market = ${market} and p.estatus <> 'closed' and p.ausente_desde is null)`;

/** The list of products that suppliers sell and that are not on sale at a marketplace, the most sold first. */
const sinPublicacion = (lista: string, market: Market, titulo: string) =>
  defineList({
    lista,
    titulo,
    todas: 'Todos',
    filtro: Filter,
    id: 'producto.id',
    idsGrow: true,
    sorts: {
      vendidas: sql.ref('producto.piezasVendidas'),
      existencia: sql`coalesce(oferta.existencia, -1)`,
      alta: sql.ref('producto.id'),
    },
    matches: (db, { q, proveedor, orden }) =>
      db
        .selectFrom('producto')
        .$if(orden.endsWith('existencia'), (productos) =>
          productos.innerJoin('oferta', 'oferta.productoId', 'producto.id'),
        )
        .where('producto.ausenteDesde', 'is', null)
        .where('producto.enVenta', '=', true)
        .where(sql<boolean>`not ${publicada(market)}`)
        .$if(proveedor !== '', (productos) => productos.where('producto.proveedor', '=', proveedor))
        .$if(q !== '', (productos) => productos.where(meaningOf(q))),
    rows: (db) =>
      db
        .selectFrom('producto')
        .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
        .leftJoin('oferta', 'oferta.productoId', 'producto.id')
        .leftJoin('publicacionBorrador', (join) =>
          join
            .onRef('publicacionBorrador.productoId', '=', 'producto.id')
            .on('publicacionBorrador.market', '=', market),
        )
        .select([
          ...DE_PRODUCTO,
          'publicacionBorrador.actualizadoEn as borradorEn',
          sql<number>`coalesce(jsonb_array_length(publicacion_borrador.problemas), 0)`.as('problemas'),
        ]),
    completa: async (db) => {
      const reglas = await readReglas(db);
      return ({ propias, estimadas, ...producto }) => ({
        ...producto,
        precios: preciosOf(reglas, { ...producto, propias, estimadas })[market],
      });
    },
    alLado: (db, productos) =>
      ladosOf(
        db,
        productos.map(({ id }) => id),
      ),
    totales: (productos) => productos.select(sql<number>`count(*)::int`.as('todos')),
    propios: { proveedor: (valor) => CONNECTIONS.find(valor)?.label ?? valor },
    excel: {
      hoja: 'Sin publicación',
      columnas: [
        { header: 'Proveedor', tipo: 'texto', ancho: 16, valor: (producto) => producto.proveedorLabel },
        { header: 'Modelo', tipo: 'texto', ancho: 22, valor: (producto) => producto.modelo },
        { header: 'Nombre', tipo: 'texto', ancho: 60, valor: (producto) => producto.nombre },
        { header: 'Marca', tipo: 'texto', ancho: 16, valor: (producto) => producto.marca },
        { header: 'GTIN', tipo: 'texto', ancho: 18, valor: (producto) => producto.gtins.join(', ') },
        { header: 'Stock', tipo: 'numero', ancho: 10, valor: (producto) => producto.existencia },
        { header: 'Precio', tipo: 'pesos', ancho: 14, valor: ({ precios }) => precios?.precio ?? null },
        { header: 'Queda', tipo: 'pesos', ancho: 14, valor: ({ precios }) => precios?.queda ?? null },
      ],
    },
  });

export const sinPublicacionMl = sinPublicacion('publicadorML', publicadoPor('publicadorML'), 'Publicador ML');
/** The lists of the same screen, by their marketplace. */
const PANTALLA = 'publicadorML';
export const SIN_PUBLICACION = Object.fromEntries(
  MARKETS.map((market) => [
    market,
    market === publicadoPor(PANTALLA)
      ? sinPublicacionMl
      : sinPublicacion(`${PANTALLA}.${market}`, market, `Publicador ${MERCADOS[market].label}`),
  ]),
) as Readonly<Record<Market, typeof sinPublicacionMl>>;
