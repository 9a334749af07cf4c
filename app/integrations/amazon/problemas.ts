import { tableOf } from '~/core/table';
import type { Problema } from './wirePublicacion';

/** Returns why Amazon does not take a listing, in words. Amazon's words come in Spanish; a problem without words tells its kind. */

type Dicho = Pick<Problema, 'message' | 'code'> & Partial<Pick<Problema, 'categories'>>;

/** The part of a listing to which an attribute belongs. */
const PARTES: Readonly<Record<string, string>> = tableOf({
  purchasable_offer: 'precio',
  list_price: 'precio',
  fulfillment_availability: 'stock',
  item_name: 'titulo',
  product_type: 'categoria',
  merchant_suggested_asin: 'categoria',
  main_product_image_locator: 'imagenes',
  main_offer_image_locator: 'imagenes',
  product_description: 'descripcion',
});
const NOMBRES: Readonly<Record<string, string>> = tableOf({
  precio: 'Precio',
  stock: 'Stock',
  titulo: 'Título',
  categoria: 'Tipo de producto',
  imagenes: 'Fotos',
  descripcion: 'Descripción',
});

export const parteOf = (atributo: string): string =>
  PARTES[atributo] ?? (/^other_(?:product|offer)_image_locator/.test(atributo) ? 'imagenes' : atributo);

const POR_CLASE: Readonly<Record<string, string>> = tableOf({
  MISSING_ATTRIBUTE: 'Falta un dato.',
  INVALID_ATTRIBUTE: 'Un dato no es válido.',
  INVALID_IMAGE: 'Una foto no sirve.',
  MISSING_IMAGE: 'Falta la foto principal.',
  INVALID_PRICE: 'El precio no se admite.',
  MISSING_PRICE: 'Falta el precio.',
  DUPLICATE: 'Ya hay una publicación igual.',
  QUALIFICATION_REQUIRED: 'Amazon pide autorización para vender esta marca o categoría.',
});

export const enPalabras = ({ message, code, categories }: Dicho): string =>
  message?.trim() ||
  (categories ?? []).map((clase) => POR_CLASE[clase]).find((texto) => texto !== undefined) ||
  `Amazon no dice qué${code ? ` (${code})` : ''}.`;

export const isError = ({ severity }: Pick<Problema, 'severity'>): boolean => severity === 'ERROR';

/** Tells whether a problem keeps a listing from being sold. */
export const isGrave = (problema: Problema): boolean =>
  isError(problema) || (problema.enforcements?.actions ?? []).some(({ action }) => action !== 'ATTRIBUTE_SUPPRESSED');

/** Writes problems, one in a line after the part of the listing. */
export const enLineas = (problemas: readonly (Dicho & Pick<Problema, 'attributeNames'>)[]): string =>
  [
    ...new Set(
      problemas.flatMap((problema) => {
        const texto = enPalabras(problema);
        const partes = (problema.attributeNames ?? []).map(parteOf);
        return partes.length === 0 ? [texto] : partes.map((parte) => `${NOMBRES[parte] ?? parte}: ${texto}`);
      }),
    ),
  ].join('\n');
