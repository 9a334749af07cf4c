import { crc32, deflateSync } from 'node:zlib';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import QRCode from 'qrcode';
import { env } from '~/core/env.server';
import { writeText } from '~/platform/textoPdf.server';
import type { Papel } from './pieza';

/** A label to print. `codigo` is what its QR code leads to: the folio of a piece, or the code of a label without a piece. */
export type Etiqueta = { codigo: string; titulo: string; detalle: string };

type Doc = PDFKit.PDFDocument;
type Caja = { x: number; y: number; ancho: number; alto: number; margen: number };

const MM = 72 / 25.4;
const mm = (n: number) => n * MM;

/** A sheet of 24: three columns of eight. */
const EN_HOJA = { columnas: 3, renglones: 8 };
const UNA = { columnas: 1, renglones: 1 };

const HOJAS: Readonly<Record<Papel, { size: [number, number]; hoja: boolean }>> = {
  rollo50: { size: [mm(50), mm(30)], hoja: false },
  rollo62: { size: [mm(62), mm(40)], hoja: false },
  carta: { size: [612, 792], hoja: true },
  a4: { size: [mm(210), mm(297)], hoja: true },
};

/** Returns the address in the QR code of a label, in this installation. */
export const direccionOf = (codigo: string): string => `${env().APP_URL}/siqr/${codigo}`;

/** Draws labels as a PDF, page by page while it is read: five hundred need no more memory than one. */
export function drawEtiquetas(etiquetas: readonly Etiqueta[], papel: Papel): Readable {
  const { size, hoja } = HOJAS[papel];
  const doc = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    info: { Title: 'Etiquetas', Author: env().MARCA },
  });
  void draw(doc, etiquetas, hoja, size).catch((error: unknown) => doc.destroy(error as Error));
  return doc as unknown as Readable;
}

async function draw(doc: Doc, etiquetas: readonly Etiqueta[], hoja: boolean, [ancho, alto]: [number, number]) {
  const { columnas, renglones } = hoja ? EN_HOJA : UNA;
  const caja = { ancho: ancho / columnas, alto: alto / renglones, margen: hoja ? mm(3.5) : mm(1.5) };
  for (let first = 0; first < etiquetas.length; first += columnas * renglones) {
    const suyas = etiquetas.slice(first, first + columnas * renglones).map((etiqueta, at) => ({
      etiqueta,
      caja: { ...caja, x: (at % columnas) * caja.ancho, y: Math.floor(at / columnas) * caja.alto },
    }));
    doc.addPage();
    // The codes of a page are drawn before its texts: a reader that fails at a font has read all codes by then.
    for (const { etiqueta, caja } of suyas) drawCodigo(doc, etiqueta, caja);
    for (const { etiqueta, caja } of suyas) drawTexto(doc, etiqueta, caja);
    // Other work of this process gets its turn between two pages.
    await turn();
  }
  doc.end();
}

/** Side of a code: the height of its label, and small enough that the folio stands beside it. */
const ladoOf = ({ ancho, alto, margen }: Caja) => Math.min(alto - 2 * margen, ancho * 0.54, mm(30));

function drawCodigo(doc: Doc, { codigo }: Etiqueta, caja: Caja) {
  const lado = ladoOf(caja);
  doc.image(pngOf(direccionOf(codigo)), caja.x + caja.margen, caja.y + (caja.alto - lado) / 2, {
    width: lado,
    height: lado,
  });
}

/** Text at the right of the code: the folio in two lines, as large as it fits, and the name of the piece. */
function drawTexto(doc: Doc, { codigo, titulo, detalle }: Etiqueta, caja: Caja) {
  const left = caja.x + caja.margen + ladoOf(caja) + mm(1);
  const width = caja.x + caja.ancho - caja.margen - left;
  const [serie, resto] = partido(codigo);
  doc.font('Helvetica-Bold').fontSize(11).fillColor('#000');
  const tamano = Math.min(16, (11 * width) / doc.widthOfString(resto));
  let top = caja.y + caja.margen + mm(1);
  for (const linea of [serie, resto]) {
    doc.fontSize(tamano).text(linea, left, top, { lineBreak: false });
    top += tamano * 1.1;
  }
  const bottom = caja.y + caja.alto - caja.margen;
  for (const [texto, most] of [
    [titulo, bottom - top - mm(5)],
    [detalle, mm(4)],
  ] as const) {
    if (texto === '' || most < 6) continue;
    writeText(doc, texto, { font: 'Helvetica', size: 6.5 }, { x: left, y: top + mm(1), width, height: most });
    top = doc.y;
  }
}

/** A code in two lines: 'DV-26' and '004183-H'. */
export const partido = (codigo: string): [string, string] => {
  const [first = '', ...rest] = codigo.split('-');
  return rest.length > 2 ? [`${first}-${rest[0]!}`, rest.slice(1).join('-')] : [first, rest.join('-')];
};

/** Pixels of the picture for each square of a code, and white squares around it, without which readers do not find it. */
const PUNTOS = 6;
const BLANCO = 4;

/** Returns a QR code as a PNG of one bit, sharp at any size. */
export function pngOf(texto: string): Buffer {
  const { modules } = QRCode.create(texto, { errorCorrectionLevel: 'M' });
  const lado = (modules.size + 2 * BLANCO) * PUNTOS;
  const row = Math.ceil(lado / 8) + 1;
  const blanca = Buffer.alloc(row, 0xff).fill(0, 0, 1);
  const renglones = Array.from({ length: modules.size }, (_, y) => {
    const renglon = Buffer.from(blanca);
    for (let x = 0; x < modules.size; x++)
      if (modules.data[y * modules.size + x])
        for (let punto = (x + BLANCO) * PUNTOS; punto < (x + BLANCO + 1) * PUNTOS; punto++)
          renglon[1 + (punto >> 3)]! &= ~(0x80 >> (punto & 7));
    return renglon;
  });
  const margen = Array.from({ length: BLANCO * PUNTOS }, () => blanca);
  const puntos = renglones.flatMap((renglon) => Array.from({ length: PUNTOS }, () => renglon));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(lado, 0);
  head.writeUInt32BE(lado, 4);
  // One bit of grey.
  head[8] = 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat([...margen, ...puntos, ...margen]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
