import { tableOf } from '~/core/table';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { EstatusOrden, Market, Situacion } from '~db/columns';

/** Label of each state of an orden and of its shipment: our words and those of the marketplaces together. */
export const ESTATUS_LABEL: Readonly<Record<string, string>> = tableOf({
  cobroRequerido: 'Cobro requerido',
  enPreparacion: 'En preparación',
  cobroPendiente: 'Cobro pendiente',
  demorado: 'Demorado',
  enviado: 'Enviado',
  entregado: 'Entregado',
  reclamo: 'Con reclamo',
  cancelado: 'Cancelado',
  autorizandoPago: 'Autorizando pago',
  enviadoPartes: 'Enviado en partes',
  facturaPendiente: 'Pendiente enviar factura',
  pagado: 'Pago asociado',
  enCamino: 'En camino',
  enDevolucion: 'En Devolución',
  devuelto: 'Devuelto',
  enSucursal: 'En Sucursal',
  errorPublicacion: 'Error en AMZ',
  cancelled: 'Cancelado',
  delivered: 'Entregado',
  first_visit: 'Primera visita',
  handling: 'Manejo',
  not_delivered: 'No entregado',
  ready_to_ship: 'Listo para enviar',
  returned: 'Devuelto',
  shipped: 'Enviado',
  pending: 'Pendiente',
});

/** Colour of a state, in the words of the interface (ui/Estatus). */
export type Tono = 'ok' | 'aviso' | 'mal' | 'neutro';

const TONO: Readonly<Record<string, Tono>> = tableOf({
  Cancelado: 'mal',
  'No entregado': 'mal',
  Devuelto: 'mal',
  Entregado: 'ok',
  Enviado: 'ok',
  'Listo para enviar': 'aviso',
});

/** Label in the place of a shipment, for a sale that never has one. */
export const ACORDADA = 'Entrega acordada';

/** Returns the label of a state; 'Sin estatus' for an unknown word. */
export function estatusLabel(code: string | null | undefined): string {
  return (code && ESTATUS_LABEL[code]) || 'Sin estatus';
}

/** Returns the tone of a state; neutral for an unknown word. */
export function estatusTono(code: string | null | undefined): Tono {
  return TONO[estatusLabel(code)] ?? 'neutro';
}

export type EnvioEstado = { estatus: string; subestatus: string | null; propio: boolean };

/**
 * Returns the code that a list shows: that of the shipment where the marketplace ships, with `returned` for a shipment that came back; else that of the
 * orden.
 */
export function estatusVisible(
  orden: { market: Market; estatus: string },
  envio: Pick<EnvioEstado, 'estatus' | 'subestatus'> | null,
): string {
  if (!MERCADOS[orden.market].estatusDelEnvio || !envio || orden.estatus === 'cancelado') return orden.estatus;
  return envio.estatus === 'not_delivered' && envio.subestatus === 'returned' ? 'returned' : envio.estatus;
}

/** Sub-states of a package that has left us: with collection, that is long before the marketplace calls it shipped. */
const LEFT = new Set([
  'picked_up',
  'authorized_by_carrier',
  'in_hub',
  'dropped_off',
  'in_transit',
  'rejected_in_hub',
  'waiting_for_last_mile_authorization',
]);
const BACK = new Set(['returned', 'returned_to_warehouse', 'returned_to_hub', 'returned_to_agency', 'recovered']);
const COMING_BACK = new Set([
  'returning_to_sender',
  'returning_to_warehouse',
  'returning_to_hub',
  'soon_to_be_returned',
  'picked_up_for_return',
  'refused_delivery',
  'waiting_for_withdrawal',
]);
/** States that people give to an orden; a shipment that has not left yet does not take them away. */
const GIVEN: ReadonlySet<EstatusOrden> = new Set<EstatusOrden>([
  'cobroRequerido',
  'demorado',
  'entregado',
  'reclamo',
  'enviadoPartes',
  'facturaPendiente',
  'pagado',
  'enCamino',
  'enDevolucion',
  'devuelto',
  'enSucursal',
]);

/** Returns our state of a sale. `situacion` says whether the sale lives and is paid, the shipment how far it got; `previous` is the stored state. */
export function estatusOf(
  situacion: Situacion,
  envio: EnvioEstado | null,
  previous: EstatusOrden | null,
): EstatusOrden {
  if (situacion === 'cancelada') return 'cancelado';
  if (situacion === 'autorizandoPago' || situacion === 'cobroPendiente') return situacion;
  const delivery = envio && estatusOfEnvio(envio);
  return delivery ?? (previous !== null && GIVEN.has(previous) ? previous : 'enPreparacion');
}

function estatusOfEnvio({ estatus, subestatus }: EnvioEstado): EstatusOrden | null {
  if (estatus === 'delivered') return 'entregado';
  if (estatus === 'shipped') return 'enviado';
  if (estatus === 'ready_to_ship' && subestatus === 'partially_shipped') return 'enviadoPartes';
  if (estatus === 'ready_to_ship' && subestatus !== null && LEFT.has(subestatus)) return 'enviado';
  if (estatus !== 'not_delivered') return null;
  if (subestatus !== null && BACK.has(subestatus)) return 'devuelto';
  return subestatus !== null && COMING_BACK.has(subestatus) ? 'enDevolucion' : 'not_delivered';
}

/** Progress of the words that people give to a package of ours, to be compared with `AVANCE` of the marketplace's words. */
const DADO: Readonly<Record<string, number>> = tableOf({
  enPreparacion: 0,
  enCamino: 1,
  enSucursal: 1,
  entregado: 2,
  enDevolucion: 3,
  devuelto: 3,
});
const AVANCE: Readonly<Record<string, number>> = tableOf({
  pending: 0,
  handling: 0,
  ready_to_ship: 0,
  shipped: 1,
  delivered: 2,
  not_delivered: 3,
});

/** Returns whether a person's word about a package of ours stands against the marketplace's: the word stands unless the marketplace knows more. */
export function keepsWord(dado: string, incoming: string): boolean {
  const given = DADO[dado];
  return given !== undefined && given >= (AVANCE[incoming] ?? Infinity);
}
