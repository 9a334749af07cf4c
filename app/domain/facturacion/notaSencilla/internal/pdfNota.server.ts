import PDFDocument from 'pdfkit';
import { enLetras } from '~/core/enLetras';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { heightOfText, writeText } from '~/platform/textoPdf.server';
import type { Direccion } from '~/platform/direccion/direccion';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';

export type NotaDibujada = Direccion & {
  marca: string;
  folio: string;
  /** Civil day. */ fecha: string;
  nombre: string;
  apellidos: string;
  telefono: string;
  email: string;
  articulos: readonly Articulo[];
  subTotal: string;
  iva: string;
  total: string;
};

type Doc = PDFKit.PDFDocument;

const MARGIN = 48;
const ACCENT = '#2f5fad';
const SOFT = '#5b6470';
const LINE = '#d5dae1';
const FONT = { normal: 'Helvetica', bold: 'Helvetica-Bold' } as const;

/** The columns of the table on letter paper, with 516 points between the margins. */
const COLUMNS = [
  { titulo: 'Cantidad', width: 54, align: 'right', of: (one: Articulo) => String(one.cantidad) },
  { titulo: 'Descripción', width: 252, align: 'left', of: (one: Articulo) => one.nombre },
  { titulo: 'Código SAT', width: 60, align: 'left', of: (one: Articulo) => one.codigoSat },
  { titulo: 'Precio Unitario', width: 74, align: 'right', of: (one: Articulo) => pesos(one.precioUnitario) },
  { titulo: 'Total', width: 76, align: 'right', of: (one: Articulo) => pesos(one.importe) },
] as const;
const PAD = 5;
const ROW = { font: FONT.normal, size: 9.5 } as const;

/** Draws a nota as a PDF. A long one takes as many pages as it needs, each with the heading of the table and a number. */
export async function drawNota(nota: NotaDibujada): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'LETTER',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: `Nota ${nota.folio}`, Author: nota.marca },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  drawHead(doc, nota);
  drawCliente(doc, nota);
  drawArticulos(doc, nota.articulos);
  drawTotales(doc, nota);
  drawFeet(doc, nota);
  doc.end();
  return ended;
}

function drawHead(doc: Doc, { marca, folio, fecha }: NotaDibujada) {
  doc.rect(MARGIN, MARGIN, 14, 14).fill(ACCENT);
  writeText(doc, marca, { font: FONT.bold, size: 18 }, { x: MARGIN + 22, y: MARGIN - 3, width: 300, height: 20 });
  const right = { width: 180, align: 'right' } as const;
  const x = doc.page.width - MARGIN - right.width;
  doc
    .font(FONT.bold)
    .fontSize(12)
    .text('Nota sencilla', x, MARGIN - 1, right);
  doc
    .font(FONT.normal)
    .fontSize(10)
    .fillColor(SOFT)
    .text(`Folio ${folio}`, x, MARGIN + 16, right)
    .text(`Fecha ${fecha.split('-').reverse().join('/')}`, x, MARGIN + 30, right);
  doc.y = MARGIN + 56;
}

function drawCliente(doc: Doc, nota: NotaDibujada) {
  const calle = [
    nota.calle,
    nota.numeroExterior && `No. ${nota.numeroExterior}`,
    nota.numeroInterior && `Int. ${nota.numeroInterior}`,
  ]
    .filter(Boolean)
    .join(' ');
  const lugar = [
    nota.colonia && `Col. ${nota.colonia}`,
    `C.P. ${nota.cp}`,
    nota.ciudad,
    nota.municipio !== nota.ciudad && nota.municipio,
    nota.estado,
  ]
    .filter(Boolean)
    .join(', ');
  rule(doc);
  const under = () => ({ x: MARGIN, y: doc.y, width: 516 });
  doc.y += 8;
  writeText(doc, `${nota.nombre} ${nota.apellidos}`, { font: FONT.bold, size: 11 }, under());
  for (const line of [calle, lugar, `Tel. ${nota.telefono} · ${nota.email}`])
    if (line) writeText(doc, line, { font: FONT.normal, size: 9.5, color: SOFT }, under());
  doc.y += 14;
}

function drawArticulos(doc: Doc, articulos: readonly Articulo[]) {
  drawTableHead(doc);
  for (const articulo of articulos) {
    const texts = COLUMNS.map((column) => column.of(articulo));
    const height =
      Math.max(...COLUMNS.map(({ width }, at) => heightOfText(doc, texts[at]!, ROW, width - 2 * PAD))) + 2 * PAD;
    if (doc.y + height > bottomOf(doc)) {
      doc.addPage();
      drawTableHead(doc);
    }
    drawRow(doc, texts, doc.y, height, ROW);
  }
}

function drawTableHead(doc: Doc) {
  const top = doc.y;
  doc.rect(MARGIN, top, 516, 18).fill('#eef3fb');
  drawRow(
    doc,
    COLUMNS.map(({ titulo }) => titulo),
    top,
    18,
    { font: FONT.bold, size: 8.5, color: SOFT },
  );
}

function drawRow(
  doc: Doc,
  texts: readonly string[],
  top: number,
  height: number,
  escrito: Parameters<typeof writeText>[2],
) {
  let x = MARGIN;
  for (const [at, { width, align }] of COLUMNS.entries()) {
    writeText(doc, texts[at]!, escrito, { x: x + PAD, y: top + PAD, width: width - 2 * PAD, align });
    x += width;
  }
  doc.y = top + height;
  rule(doc);
}

function drawTotales(doc: Doc, { subTotal, iva, total }: NotaDibujada) {
  if (doc.y + 96 > bottomOf(doc)) doc.addPage();
  doc.y += 8;
  const [label, amount] = [
    { width: 90, align: 'right' },
    { width: 100, align: 'right' },
  ] as const;
  const right = doc.page.width - MARGIN;
  for (const [name, value, font] of [
    ['Sub-Total', subTotal, FONT.normal],
    ['I.V.A', iva, FONT.normal],
    ['Total', total, FONT.bold],
  ] as const) {
    const top = doc.y;
    doc
      .font(font)
      .fontSize(10.5)
      .fillColor('#000')
      .text(name, right - 195, top, label)
      .text(pesos(value), right - 105, top, amount);
    doc.y = top + 16;
  }
  doc
    .font(FONT.normal)
    .fontSize(9.5)
    .fillColor(SOFT)
    .text(`(${enLetras(Money.of(total))})`, MARGIN, doc.y + 6, { width: 516, align: 'right' });
}

function drawFeet(doc: Doc, { folio }: NotaDibujada) {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // The foot stands below the margin, where text would otherwise start a new page.
    doc.page.margins.bottom = 0;
    doc
      .font(FONT.normal)
      .fontSize(8)
      .fillColor(SOFT)
      .text('Este documento no es un comprobante fiscal (CFDI).', MARGIN, doc.page.height - 34, {
        width: 380,
        lineBreak: false,
      })
      .text(`Nota ${folio} · Página ${page + 1} de ${count}`, doc.page.width - MARGIN - 200, doc.page.height - 34, {
        width: 200,
        align: 'right',
        lineBreak: false,
      });
  }
}

const bottomOf = (doc: Doc) => doc.page.height - MARGIN;

function rule(doc: Doc) {
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(doc.page.width - MARGIN, doc.y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
}

const pesos = (amount: string): string => enPesos(Money.of(amount));
