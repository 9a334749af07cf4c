/** A fact before and after a change, in the words of the screen. */
export type AntesYAhora = { campo: string; antes: string | null; ahora: string | null };

/** Returns the changes in one line for a notice: 'Precio: $100.00 → $120.00. Stock: 4 → 6.' An unknown value is '—'. */
export const enUnaLinea = (cambios: readonly AntesYAhora[]): string =>
  cambios.map(({ campo, antes, ahora }) => `${campo}: ${antes ?? '—'} → ${ahora ?? '—'}.`).join(' ');
