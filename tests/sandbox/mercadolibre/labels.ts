import { pdfOf } from '../paginas';
import { shipmentId, type Sale } from './sale';

/** Labels of shipments: the shipments that have one to print, and its PDF. */
const PRINTABLE = ['ready_to_print', 'printed'];

/** The cause for which a shipment has no label; undefined when it has one. */
export function labelCause({ delivery, history }: Sale): string | undefined {
  const last = history.at(-1);
  if (delivery.mode !== 'me2') return 'INVALID_SHIPMENT_MODE';
  if (delivery.logistic === 'fulfillment') return 'INVALID_SHIPMENT_FF_PUBLIC';
  if (last?.substatus === 'buffered' || last?.substatus === 'invoice_pending') return last.substatus.toUpperCase();
  if (last?.status !== 'ready_to_ship' || !PRINTABLE.includes(last.substatus ?? '')) return 'NOT_PRINTABLE_STATUS';
  return undefined;
}

export const labelWords = (sale: Sale | undefined, cause: string): string =>
  cause === 'NOT_PRINTABLE_STATUS' ? `status is ${sale?.history.at(-1)?.status ?? 'pending'}` : `is ${cause}`;

/** A PDF with a page for each shipment. */
export const labelPdf = (sales: readonly Sale[]): Buffer =>
  pdfOf(
    sales.map((sale) => [`Mercado Envios ${shipmentId(sale.seq)}`, `${sale.buyer.place.zip} ${sale.buyer.place.city}`]),
  );
