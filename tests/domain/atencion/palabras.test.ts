import { expect, test } from 'vitest';
import {
  destinoDe,
  devolucionDe,
  dineroDe,
  enRevision,
  envioDeDevolucion,
  motivoDeCierre,
  papelDe,
} from '~/domain/atencion/reclamos/palabrasDeReclamo';
import { faltaLlenar } from '~/domain/atencion/preguntas/plantilla';
import { accionDe, isFromHere } from '~/domain/atencion/reclamos/reclamo';
import { estadoOf } from '~/domain/mercados/ml/internal/estados';

/** As its documentation lists them. */
const DEL_MERCADO = {
  devolucionDe: [
    devolucionDe,
    'pending_cancel pending failed shipped pending_delivered return_to_buyer pending_expiration scheduled pending_failure label_generated cancelled not_delivered expired delivered',
  ],
  dineroDe: [dineroDe, 'retained refunded available'],
  envioDeDevolucion: [envioDeDevolucion, 'pending ready_to_ship shipped delivered not_delivered cancelled'],
  destinoDe: [destinoDe, 'seller_address warehouse'],
  etapaDeRevision: [enRevision.etapa, 'closed pending seller_review_pending timeout'],
  resultadoDeRevision: [enRevision.resultado, 'success failed'],
  dichoDeRevision: [enRevision.dicho, 'pending success failed claimed'],
  productoDevuelto: [enRevision.producto, 'saleable unsaleable discard missing'],
  quedaCon: [enRevision.queda, 'meli buyer seller'],
  favoreceA: [enRevision.favorece, 'both buyer seller'],
  papelDe: [papelDe, 'complainant respondent mediator purchase buyer seller internal sender receiver'],
  accionDe: [
    accionDe,
    'send_message_to_complainant send_message_to_mediator send_attachments refund allow_return allow_return_label allow_partial_refund open_dispute send_potential_shipping add_shipping_evidence send_tracking_number return_review return_review_ok return_review_fail recontact',
  ],
  motivoDeCierre: [
    motivoDeCierre,
    'already_shipped buyer_claim_opened buyer_dispute_opened charged_back coverage_decision found_missing_parts item_returned no_bpp not_delivered opened_claim_by_mistake partial_refunded payment_refunded prefered_to_keep_product product_delivered reimbursed rep_resolution respondent_timeout return_canceled return_expired seller_asked_to_close_claim seller_did_not_help seller_explained_functions seller_sent_product timeout warehouse_decision warehouse_timeout worked_out_with_seller low_cost item_changed change_expired change_cancelled_buyer change_cancelled_seller change_cancelled_meli shipment_not_stopped cancel_installation',
  ],
} as const;

test.each(Object.entries(DEL_MERCADO))('%s tells every word of the marketplace in ours', (_, [dice, words]) => {
  for (const word of words.split(' ')) expect(dice(word), word).toMatch(/^[A-ZÁa][^_]+$/);
  // Its lists are open, and no word of a language is one of theirs.
  for (const word of ['brand_new', 'constructor', '__proto__']) expect(dice(word)).toBe(word);
});

test('what is offered and not done from here says where it is done', () => {
  expect(isFromHere('refund')).toBe(true);
  expect(isFromHere('open_dispute')).toBe(true);
  expect(isFromHere('return_review_fail')).toBe(true);
  expect(isFromHere('send_tracking_number')).toBe(false);
});

test('a state comes as its code or as its name', () => {
  expect(['MX-GUA', 'MX-DIF', 'Nayarit', 'MX-constructor'].map(estadoOf)).toEqual([
    'Guanajuato',
    'Ciudad de México',
    'Nayarit',
    'MX-constructor',
  ]);
});

test('a text with gaps names them, and braces of its own are no gap', () => {
  expect(faltaLlenar('El { modelo } y el {sku}, {modelo}')).toBe('Falta llenar { modelo }, {sku}, {modelo}.');
  expect(faltaLlenar('Cabe en {2 x 4} y en {caja}')).toBeNull();
});
