import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { DIA } from '~/platform/hoy/reloj';
import type { AccionDeReclamo } from '~/domain/mercados/atencion';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Market } from '~/core/market';
import { aQuienes, type Destinatario } from '~/domain/compras/directorio/proveedor';
import type { EstatusReclamo, ResponsableReclamo } from '~db/columns';

export type { EstatusReclamo, ResponsableReclamo };

export const ESTATUS_RECLAMO: Record<EstatusReclamo, string> = { abierto: 'Abierto', cerrado: 'Cerrado' };
export const RESPONSABLE: Record<ResponsableReclamo, string> = {
  vendedor: 'Nos toca a nosotros',
  comprador: 'Le toca al comprador',
  mediador: 'Le toca a Mercado Libre',
};

/** The marketplace's words, of lists that are open: what is not here is shown as it came. */
const TIPOS: Record<string, string> = tableOf({
  mediations: 'Reclamo',
  return: 'Devolución',
  returns: 'Devolución',
  fulfillment: 'Full',
  ml_case: 'Caso de Mercado Libre',
  cancel_sale: 'Cancelación del vendedor',
  cancel_purchase: 'Cancelación del comprador',
  change: 'Cambio',
  replace: 'Reemplazo',
  service: 'Servicio',
});
const RECURSOS: Record<string, string> = tableOf({
  order: 'Orden',
  shipment: 'Envío',
  payment: 'Pago',
  purchase: 'Compra',
});
/** A mediation is a stage, and not the type of that name. */
const ETAPAS: Record<string, string> = tableOf({
  claim: 'Sin mediación',
  dispute: 'Mediación',
  recontact: 'Recontacto',
  stale: 'Detenido',
  none: 'Sin etapa',
});
const ACCIONES: Record<string, string> = tableOf({
  send_message_to_complainant: 'Escribir al comprador',
  send_message_to_mediator: 'Escribir a Mercado Libre',
  send_attachments: 'Mandar archivos',
  refund: 'Devolver el dinero',
  allow_return: 'Aceptar la devolución',
  allow_return_label: 'Aceptar la devolución con etiqueta',
  allow_partial_refund: 'Devolver una parte',
  allow_replace: 'Ofrecer otro igual',
  open_dispute: 'Pedir mediación',
  send_potential_shipping: 'Decir cuándo se envía',
  add_shipping_evidence: 'Probar el envío',
  send_tracking_number: 'Decir la guía',
  return_review: 'Revisar la devolución',
  return_review_ok: 'Aceptar lo devuelto',
  return_review_fail: 'Objetar lo devuelto',
  recontact: 'Recontactar',
});
const said = (words: Record<string, string>) => (word: string | null) =>
  word === null ? '—' : Object.hasOwn(words, word) ? words[word]! : word;
/** The marketplace's words as people read them: '—' for none, and an unknown word as it came. */
export const tipoDe = said(TIPOS);
export const recursoDe = said(RECURSOS);
export const etapaDe = said(ETAPAS);
export const accionDe = said(ACCIONES);

/** Two days before its day a claim is looked at, as its first letter says; of one without a day, its age. */
export const PLAZOS_DE_RECLAMO = { aviso: DIA, mal: 2 * DIA, queda: 2 * DIA };

export const TITULO_RECLAMO = 'Error de actualización.';

/** Returns the marketplace's page of a claim, where people go on with the actions that cannot be done from here. */
export const reclamoUrl = ({ market, marketId }: { market: Market; marketId: string }): string | undefined =>
  MERCADOS[market].reclamoUrl?.(marketId);

/** Tells whether a claim offers one of these actions. */
export const mayDo = (acciones: readonly AccionDeReclamo[], ...cuales: string[]) =>
  acciones.some(({ accion }) => cuales.includes(accion));

/** Actions of the marketplace that can be done from here; people do the others there. */
const DESDE_AQUI = new Set([
  'send_message_to_complainant',
  'send_message_to_mediator',
  'send_attachments',
  'refund',
  'allow_return',
  'allow_return_label',
  'allow_partial_refund',
  'allow_replace',
  'open_dispute',
  'return_review_ok',
  'return_review_fail',
]);
/** Tells whether an action can be done from here; people do the others on the page of the claim. */
export const isFromHere = (accion: string) => DESDE_AQUI.has(accion);

/** The most that a message of a claim may hold. */
export const MAX_MENSAJE = 1_000;

/** Most files of a message, and most MB of a file, that the marketplace takes. */
export const EVIDENCIA = { archivos: 3, MB: 5 } as const;

