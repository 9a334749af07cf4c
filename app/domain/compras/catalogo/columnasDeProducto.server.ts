import { sql } from 'kysely';
import { tipoCambio } from '~/domain/compras/precios/tipoCambio.server';
import { caducada, existenciaDe, precioDe } from './frescura.server';

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
