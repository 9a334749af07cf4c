import type { Papel } from './pieza';

/** Papers of a label printer, one label after another. */
export const PAPELES_DE_ROLLO = ['rollo50', 'rollo62'] as const satisfies Papel[];
export type PapelDeRollo = (typeof PAPELES_DE_ROLLO)[number];
export const isDeRollo = (papel: Papel): papel is PapelDeRollo => PAPELES_DE_ROLLO.some((one) => one === papel);
