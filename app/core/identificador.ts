import { isGenericRfc, isRfc, normalizeRfc } from './rfc';

/**
 * What a search holds when somebody typed or pasted one whole identifier. A number of sale and an RFC look like nothing else. A folio may look
 * like a model or a word of a title, so it is looked for as both; one of a series is a document of ours, or of a supplier who numbers like us.
 */
export type Identificador =
  | { clase: 'numero'; texto: string }
  | { clase: 'rfc'; texto: string }
  | { clase: 'documento'; texto: string; serie: string; folio: number }
  | { clase: 'folio'; texto: string };
type Clase = Identificador['clase'];

/** Of a pack or an order at Mercado Libre, of an order at Amazon. */
const NUMERO = /^(\d{16}|\d{3}-\d{7}-\d{7})$/;
const DE_DOCUMENTO = /^([A-Z]{1,25})-(\d{1,9})$/;
/** Suppliers number as they like: one word with a digit in it. */
const DE_ALGUIEN = /^(?=\S*\d)\S{3,60}$/;

export function identificadorDe(q: string): Identificador | null {
  const texto = q.trim();
  const numero = texto.replace(/^#\s*/, '');
  if (NUMERO.test(numero)) return { clase: 'numero', texto: numero };
  const rfc = normalizeRfc(texto);
  // Half of all sales go to the public in general: their RFC names nobody.
  if (isRfc(rfc)) return isGenericRfc(rfc) ? null : { clase: 'rfc', texto: rfc };
  if (!DE_ALGUIEN.test(texto)) return null;
  const [, serie, folio] = DE_DOCUMENTO.exec(texto.toUpperCase()) ?? [];
  return serie && folio ? { clase: 'documento', texto, serie, folio: Number(folio) } : { clase: 'folio', texto };
}

/** What may be a folio, of whoever numbers: it may as well be a word. */
export const isFolio = ({ clase }: Identificador) => clase === 'folio' || clase === 'documento';

/** The same, where a list looks for identifiers of some classes alone. */
export function identificadorIn(q: string, clases: readonly Clase[]): Identificador | null {
  const identificador = identificadorDe(q);
  return identificador && clases.includes(identificador.clase) ? identificador : null;
}

/** What the page says of where it looked; null when that was in the range alone. */
export function alcanceDe(q: string, clases: readonly Clase[]): string | null {
  const identificador = identificadorIn(q, clases);
  if (!identificador) return null;
  return isFolio(identificador)
    ? `Busqué "${q}" en las fechas del rango, y como folio en todas las fechas.`
    : `Busqué "${q}" en todas las fechas.`;
}
