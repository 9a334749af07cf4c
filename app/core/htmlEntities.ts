import { tableOf } from '~/core/table';

/** Characters by the name of their HTML entity. */
const BY_NAME: Readonly<Record<string, string>> = tableOf({
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  aacute: 'á',
  eacute: 'é',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  ntilde: 'ñ',
  uuml: 'ü',
  Aacute: 'Á',
  Eacute: 'É',
  Iacute: 'Í',
  Oacute: 'Ó',
  Uacute: 'Ú',
  Ntilde: 'Ñ',
  Uuml: 'Ü',
  deg: '°',
  ordm: 'º',
  reg: '®',
});

/**
 * Returns the text with HTML entities, by name or number, replaced by their characters. Far sides write Spanish letters
 * as entities. An unknown entity stays as it came.
 */
export function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|([a-z]{2,6}));/gi, (whole, code?: string, name?: string) => {
    if (code === undefined) return Object.hasOwn(BY_NAME, name!) ? BY_NAME[name!]! : whole;
    const point = Number(code);
    return point > 31 && point < 0xd800 ? String.fromCodePoint(point) : whole;
  });
}
