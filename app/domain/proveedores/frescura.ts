/** Minutes after which stock counts as none for the marketplaces, where nobody said otherwise. Two reads of a whole catalogue may be missed. */
export const FRESCURA_MIN = 720;
export const FRESCURA_LIMITES = { min: 5, max: 43_200 };

const MINUTO = 60_000;

/** Whether what was read at `de` is older than `minutos`. What nobody knows the moment of is. A moment ahead of now is of now. */
export function isCaducada(de: Date | null, minutos: number, ahora: Date): boolean {
  return de === null || ahora.getTime() - de.getTime() > minutos * MINUTO;
}

export type ParaMercados = {
  existencia: number | null;
  existenciaDe: Date | null;
  /** It says that it sells it, and lists it. */
  seVende: boolean;
};

/** The pieces that a marketplace may be told of. What is not known, or known too long ago, is none. */
export function piezasParaMercados(
  { existencia, existenciaDe, seVende }: ParaMercados,
  minutos: number,
  ahora: Date,
): number {
  return !seVende || existencia === null || isCaducada(existenciaDe, minutos, ahora) ? 0 : existencia;
}
