import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import QRCode from 'qrcode';
import { pdfOf } from './constancia';

/** What the code of a constancia says. */
export const codigoDe = (idCif: string, rfc: string) =>
  `https://siat.sat.gob.mx/app/qr/faces/pages/mobile/validadorqr.jsf?D1=10&D2=1&D3=${idCif}_${rfc}`;

/** The code as the SAT's own file has it: without any margin. */
export const qrPng = (says: string) => QRCode.toBuffer(says, { margin: 0, width: 150 });

/** A constancia that was scanned: pictures on a page, and no text. */
export async function escaneada(...says: string[]): Promise<Buffer> {
  const codes = await Promise.all(says.map(qrPng));
  return pdfOf((doc) => {
    for (const [at, code] of codes.entries()) doc.image(code, 60 + at * 200, 60, { width: 80 });
  });
}

/** A page on a table, taken by hand: askew, soft and with noise. Its code is MARIA's. */
export const FOTO = fileURLToPath(new URL('files/constancia.jpg', import.meta.url));

export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Picture = {
  side: number;
  depth: 1 | 4 | 8 | 16;
  kind: 0 | 2 | 3 | 4 | 6;
  dark: (x: number, y: number) => boolean;
};

/** A square PNG in two shades, in one of the ways the format allows; its rows take turns with the five filters. */
export function pngOf({ side, depth, kind, dark }: Picture): Buffer {
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[kind];
  const row = Math.ceil((side * samples * depth) / 8);
  const step = Math.max(1, (samples * depth) >> 3);
  const most = kind === 3 ? 1 : 2 ** Math.min(depth, 8) - 1;
  const rows: Buffer[] = [];
  let above: Buffer = Buffer.alloc(row);
  for (let y = 0; y < side; y++) {
    const filter = y % 5;
    const own = Buffer.alloc(row);
    for (let x = 0; x < side; x++)
      for (let sample = 0; sample < samples; sample++) {
        // What is dark is also there; what is light is clear where the kind knows of that.
        const alpha = (kind === 4 || kind === 6) && sample === samples - 1;
        const value = alpha === dark(x, y) ? most : 0;
        const bit = (x * samples + sample) * depth;
        own[bit >> 3]! |= depth >= 8 ? value : value << (8 - depth - (bit & 7));
      }
    const packed = own.map(
      (value, at) =>
        value - guess(filter, at >= step ? own[at - step]! : 0, above[at]!, at >= step ? above[at - step]! : 0),
    );
    rows.push(Buffer.from([filter]), Buffer.from(packed));
    above = own;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([depth, kind], 8);
  return Buffer.concat([
    PNG,
    chunk('IHDR', header),
    ...(kind === 3 ? [chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))] : []),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** With a sum that nobody looks at. */
export function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4);
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

function guess(filter: number, left: number, above: number, corner: number): number {
  const near = [left, above, corner];
  const plane = left + above - corner;
  const paeth = near.reduce((best, one) => (Math.abs(plane - one) < Math.abs(plane - best) ? one : best));
  return [0, left, above, (left + above) >> 1, paeth][filter]!;
}
