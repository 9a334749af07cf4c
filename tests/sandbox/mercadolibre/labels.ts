import { crc32 } from 'node:zlib';
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

/** The ZPL of some shipments, a label each. */
export const labelZpl = (sales: readonly Sale[]): Buffer =>
  Buffer.from(
    sales
      .map(
        (sale) =>
          `^XA^CI28^FO40,40^A0N,36,36^FDMercado Envios ${shipmentId(sale.seq)}^FS^FO40,90^A0N,28,28^FD${sale.buyer.place.city}^FS^XZ\n`,
      )
      .join(''),
  );

/** A ZIP of files as they are, without compression. */
export function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), bytes]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, entry, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
