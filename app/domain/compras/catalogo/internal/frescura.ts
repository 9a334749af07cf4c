/**
 * Minutes after which stock counts as none for the marketplaces, unless somebody chose otherwise. Two reads of a whole catalogue may fail within
 * them.
 */
export const FRESCURA_MIN = 720;
/** Minutes that a person may choose. */
export const FRESCURA_LIMITES = { min: 5, max: 43_200 };

const MINUTO = 60_000;

/** Tells whether a read of `de` is older than `minutos`. An unknown moment counts as too old, and a moment in the future as now. */
export function isCaducada(de: Date | null, minutos: number, ahora: Date): boolean {
  return de === null || ahora.getTime() - de.getTime() > minutos * MINUTO;
}
