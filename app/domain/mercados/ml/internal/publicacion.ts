import {
  conPiezasAlla,
  enVenta,
  productoDeUsuarioOf,
  type Publicado,
} from '~/integrations/mercadolibre/wirePublicacion';
import { piezasEn, type PorLugar } from '~/integrations/mercadolibre/wireLugares';
import type { PublicacionLeida } from '~/domain/mercados/publicacion';
import type { CuentaMl } from './cuentaMl';

const skuIn = ({ attributes, seller_custom_field: legado }: Pick<Publicado, 'attributes' | 'seller_custom_field'>) =>
  attributes?.find(({ id }) => id === 'SELLER_SKU')?.value_name ?? legado ?? null;

/** Fields that are not kept: large, and told elsewhere. The addresses of the pictures alone would be most of a row. */
const SIN = new Set([
  'pictures',
  'geolocation',
  'seller_address',
  'location',
  'thumbnail',
  'secure_thumbnail',
  'coverage_areas',
]);

/** Mercado Libre's tag of a listing whose price an automation of its own moves. */
const CON_REGLA_DE_PRECIO = 'dynamic_standard_price';

type Cuenta = Pick<CuentaMl, 'porLugar' | 'almacenes' | 'almacen' | 'conRegla'>;

/** Returns the user product whose places must be read to know our part of the pieces; null where the listing itself tells it. */
export function porLeer(doc: Publicado, { porLugar, almacenes }: Cuenta): string | null {
  const producto = productoDeUsuarioOf(doc);
  // A listing tells the sum of all places: that is ours where one store is the only place.
  return conPiezasAlla(doc) || (porLugar && almacenes.length !== 1) ? producto : null;
}

/** Returns the pieces of a listing by who keeps them. `lugares` are its places; null where nobody asked. */
export function piezasOf(
  doc: Publicado,
  lugares: PorLugar | null,
  { porLugar, almacen }: Cuenta,
): Pick<PublicacionLeida, 'stock' | 'stockAjeno' | 'piezasAjenas'> {
  const sinLugares = { stock: enVenta(doc).stock, stockAjeno: doc.shipping?.logistic_type === 'fulfillment' };
  if (!lugares) return { ...sinLugares, piezasAjenas: null };
  const { deEllos, direccion, tiendas } = lugares;
  if (direccion === null && tiendas.length === 0)
    return deEllos === null
      ? { ...sinLugares, piezasAjenas: null }
      : { stock: deEllos, stockAjeno: true, piezasAjenas: null };
  if (porLugar && tiendas.length > 0)
    return { stock: almacen && (piezasEn(lugares, almacen) ?? 0), stockAjeno: false, piezasAjenas: deEllos };
  // In México nobody changes the pieces at an address while others lie with Mercado Libre.
  return {
    stock: direccion ?? tiendas.reduce((sum, { quantity }) => sum + quantity, 0),
    stockAjeno: deEllos !== null && direccion !== null,
    piezasAjenas: deEllos,
  };
}

/** Returns a listing of Mercado Libre in our nouns. */
export function publicacionMl(
  doc: Publicado,
  raw: unknown,
  lugares: PorLugar | null,
  cuenta: Cuenta,
): PublicacionLeida {
  const variantes = doc.variations ?? [];
  const skus = new Set([skuIn(doc), ...variantes.map(skuIn)].filter((sku) => sku !== null));
  return {
    clave: doc.id,
    marketId: doc.id,
    sku: skus.size === 1 ? [...skus][0]! : (skuIn(doc) ?? null),
    titulo: doc.title,
    precio: enVenta(doc).precio,
    ...piezasOf(doc, lugares, cuenta),
    vendido: doc.sold_quantity ?? null,
    estatus: doc.status,
    subestatus: doc.sub_status ?? [],
    problemas: [],
    tipo: doc.listing_type_id ?? null,
    categoriaId: doc.category_id ?? null,
    link: doc.permalink ?? null,
    productoAlla: productoDeUsuarioOf(doc),
    precioAjeno: cuenta.conRegla.has(doc.id) || (doc.tags?.includes(CON_REGLA_DE_PRECIO) ?? false),
    deCatalogo: doc.catalog_listing ?? null,
    variantes: variantes.length,
    fechaCreacion: doc.date_created ?? null,
    cambioEn: doc.last_updated ?? null,
    datos:
      typeof raw === 'object' && raw !== null
        ? Object.fromEntries(Object.entries(raw).filter(([name]) => !SIN.has(name)))
        : {},
  };
}
