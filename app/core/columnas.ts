/**
 * A column as a person placed it. In an address, 'fecha.120_-rfc_titulo' puts `fecha` first with 120 px, hides `rfc`
 * and leaves the width of `titulo` to the list. A column without a mention stays where the list has it, so a new column
 * reaches people who chose their columns before.
 */
export type ColumnaElegida = { clave: string; oculta: boolean; ancho: number | null };

/** Limits of a column's width in px. */
export const ANCHO = { min: 48, max: 900 } as const;
const MAX_COLUMNAS = 40;
const UNA = /^(-?)([a-z0-9]{1,40})(?:\.(\d{2,3}))?$/;

/** Returns the name of a column in an address: its header in small letters without accents, spaces or signs. */
export const columnKeyOf = (header: string): string =>
  header
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 40);

/** Returns a width in whole px, brought inside the limits. */
export const fitAncho = (ancho: number): number => Math.min(ANCHO.max, Math.max(ANCHO.min, Math.round(ancho)));

/**
 * Reads the columns of an address. Anybody may have typed the address, so parts without the shape of a column are left
 * out.
 */
export function readColumnas(text: string): ColumnaElegida[] {
  const read = new Map<string, ColumnaElegida>();
  for (const one of text.split('_').slice(0, MAX_COLUMNAS)) {
    const [, oculta, clave, ancho] = UNA.exec(one) ?? [];
    if (clave !== undefined && !read.has(clave))
      read.set(clave, { clave, oculta: oculta === '-', ancho: ancho ? fitAncho(Number(ancho)) : null });
  }
  return [...read.values()];
}

/** Returns the text of an address for these columns; `readColumnas` reads the text back. */
export const writeColumnas = (columnas: ColumnaElegida[]): string =>
  columnas.map(({ clave, oculta, ancho }) => `${oculta ? '-' : ''}${clave}${ancho ? `.${ancho}` : ''}`).join('_');

/** Returns the text with the width of a column changed; a column without a mention is added at the end. */
export function withAncho(text: string, clave: string, ancho: number): string {
  const columnas = readColumnas(text);
  const wide = { clave, oculta: false, ancho: fitAncho(ancho) };
  return writeColumnas(
    columnas.some((one) => one.clave === clave)
      ? columnas.map((one) => (one.clave === clave ? { ...one, ancho: wide.ancho } : one))
      : [...columnas, wide],
  );
}

/**
 * Returns the columns of a list in the order of the text, hidden columns included. Columns without a mention follow the
 * column before them in the list.
 */
export function sortColumnas(claves: string[], text: string): ColumnaElegida[] {
  const placed = readColumnas(text).filter(({ clave }) => claves.includes(clave));
  let before = -1;
  for (const clave of claves) {
    const at = placed.findIndex((one) => one.clave === clave);
    if (at < 0) placed.splice(before + 1, 0, { clave, oculta: false, ancho: null });
    before = at < 0 ? before + 1 : at;
  }
  return placed;
}
