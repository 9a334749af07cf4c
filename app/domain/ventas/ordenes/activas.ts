import type { Tono } from './estatus';

/** A sale still in preparation: how far back the list of them looks, and from what age on it is late. */
export const DIAS_ACTIVAS = 91;
const HOUR_MS = 3_600_000;
const WARNING_MS = 24 * HOUR_MS;
const DANGER_MS = 48 * HOUR_MS;

/** From which age on it is looked at twice, and late. */
export const PLAZOS_ACTIVA = { aviso: WARNING_MS, mal: DANGER_MS };

type Preparada = { estatus: string; fechaCreacion: Date | string; acordada: boolean };

const ageOf = ({ fechaCreacion }: Pick<Preparada, 'fechaCreacion'>, now: Date | string) =>
  new Date(now).getTime() - new Date(fechaCreacion).getTime();

export function tonoActiva(
  orden: Pick<Preparada, 'fechaCreacion'>,
  now: Date | string,
): Extract<Tono, 'aviso' | 'mal'> | undefined {
  const age = ageOf(orden, now);
  return age >= DANGER_MS ? 'mal' : age >= WARNING_MS ? 'aviso' : undefined;
}

/** A sale in preparation for 48 hours may be called delivered by a person; one whose delivery was agreed with the buyer as soon as it was handed over. */
export function mayBeEntregada(orden: Preparada, now: Date | string): boolean {
  return orden.estatus === 'enPreparacion' && (orden.acordada || ageOf(orden, now) >= DANGER_MS);
}
