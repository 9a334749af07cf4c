import { shipmentId, type Sale } from './sale';

/** Which shipments have a label to print, and what it looks like (reference, 5.7 and 5.8). */
const PRINTABLE = ['ready_to_print', 'printed'];

/** Why there is none; undefined when there is. */
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

/** One page for each shipment, the same bytes every time. */
export function labelPdf(sales: readonly Sale[]): Buffer {
  const objects: string[] = [];
  const kids = sales.map((_, n) => `${3 + n * 3} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${sales.length} >>`);
  sales.forEach((sale, n) => {
    const own = 3 + n * 3;
    const text = `BT /F1 18 Tf 40 360 Td (Mercado Envios ${shipmentId(sale.seq)}) Tj 0 -24 Td (${sale.buyer.place.zip} ${ascii(sale.buyer.place.city)}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents ${own + 1} 0 R /Resources << /Font << /F1 ${own + 2} 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    );
  });
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const at = body.length;
    body += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

const ascii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/[()\\]/g, '');
