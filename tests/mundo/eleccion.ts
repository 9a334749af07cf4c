/**
 * What a seed turns on. A seed is a choice and not a mixture: rare things are not crowded out where half of the rest is off. The choice draws nothing from the chance of
 * the run.
 */
import { azarOf } from './azar';

/** Kinds of sale and of what happens to one. */
export const TIPOS = [
  ...(['amazon', 'varias', 'envio', 'descuento', 'cupon', 'pagos', 'full'] as const),
  ...(['cancelada', 'devuelta', 'parte', 'pregunta', 'reclamo'] as const),
] as const;
/** Families of faults of the outside, and the death of workers. */
export const FALLAS = ['rechazo', 'corte', 'duda', 'muerte'] as const;
export type Tipo = (typeof TIPOS)[number];
export type Falla = (typeof FALLAS)[number];
export type Eleccion = ReadonlySet<Tipo | Falla>;

/** The seeds from 1 to 5 that turn each on. Two lists of three among five share a seed, so each pair is on in one of them. */
const EN_SEMILLA: Readonly<Record<Tipo | Falla, readonly number[]>> = {
  amazon: [1, 2, 3],
  varias: [1, 2, 4],
  envio: [1, 2, 5],
  descuento: [1, 3, 4],
  cupon: [2, 4, 5],
  pagos: [1, 3, 5],
  full: [1, 4, 5],
  cancelada: [2, 3, 4],
  devuelta: [2, 3, 5],
  parte: [2, 4, 5],
  pregunta: [1, 2, 3],
  reclamo: [3, 4, 5],
  rechazo: [3, 4, 5],
  corte: [2, 3, 4],
  duda: [2, 3, 5],
  muerte: [2, 4, 5],
};
const TODAS = [...TIPOS, ...FALLAS];
const ESCRITAS = 5;

/** Every kind of sale and no fault: what the short form and the demo live. */
export const TODO_TIPO: Eleccion = new Set(TIPOS);

export function eleccionOf(semilla: number): Eleccion {
  if (semilla <= ESCRITAS) return new Set(TODAS.filter((una) => EN_SEMILLA[una].includes(semilla)));
  const azar = azarOf(semilla ^ 0x5eed);
  return new Set(TODAS.filter(() => azar.chance(0.5)));
}
