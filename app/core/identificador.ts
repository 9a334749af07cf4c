import { isGenericRfc, isRfc, normalizeRfc } from './rfc';

/**
 * What a search holds when somebody typed or pasted one whole identifier. A number of sale and an RFC look like nothing else. What may be a folio may
 * as well be a model or a word of a title: it is one only where something has it. One of a series is a document of ours, or of a supplier who numbers like us.
 */
export type Identificador =
  | { clase: 'numero'; texto: string }
  | { clase: 'rfc'; texto: string }
  | { clase: 'documento'; texto: string; serie: string; folio: number }
  | { clase: 'folio'; texto: string };

/** Of a pack or an order at Mercado Libre, of an order at Amazon. */
const NUMERO = /^(\d{16}|\d{3}-\d{7}-\d{7})$/;
const DE_DOCUMENTO = /^([A-Z]{1,25})-(\d{1,9})$/;
/** Suppliers and couriers number as they like: one word with a digit in it. A few digits alone are part of a number. */
const DE_ALGUIEN = /^(?=\S*\d)\S{3,60}$/;
const POCOS_DIGITOS = /^\d{1,7}$/;

export function identificadorOf(q: string): Identificador | null {
  const texto = q.trim();
  const numero = texto.replace(/^#\s*/, '');
  if (NUMERO.test(numero)) return { clase: 'numero', texto: numero };
  const rfc = normalizeRfc(texto);
  // Half of all sales go to the public in general: their RFC names nobody.
  if (isRfc(rfc)) return isGenericRfc(rfc) ? null : { clase: 'rfc', texto: rfc };
  if (!DE_ALGUIEN.test(texto) || POCOS_DIGITOS.test(texto)) return null;
  const [, serie, folio] = DE_DOCUMENTO.exec(texto.toUpperCase()) ?? [];
  return serie && folio ? { clase: 'documento', texto, serie, folio: Number(folio) } : { clase: 'folio', texto };
}
