import { sql } from 'kysely';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import { FRESCURA_MIN } from './internal/frescura';

/** When the last read began that met this product. */
const visto = sql`coalesce(producto.visto_hasta, (select c.fresca_de from catalogo_proveedor c where c.proveedor = producto.proveedor))`;

/** When the price of a row of `producto` with its `oferta` was last known to be so: as it was written, or met again and found the same. */
export const precioDe = sql<Date | null>`greatest(oferta.leida_en, oferta.precio_en, ${visto})`;
/** The same of its stock. */
export const existenciaDe = sql<Date | null>`greatest(oferta.leida_en, oferta.existencia_en, ${visto})`;
/** Minutes after which its stock counts as none. */
export const frescuraMin = sql<number>`coalesce((select c.frescura_min from catalogo_proveedor c where c.proveedor = producto.proveedor), ${sql.lit(FRESCURA_MIN)})`;
/** Whether its stock counts as none for being too old. */
export const caducada = sql<boolean>`coalesce(${existenciaDe} < now() - make_interval(mins => ${frescuraMin}), true)`;

/** Mark-ups of its own, by marketplace. */
export const propias = sql<Record<string, string> | null>`(
  select jsonb_object_agg(g.market, g.ganancia::text) from ganancia_producto g where g.producto_id = producto.id)`;

/** What a product shows wherever it is listed, and what its prices are worked out from: of `producto` with its `proveedor`, and its `oferta` where it has one. */
export const DE_PRODUCTO = [
  'producto.id',
  'producto.proveedor',
  'proveedor.label as proveedorLabel',
  'producto.idProveedor',
  'producto.modelo',
  'producto.nombre',
  'producto.marca',
  'producto.gtins',
  'producto.piezasVendidas',
  'producto.costoEnvio',
  'producto.ausenteDesde',
  'producto.enVenta',
  'oferta.precio',
  'oferta.moneda',
  'oferta.sinPrecio',
  'oferta.existencia',
  'oferta.tope',
  tipoCambio.as('tipoCambio'),
  precioDe.as('precioEn'),
  existenciaDe.as('existenciaEn'),
  caducada.as('caducada'),
  propias.as('propias'),
] as const;
