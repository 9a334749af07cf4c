import { CLASES_MS, claseOf } from '~/core/histograma';
import { measureVital } from './metrics.server';

/** Counts by class of each vital, by 'screen device vital'. */
let counted: Record<string, number[]> = {};

/** Counts one measure of a page. `pantalla` is the key of a screen, so there are few. */
export function noteVital(pantalla: string, dispositivo: string, vital: string, valor: number): void {
  const cuenta = (counted[`${pantalla} ${dispositivo} ${vital}`] ??= CLASES_MS.map(() => 0).concat(0));
  cuenta[claseOf(valor)]!++;
  measureVital({ screen: pantalla, device: dispositivo, vital }, valor);
}

/** Returns what was counted since the last call; undefined for nothing. */
export function takeVitales(): Record<string, number[]> | undefined {
  const taken = counted;
  counted = {};
  return Object.keys(taken).length > 0 ? taken : undefined;
}