/** The ways to end a claim from here, in the words that effects store. */
export const RESOLUCIONES = [
  'refund',
  'partial-refund',
  'allow-return',
  'allow-replace',
  'return-review',
  'return-review-fail',
  'open-dispute',
] as const;
export type Resolucion = (typeof RESOLUCIONES)[number];
/** The action of the marketplace that each of them needs. */
export const PIDE: Record<Resolucion, readonly string[]> = {
  refund: ['refund'],
  'partial-refund': ['allow_partial_refund'],
  'allow-return': ['allow_return', 'allow_return_label'],
  'allow-replace': ['allow_replace'],
  'return-review': ['return_review_ok', 'return_review'],
  'return-review-fail': ['return_review_fail'],
  'open-dispute': ['open_dispute'],
};

const QUE: Record<Resolucion, string> = {
  refund: '¿Está seguro que desea devolver el dinero?',
  'partial-refund': '¿Está seguro que desea devolver una parte?',
  'allow-return': '¿Está seguro que desea aceptar la devolución?',
  'allow-replace': '¿Está seguro que desea ofrecer otro igual?',
  'return-review': '¿Está seguro que desea aceptar lo devuelto?',
  'return-review-fail': '¿Está seguro que desea objetar lo devuelto?',
  'open-dispute': '¿Está seguro que desea pedir la mediación de Mercado Libre?',
};

/** The question A before a claim is ended: what it does in pesos. */
export function askResolve({
  resolucion,
  marketId,
  pagado,
  monto,
  costoDevolucion,
}: {
  resolucion: Resolucion;
  marketId: string;
  pagado: Money | null;
  monto: Money | null;
  /** The cost of the return for us; null while it is unknown. */
  costoDevolucion: Money | null;
}) {
  const pesos = (importe: Money) => enPesos(importe.toFixed(2));
  const regreso =
    costoDevolucion === null
      ? 'Mercado Libre todavía no dice lo que nos cuesta la devolución.'
      : `La devolución nos cuesta ${pesos(costoDevolucion)}.`;
  const todo = pagado === null ? 'todo lo que pagó' : pesos(pagado);
  const hechos = {
    refund: `Mercado Libre le devuelve ${todo} al comprador y nos lo cobra. El producto no regresa por este paso.`,
    'partial-refund': `Mercado Libre le devuelve ${monto === null ? 'esa parte' : pesos(monto)} de ${todo} al comprador y nos la cobra. El comprador se queda con el producto.`,
    'return-review': `El producto regresó y está bien: Mercado Libre le devuelve ${todo} al comprador y nos lo cobra. ${regreso}`,
    'return-review-fail': `Mercado Libre revisa lo que se le manda y decide quién se queda con ${todo}. ${regreso}`,
    'allow-replace': `Mercado Libre le ofrece al comprador otro igual. Si lo acepta, se lo mandamos y el dañado regresa; lo que pagó no se devuelve. ${regreso}`,
    'open-dispute': `Mercado Libre decide qué pasa con ${pagado === null ? 'lo que pagó el comprador' : `los ${todo} que pagó el comprador`}. El comprador lo verá, y desde aquí no se puede retirar.`,
    'allow-return': `Cuando el producto regrese, Mercado Libre le devuelve ${todo} al comprador y nos lo cobra. ${regreso}`,
  }[resolucion];
  return { titulo: 'Reclamo', texto: QUE[resolucion], hechos: `Reclamo ${marketId}. ${hechos}`, destruye: true };
}

/** Our names of the reasons for which a return is objected to; one that is not here has Mercado Libre's own. */
const OBJECIONES: Record<string, string> = tableOf({
  SRF2: 'Llegó dañado',
  SRF3: 'Llegó incompleto',
  SRF4: 'No es el producto que se vendió',
  SRF5: 'El paquete no trae el producto',
  SRF6: 'Tiene otro problema',
  SRF7: 'La devolución no ha llegado',
});
export const objecionDe = ({ id, nombre }: { id: string; nombre: string }): string => OBJECIONES[id] ?? nombre;
/** Reasons that Mercado Libre takes with evidence only. */
const CON_EVIDENCIA: ReadonlySet<string> = new Set(['SRF2', 'SRF4']);
export const pideEvidencia = (motivo: string): boolean => CON_EVIDENCIA.has(motivo);

/** The question before a message leaves. */
export const askWrite = (para: 'complainant' | 'mediator', texto: string) => ({
  titulo: 'Enviar mensaje',
  texto:
    para === 'complainant'
      ? '¿Está seguro que desea enviar el mensaje al comprador?'
      : '¿Está seguro que desea enviar el mensaje a Mercado Libre?',
  hechos: texto,
});

/** The plain dialog before a letter: to whom the letter goes, and what it tells them. */
export const askCorreo = (destinatarios: readonly Destinatario[]) => ({
  titulo: 'Enviar correo',
  texto: '¿Está seguro que desea enviar el correo?',
  hechos: [aQuienes(destinatarios), ...(destinatarios.length > 0 ? ['Dice lo que el comprador reclama.'] : [])].join(
    ' ',
  ),
});
