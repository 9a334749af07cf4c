import { sql } from 'kysely';
import { estimadas } from '~/domain/compras/precios/estimadas.server';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import { FRESCURA_MIN } from './internal/frescura';

/** Start of the last read that met this product. */
const visto = sql`coalesce(
  producto.visto_hasta, (select c.fresca_de from catalogo_proveedor c where c.proveedor = producto.proveedor))`;

/** Moment up to which the price of a `producto` with its `oferta` is known to hold: when it was written, or when a read met it again unchanged. */
export const precioDe = sql<Date | null>`greatest(oferta.leida_en, oferta.precio_en, ${visto})`;
/** Moment up to which the stock of a `producto` with its `oferta` is known to hold. */
export const existenciaDe = sql<Date | null>`greatest(oferta.leida_en, oferta.existencia_en, ${visto})`;
/** Minutes after which the stock of a `producto` counts as none. */
export const frescuraMin = sql<number>`coalesce(
  (select c.frescura_min from catalogo_proveedor c where c.proveedor = producto.proveedor), ${sql.lit(FRESCURA_MIN)})`;
/** SQL condition: the stock of a `producto` is too old, so that it counts as none. */
export const caducada = sql<boolean>`coalesce(${existenciaDe} < now() - make_interval(mins => ${frescuraMin}), true)`;

/** Mark-ups that a `producto` has of its own, by price (`PrecioKey`). */
export const propias = sql<Record<string, string> | null>`(
  select jsonb_object_agg(case g.tipo when 'gold_pro' then 'premium' else g.market end, g.ganancia::text) from ganancia_producto g where g.producto_id = producto.id)`;

/**
 * Columns that a product shows wherever it is listed, with those that its prices are worked out from. Speaks of `producto` with its `proveedor`, and
 * its `oferta` when there is one.
 */
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
  estimadas.as('estimadas'),
] as const;
