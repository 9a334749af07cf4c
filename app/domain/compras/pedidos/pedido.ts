import type { EstadoDePedido, ViaDePedido } from '~db/columns';
import { enLinea, enumerate, hechosOf } from '~/core/hechos';
import type { Question } from '~/core/fieldRules';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';

export type { EstadoDePedido, ViaDeGuia, ViaDePedido } from '~db/columns';

/** In the order a pedido goes through them; the last three end it without the goods. */
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

/** Where each may go next. The database has the same steps (`pedido_paso`) and refuses any other. */
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

export const mayPass = (de: EstadoDePedido, a: EstadoDePedido): boolean => PASOS[de].includes(a);

/** Ended without the goods: the sale may be ordered again. In SQL: the condition of `pedido_vivo`. */
export const MUERTOS = ['cancelado', 'rechazado', 'vencido'] as const satisfies readonly EstadoDePedido[];
export const isVivo = (estado: EstadoDePedido): boolean => !MUERTOS.some((one) => one === estado);

/** It waits for a person: to be bought, to be confirmed, to be cleared up, or to be taken off the list. In SQL: the condition of `pedido_by_confirmar`. */
export const POR_CONFIRMAR = [
  'borrador',
  'enviando',
  'incierto',
  'solicitado',
  'rechazado',
  'vencido',
] as const satisfies readonly EstadoDePedido[];

/** The agreed titles and texts. */
export const ERROR_CONFIRMAR = 'Error confirmar el pedido o enviar la guia.';
export const ERROR_QUITAR = 'Error al eliminar de la lista.';
export const CONFIRMADO = 'Se realizo al confirmacion.';
export const QUITADO = 'Se elimino de forma correcta.';

/** What decides what a row of the list offers. */
type Fila = {
  estado: EstadoDePedido;
  via: ViaDePedido;
  errores: readonly string[];
  envio: string | null;
};

/** The supplier objects to it, or it ended without the goods: nothing is left to confirm, and it may be taken off the list. */
export const conError = ({ estado, errores }: Pick<Fila, 'estado' | 'errores'>): boolean =>
  errores.length > 0 || estado === 'rechazado' || estado === 'vencido';

/** 'Confirmar pedido': of a sale with a shipment, what was not bought yet, and what waits there for its second step. */
export const mayConfirm = (fila: Fila): boolean =>
  !conError(fila) &&
  fila.envio !== null &&
  (fila.estado === 'borrador' || (fila.estado === 'solicitado' && fila.via === 'api'));

/** A borrador never left; of what the supplier may have, only what it objects to or what ended is taken off. */
export const mayRemove = (fila: Pick<Fila, 'estado' | 'errores'>): boolean =>
  conError(fila) || fila.estado === 'borrador';

type Dinero = { costo: Money | null; recibe: Money; pagado: Money };

function quedaOf({ costo, recibe, pagado }: Dinero): { queda: Money; parte: string } | null {
  if (costo === null) return null;
  const queda = recibe.minus(costo);
  const parte = pagado.isZero() ? null : Money.ofMicros((queda.micros * 1_000_000n) / pagado.micros).times(100);
  return { queda, parte: parte === null ? '' : ` (${parte.toFixed(1)} %)` };
}

const sinSigno = (importe: Money) => enPesos(importe.toFixed(2).replace('-', ''));

/** What a purchase leaves, in words: 'quedan $64.00 (27.6 %)'. */
export function loQueQueda(dinero: Dinero): string | null {
  const dicho = quedaOf(dinero);
  return dicho && `${dicho.queda.isNegative() ? 'se pierden' : 'quedan'} ${sinSigno(dicho.queda)}${dicho.parte}`;
}

/** In a row: '$64.00 (27.6 %)'. */
export function quedaEnBreve(dinero: Dinero): string | null {
  const dicho = quedaOf(dinero);
  return dicho && `${dicho.queda.isNegative() ? '-' : ''}${sinSigno(dicho.queda)}${dicho.parte}`;
}

type Preguntado = {
  folio: string;
  proveedorLabel: string;
  numOrden: string;
  piezas: number;
  dinero: Dinero;
  avisos?: readonly string[];
};

/** The question before a purchase, with supplier, pieces, cost and margin. */
export const askConfirm = (pedido: Preguntado): Question => ({
  titulo: 'Confirmar pedido',
  texto: '¿Está seguro que desea confirmar el pedido?',
  hechos: hechosOfCompra(`${pedido.folio} a ${pedido.proveedorLabel}`, pedido),
});

/** What of it leaves at once, and what waits as a draft, is the supplier's way: both are asked alike. */
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

export const askSupply = (folios: readonly string[]): Question => ({
  titulo: 'Surtir con stock interno',
  texto: '¿Está seguro que desea surtir la venta con el stock interno?',
  hechos: `${enumerate(folios)} ${folios.length === 1 ? 'queda vendida' : 'quedan vendidas'} en ella.`,
});
