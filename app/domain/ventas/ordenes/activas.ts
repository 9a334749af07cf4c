import { toInstant } from '~/core/time';
import type { Tono } from './estatus';

/** Days that the list of sales in preparation looks back. */
export const DIAS_ACTIVAS = 91;
const HOUR_MS = 3_600_000;
const WARNING_MS = 24 * HOUR_MS;
const DANGER_MS = 48 * HOUR_MS;

/** Ages from which a sale in preparation is a warning, and late. */
export const PLAZOS_ACTIVA = { aviso: WARNING_MS, mal: DANGER_MS };

type Preparada = { estatus: string; fechaCreacion: Date | string; acordada: boolean };

const ageOf = ({ fechaCreacion }: Pick<Preparada, 'fechaCreacion'>, now: Date | string) =>
  toInstant(now).getTime() - toInstant(fechaCreacion).getTime();

/** Returns the tone of a sale in preparation by its age; undefined for a young one. */
export function tonoActiva(
  orden: Pick<Preparada, 'fechaCreacion'>,
  now: Date | string,
): Extract<Tono, 'aviso' | 'mal'> | undefined {
  const age = ageOf(orden, now);
  return age >= DANGER_MS ? 'mal' : age >= WARNING_MS ? 'aviso' : undefined;
}

/** Returns whether a person may call a sale delivered: one in preparation for 48 hours, or at once when its delivery was agreed with the buyer. */
export function mayBeEntregada(orden: Preparada, now: Date | string): boolean {
  return orden.estatus === 'enPreparacion' && (orden.acordada || ageOf(orden, now) >= DANGER_MS);
}

type Salida = Pick<Preparada, 'estatus' | 'acordada'> & {
  envio: { estatus: string; propio: boolean; tipoLogistico: string | null } | null;
};

/** Returns whether a sale is prepared by us: the marketplace does not send it from its own shelves. */
export const isPreparadaAqui = ({
  estatus,
  envio,
}: {
  estatus: string;
  envio: { tipoLogistico: string | null } | null;
}): boolean => estatus === 'enPreparacion' && envio?.tipoLogistico !== 'fulfillment';

/** Returns whether a sale that we prepare can leave: its label is there, or we send it ourselves. The queue 'porEnviar' has the same condition. */
export const isPorEnviar = (orden: Salida): boolean =>
  isPreparadaAqui(orden) &&
  (orden.envio ? orden.envio.estatus === 'ready_to_ship' || orden.envio.propio : !orden.acordada);
