import { enVenta, type Publicado } from '~/integrations/mercadolibre/wirePublicacion';
import type { PublicacionLeida } from '~/domain/mercados/publicacion';

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

/** Returns a listing of Mercado Libre in our nouns. */
export function publicacionMl(doc: Publicado, raw: unknown): PublicacionLeida {
  const variantes = doc.variations ?? [];
  const skus = new Set([skuIn(doc), ...variantes.map(skuIn)].filter((sku) => sku !== null));
  return {
    clave: doc.id,
    marketId: doc.id,
    sku: skus.size === 1 ? [...skus][0]! : (skuIn(doc) ?? null),
    titulo: doc.title,
    ...enVenta(doc),
    vendido: doc.sold_quantity ?? null,
    estatus: doc.status,
    subestatus: doc.sub_status ?? [],
    problemas: [],
    tipo: doc.listing_type_id ?? null,
    categoriaId: doc.category_id ?? null,
    link: doc.permalink ?? null,
    stockAjeno: doc.shipping?.logistic_type === 'fulfillment',
    precioAjeno: doc.tags?.includes(CON_REGLA_DE_PRECIO) ?? false,
    variantes: variantes.length,
    fechaCreacion: doc.date_created ?? null,
    cambioEn: doc.last_updated ?? null,
    datos:
      typeof raw === 'object' && raw !== null
        ? Object.fromEntries(Object.entries(raw).filter(([name]) => !SIN.has(name)))
        : {},
  };
}
