/**
 * The name of a person or a place: words of letters and digits, with the apostrophe, hyphen and dot that names have ("O'Brien", 'Ma. José',
 * 'Pérez-Gil'), one space between two. Wider than what was asked for, by decision: the error texts stay.
 */
const NOMBRE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’-]*)*$/u;

export function isNombre(text: string): boolean {
  return NOMBRE.test(text);
}
