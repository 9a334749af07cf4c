/**
 * The name of a person or a place: words of letters and digits, with the apostrophe, hyphen and dot of names
 * ("O'Brien", 'Ma. José', 'Pérez-Gil'), and single spaces. The pattern is wider than the error texts say, by decision: those texts
 * stay as agreed.
 */
const NOMBRE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’-]*)*$/u;

/** Returns whether the text, already trimmed, is a name. */
export function isNombre(text: string): boolean {
  return NOMBRE.test(text);
}
