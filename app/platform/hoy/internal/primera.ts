import { DIA, HORA } from '../reloj';

/**
 * What becomes of a thing that nobody sees to. `plazo`: the clock of somebody else runs out, and a right is lost. `dinero`: money is being lost. `comprador`: a
 * buyer waits. `tarea`: a chore, which the rest of the shop bears for a while.
 */
export type Clase = 'plazo' | 'dinero' | 'comprador' | 'tarea';

/** A thing that waits: the instant from which it is late, in ms, and the end of its clock where it has one. */
export type Espera = { clase: Clase; limite: number; vence: Date | null };

/** How near the end of a clock is before it goes before all else. */
const CERCA_MS = 48 * HORA;
/** A thing that is late for longer than this has done its harm, and goes behind all that has not. */
export const ATRASADA_MS = 14 * DIA;

/**
 * A clock that can still be met, money, a buyer, a chore, what is late by weeks. A clock that ran out leaves a buyer who waits; one that is far off is a
 * chore until it is near.
 */
function rangoOf({ clase, vence, limite }: Espera, ahora: number): number {
  if (ahora - limite > ATRASADA_MS) return 4;
  if (clase === 'dinero') return 1;
  if (clase === 'comprador') return 2;
  if (clase === 'tarea') return 3;
  const queda = vence === null ? -Infinity : vence.getTime() - ahora;
  return queda <= 0 ? 2 : queda <= CERCA_MS ? 0 : 3;
}

/** Orders two things by what weighs more: less than 0 when `a` goes first. Of one rank, the one that is or was late first. */
export function comparePeso(a: Espera, b: Espera, ahora: number): number {
  return rangoOf(a, ahora) - rangoOf(b, ahora) || a.limite - b.limite;
}
