/** What is known of a promise in a stretch: how many events there were, how many kept it, and the worst of them. */
export type Tramo = { cuantas: number; cumplidas: number; peor: Peor | null };
/** An event of a promise: how many seconds it took or has waited, and the screen that shows it. */
export type Peor = { segundos: number; abierta: boolean; en: Date; pantalla: string | null };

/**
 * `cumple`: what happened was in time. `falla`: too much of it was late. `falta`: nothing happened where something happens each day, which fails too.
 * `calla`: nothing happened, and nothing had to. `desconocida`: it could not be read.
 */
export type Juicio = 'cumple' | 'falla' | 'falta' | 'calla' | 'desconocida';

/** Of so many events one may be late. A shop has few events, so a single late one of fifty is told. */
const UNA_DE = 100;
/** With an event on each of so many days before, a day without one is no accident. */
export const DIAS_SEGUIDOS = 7;

/** Judges the last day of a promise by its events. `seguidos` counts the days with events among those before the last; null when nothing could be read. */
export function judgePromesa(dia: Pick<Tramo, 'cuantas' | 'cumplidas'> | null, seguidos: number): Juicio {
  if (dia === null) return 'desconocida';
  if (dia.cuantas === 0) return seguidos >= DIAS_SEGUIDOS ? 'falta' : 'calla';
  return dia.cuantas - dia.cumplidas > Math.floor(dia.cuantas / UNA_DE) ? 'falla' : 'cumple';
}

/** Whether a promise is not kept, as far as anybody can know. */
export const esFalla = (juicio: Juicio): boolean => juicio !== 'cumple' && juicio !== 'calla';
