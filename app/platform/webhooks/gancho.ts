import type { EstadoDeEntrega, TipoDeGancho } from '~db/columns';

export type { EstadoDeEntrega, TipoDeGancho };

export const TIPOS = [
  'orden.creada',
  'orden.actualizada',
  'factura.timbrada',
  'factura.cancelada',
  'pedido.actualizado',
  'pregunta.nueva',
  'reclamo.nuevo',
  'stock.movido',
] as const satisfies readonly TipoDeGancho[];

export const ENTREGA_LABEL: Record<EstadoDeEntrega, string> = {
  pendiente: 'Pendiente',
  entregada: 'Entregada',
  muerta: 'Sin entregar',
};

/** How long after a try that failed the next one comes, in seconds; the last one counts for all that follow. */
const PAUSAS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const;
export const pausaTras = (intentos: number): number => PAUSAS[Math.min(intentos, PAUSAS.length) - 1]!;

/** How long a receiver that failed so often on end is left alone, in seconds: less than any of its deliveries, so that its coming back is soon noticed. */
export const descansoTras = (fallos: number): number => Math.min(5 * 2 ** Math.min(fallos - 1, 10), 300);
