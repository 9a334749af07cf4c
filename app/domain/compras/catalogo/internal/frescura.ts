/** Minutes after which stock counts as none for the marketplaces, where nobody said otherwise. Two reads of a whole catalogue may be missed. */
export const FRESCURA_MIN = 720;
export const FRESCURA_LIMITES = { min: 5, max: 43_200 };

const MINUTO = 60_000;

/** Whether what was read at `de` is older than `minutos`. What nobody knows the moment of is. A moment ahead of now is of now. */
export function isCaducada(de: Date | null, minutos: number, ahora: Date): boolean {
  return de === null || ahora.getTime() - de.getTime() > minutos * MINUTO;
}
