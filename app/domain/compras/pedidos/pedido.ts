import type { EstadoDePedido, ViaDePedido } from '~db/columns';
import { enLinea, enumerate, hechosOf } from '~/core/hechos';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { quedaOf } from '~/domain/ventas/ordenes/queda';

export type { EstadoDePedido, ViaDeGuia, ViaDePedido } from '~db/columns';

/** States in the order in which a pedido passes them. The last three end it without the goods. */
export const ESTADOS = [
  'borrador',
  'enviando',
  'incierto',
  'solicitado',
  'confirmado',
  'facturado',
  'guiaEnviada',
  'enviado',
  'cancelado',
  'rechazado',
  'vencido',
] as const satisfies readonly EstadoDePedido[];

/** Texts of the states. */
export const ESTADO_LABEL: Readonly<Record<EstadoDePedido, string>> = {
  borrador: 'Por pedir',
  enviando: 'Enviando',
  incierto: 'Por aclarar',
  solicitado: 'Por confirmar',
  confirmado: 'Confirmado',
  facturado: 'Facturado',
  guiaEnviada: 'Guía enviada',
  enviado: 'Enviado',
  cancelado: 'Cancelado',
  rechazado: 'Rechazado',
  vencido: 'Vencido',
};

/** States that may follow each state. The database has the same steps (`pedido_paso`) and refuses any other. */
export const PASOS: Readonly<Record<EstadoDePedido, readonly EstadoDePedido[]>> = {
  borrador: ['enviando', 'cancelado'],
  enviando: ['incierto', 'solicitado', 'confirmado', 'rechazado'],
  incierto: ['enviando', 'solicitado', 'confirmado', 'rechazado'],
  solicitado: ['confirmado', 'facturado', 'cancelado', 'rechazado', 'vencido'],
  confirmado: ['facturado', 'cancelado'],
  facturado: ['guiaEnviada', 'enviado', 'cancelado'],
  guiaEnviada: ['enviado', 'cancelado'],
  enviado: [],
  cancelado: [],
  rechazado: [],
  vencido: [],
};

/** Tells whether a pedido may go from one state to another. */
export const mayPass = (de: EstadoDePedido, a: EstadoDePedido): boolean => PASOS[de].includes(a);

/** States that end a pedido without the goods, so that the sale may be ordered again. The index `pedido_vivo` has the same condition. */
export const MUERTOS = ['cancelado', 'rechazado', 'vencido'] as const satisfies readonly EstadoDePedido[];
/** Tells whether a pedido is not dead. */
export const isVivo = (estado: EstadoDePedido): boolean => !MUERTOS.some((one) => one === estado);

/** States in which a pedido waits for a person. The index `pedido_by_confirmar` has the same condition. */
export const POR_CONFIRMAR = [
  'borrador',
  'enviando',
  'incierto',
  'solicitado',
  'rechazado',
  'vencido',
] as const satisfies readonly EstadoDePedido[];

/** States in which a supplier holds the pedido, or may hold it, and has not sent the goods: it can still be cancelled there. */
export const EN_EL_PROVEEDOR = [
  'enviando',
  'incierto',
  'solicitado',
  'confirmado',
  'facturado',
  'guiaEnviada',
] as const satisfies readonly EstadoDePedido[];

/** Title of a refusal to confirm. These four texts are agreed word for word. */
export const ERROR_CONFIRMAR = 'Error confirmar el pedido o enviar la guia.';
/** Title of a refusal to take a pedido off the list. */
export const ERROR_QUITAR = 'Error al eliminar de la lista.';
/** Notices after a press that the supplier took: of a confirmation, and of a pedido that needs none. */
const CONFIRMADO = 'Se realizo al confirmacion.';
const HECHO = 'Se hizo el pedido.';
const CREADO = 'Pedido creado. Falta confirmarlo.';

/**
 * Returns what is so after a press that buys. A notice that something was done is for what the supplier took, and for nothing else; `hizo` tells that
 * the press made the pedido.
 */
export function dichoOfPedido({
  estado,
  via,
  venceEn,
  proveedorLabel,
  hizo = false,
  enCamino = false,
}: Pick<Fila, 'estado' | 'via' | 'venceEn'> & { proveedorLabel: string; hizo?: boolean; enCamino?: boolean }) {
  if (estado === 'borrador') return CREADO;
  // A confirmation without an answer yet was pressed: nobody is told to confirm once more.
  if (estado === 'enviando' || estado === 'incierto' || (enCamino && esperaSegundoPaso({ estado, via, venceEn })))
    return `El pedido va en camino a ${proveedorLabel}: Ordenes por confirmar dice cómo queda.`;
  if (estado === 'solicitado' && via === 'correo')
    return `Se envio el correo a ${proveedorLabel}. Falta guardar el folio de su respuesta.`;
  if (esperaSegundoPaso({ estado, via, venceEn })) return CREADO;
  return hizo ? HECHO : CONFIRMADO;
}
/** Notice after a pedido was taken off the list. */
export const QUITADO = 'Se elimino de forma correcta.';

/** Facts that decide which buttons a row of the list offers. */
type Fila = {
  estado: EstadoDePedido;
  via: ViaDePedido;
  errores: readonly string[];
  envio: string | null;
  /** End of the time that the supplier waits for a second step; null where an order is firm at once. */
  venceEn: Date | string | null;
};

