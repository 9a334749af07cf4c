import type { EstadoDeEntrega, TipoDeGancho } from '~db/columns';

export type { EstadoDeEntrega, TipoDeGancho };

/** Kinds of notices. The words are stored, and the API publishes them; the schema has the same list. */
export const TIPOS = [
  'orden.creada',
  'orden.actualizada',
  'factura.timbrada',
  'factura.cancelada',
  'factura.rechazada',
  'pedido.actualizado',
  'pregunta.nueva',
  'reclamo.nuevo',
  'stock.movido',
  'condicion.cambiada',
] as const satisfies readonly TipoDeGancho[];

export const ENTREGA_LABEL: Record<EstadoDeEntrega, string> = {
  pendiente: 'Pendiente',
  entregada: 'Entregada',
  muerta: 'Sin entregar',
};

/** Seconds between a try that failed and the next one; the last one counts for all that follow. */
const PAUSAS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const;
/** Returns the seconds until the try after so many. */
export const pauseAfter = (intentos: number): number => PAUSAS[Math.min(intentos, PAUSAS.length) - 1]!;

/** Returns the seconds for which a receiver is left alone after so many failures on end: few, so that its return is soon noticed. */
export const restAfter = (fallos: number): number => Math.min(5 * 2 ** Math.min(fallos - 1, 10), 300);
