import { isGenericRfc, isRfc, normalizeRfc } from './rfc';

/**
 * A whole identifier in the text of a search. `numero` is a sale and `rfc` a taxpayer; neither shape is shared with
 * other texts. `documento` has the series and folio of our documents, and of suppliers with the same numbering. `folio`
 * may as well be a model or a word of a title: the text is a folio only where some record has that folio.
 */
export type Identificador =
  | { clase: 'numero'; texto: string }
  | { clase: 'rfc'; texto: string }
  | { clase: 'documento'; texto: string; serie: string; folio: number }
  | { clase: 'folio'; texto: string };

/** Numbers of packs and orders at Mercado Libre (16 digits), and of orders at Amazon. */
const NUMERO = /^(\d{16}|\d{3}-\d{7}-\d{7})$/;
const DE_DOCUMENTO = /^([A-Z]{1,25})-(\d{1,9})$/;
/**
 * Numbers of suppliers and couriers: a word with a digit, in any style. A few digits alone are part of a longer number.
 */
const DE_ALGUIEN = /^(?=\S*\d)\S{3,100}$/;
/** A number that a scanner typed under the Latin American layout, where `-` arrives as `'`. */
const ESCANEADO = /^[A-Z]*\d*(?:'\d+)+$/i;
const POCOS_DIGITOS = /^\d{1,7}$/;

/** Returns the identifier that a search consists of; null when the text is no whole identifier. */
export function identificadorOf(q: string): Identificador | null {
  const texto = q.trim().replace(ESCANEADO, (codigo) => codigo.replaceAll("'", '-'));
  const numero = texto.replace(/^#\s*/, '');
  if (NUMERO.test(numero)) return { clase: 'numero', texto: numero };
  const rfc = normalizeRfc(texto);
  // Half of all sales go to the public in general, so a generic RFC identifies nobody.
  if (isRfc(rfc)) return isGenericRfc(rfc) ? null : { clase: 'rfc', texto: rfc };
  if (!DE_ALGUIEN.test(texto) || POCOS_DIGITOS.test(texto)) return null;
  const [, serie, folio] = DE_DOCUMENTO.exec(texto.toUpperCase()) ?? [];
  return serie && folio ? { clase: 'documento', texto, serie, folio: Number(folio) } : { clase: 'folio', texto };
}
