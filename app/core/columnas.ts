/**
 * How somebody wants the columns of a list: 'fecha.120_-rfc_titulo' is the first 120 px wide, the second out of sight and the third as it
 * comes. A column that is not named stays where the list has it, so that a new one is not lost to those who chose before it.
 */
export type ColumnaElegida = { clave: string; oculta: boolean; ancho: number | null };

export const ANCHO = { min: 48, max: 900 } as const;
const MAX_COLUMNAS = 40;
const UNA = /^(-?)([a-z0-9]{1,40})(?:\.(\d{2,3}))?$/;

/** What a column is called in an address: its header without accents, spaces or signs. */
export const columnKeyOf = (header: string): string =>
  header
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 40);

export const anchoJusto = (ancho: number): number => Math.min(ANCHO.max, Math.max(ANCHO.min, Math.round(ancho)));

/** Read from an address that anyone may have typed: what is no column is left out. */
export function readColumnas(text: string): ColumnaElegida[] {
  const read = new Map<string, ColumnaElegida>();
  for (const one of text.split('_').slice(0, MAX_COLUMNAS)) {
    const [, oculta, clave, ancho] = UNA.exec(one) ?? [];
    if (clave !== undefined && !read.has(clave))
      read.set(clave, { clave, oculta: oculta === '-', ancho: ancho ? anchoJusto(Number(ancho)) : null });
  }
  return [...read.values()];
}

export const writeColumnas = (columnas: ColumnaElegida[]): string =>
  columnas.map(({ clave, oculta, ancho }) => `${oculta ? '-' : ''}${clave}${ancho ? `.${ancho}` : ''}`).join('_');

/** The same with one column so wide. */
export function conAncho(text: string, clave: string, ancho: number): string {
  const columnas = readColumnas(text);
  const wide = { clave, oculta: false, ancho: anchoJusto(ancho) };
  return writeColumnas(
    columnas.some((one) => one.clave === clave)
      ? columnas.map((one) => (one.clave === clave ? { ...one, ancho: wide.ancho } : one))
      : [...columnas, wide],
  );
}

/** The columns of a list in the order somebody wants them, those out of sight included. */
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
