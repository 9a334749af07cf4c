const POR_NOMBRE: Readonly<Record<string, string>> = {
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
};

/** Text as people read it, where a far side writes the letters of Spanish by their names or numbers. An entity nobody knows stays as it came. */
export function sinEntidades(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|([a-z]{2,6}));/gi, (whole, code?: string, name?: string) => {
    if (code === undefined) return Object.hasOwn(POR_NOMBRE, name!) ? POR_NOMBRE[name!]! : whole;
    const point = Number(code);
    return point > 31 && point < 0xd800 ? String.fromCodePoint(point) : whole;
  });
}