/** Tells whether an order lapses at the supplier unless somebody confirms it. An order without such an end is firm. */
export const esperaSegundoPaso = ({ estado, via, venceEn }: Pick<Fila, 'estado' | 'via' | 'venceEn'>): boolean =>
  estado === 'solicitado' && via === 'api' && venceEn !== null;

/** Tells whether the supplier objects to the pedido, or it ended without the goods. Nothing is left to confirm then, and it may be taken off the list. */
export const conError = ({ estado, errores }: Pick<Fila, 'estado' | 'errores'>): boolean =>
  errores.length > 0 || estado === 'rechazado' || estado === 'vencido';

/** Tells whether 'Confirmar pedido' is offered: for a sale with a shipment, on drafts and on orders that wait for their second step. */
export const mayConfirm = (fila: Fila): boolean =>
  !conError(fila) && fila.envio !== null && (fila.estado === 'borrador' || esperaSegundoPaso(fila));

/** Tells whether a pedido may be taken off the list: a draft never left. Of the pedidos that the supplier may have, only objected or ended ones. */
export const mayRemove = (fila: Pick<Fila, 'estado' | 'errores'>): boolean =>
  conError(fila) || fila.estado === 'borrador';

type Dinero = {
  costo: Money | null;
  recibe: Money;
  pagado: Money;
  /** A part of `recibe` is estimated. */ estimado: boolean;
};

/** Why an amount is marked ≈. */
export const ESTIMADO = 'estimado: todavía no se sabe la comisión, lo que retiene el mercado o el costo del envío';

function dichoOf({ costo, recibe, pagado }: Dinero): { queda: Money; parte: string } | null {
  if (costo === null) return null;
  const { queda, margen } = quedaOf({ pagado, recibe, costo });
  return { queda, parte: pagado.isZero() ? '' : ` (${margen.times(100).toFixed(1)} %)` };
}

/** Tells whether a purchase leaves a loss. */
export const sePierde = (dinero: Dinero): boolean => dichoOf(dinero)?.queda.isNegative() ?? false;

const casi = ({ estimado }: Pick<Dinero, 'estimado'>) => (estimado ? '≈ ' : '');
const sinSigno = (importe: Money) => enPesos(importe.toFixed(2).replace('-', ''));

/** Returns the money that a purchase leaves, in words: 'quedan $64.00 (27.6 %)'. Null when the cost is unknown. */
export function loQueQueda(dinero: Dinero): string | null {
  const dicho = dichoOf(dinero);
  return (
    dicho &&
    `${dicho.queda.isNegative() ? 'se pierden' : 'quedan'} ${casi(dinero)}${sinSigno(dicho.queda)}${dicho.parte}`
  );
}

/** Returns the same for a cell: '$64.00 (27.6 %)'. */
export function quedaEnBreve(dinero: Dinero): string | null {
  const dicho = dichoOf(dinero);
  return dicho && `${casi(dinero)}${dicho.queda.isNegative() ? '-' : ''}${sinSigno(dicho.queda)}${dicho.parte}`;
}

type Preguntado = {
  folio: string;
  proveedorLabel: string;
  numOrden: string;
  piezas: number;
  dinero: Dinero;
  avisos?: readonly string[];
};

/** Returns the question before a purchase, with supplier, pieces, cost and margin. */
export const askConfirm = (pedido: Preguntado): Question => ({
  titulo: 'Confirmar pedido',
  texto: '¿Está seguro que desea confirmar el pedido?',
  hechos: hechosOfCompra(`${pedido.folio} a ${pedido.proveedorLabel}`, pedido),
});

/** Returns the question before a pedido is made. The same question serves suppliers where it leaves at once and those where it waits as a draft. */
export const askMake = (pedido: Preguntado): Question => ({
  titulo: 'Hacer pedido',
  texto: '¿Está seguro que desea hacer el pedido?',
  hechos: hechosOfCompra(`A ${pedido.proveedorLabel}`, pedido),
});

function hechosOfCompra(que: string, { numOrden, piezas, dinero, avisos = [] }: Preguntado): string | undefined {
  const { costo } = dinero;
  return hechosOf(
    `${enLinea(
      que,
      `venta ${numOrden}`,
      piezas === 1 ? '1 pieza' : `${piezas} piezas`,
      costo === null ? 'costo por conocer' : `costo ${enPesos(costo.toFixed(2))} con IVA`,
      loQueQueda(dinero),
    )}.`,
    ...avisos,
  );
}

/** Returns the question before a pedido is taken off the list. */
export function askRemove({
  folio,
  proveedorLabel,
  numOrden,
  costo,
}: Pick<Preguntado, 'folio' | 'proveedorLabel' | 'numOrden'> & { costo: Money | null }): Question {
  return {
    titulo: 'Quitar de la lista',
    texto: '¿Está seguro que desea eliminar la orden de la lista?',
    hechos: `${enLinea(`${folio} a ${proveedorLabel}`, `venta ${numOrden}`, costo && enPesos(costo.toFixed(2)))}.`,
    destruye: true,
  };
}

/** Returns the question before a sale is served from our own stock. */
export const askSupply = (folios: readonly string[]): Question => ({
  titulo: 'Surtir con stock interno',
  texto: '¿Está seguro que desea surtir la venta con el stock interno?',
  hechos: `${enumerate(folios)} ${folios.length === 1 ? 'queda vendida' : 'quedan vendidas'} en ella.`,
});
