import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { clockAsUtc } from '~/core/time';
import type { ExcelColumn } from './list.server';

/** Content type of an Excel workbook. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const STYLE = { texto: 2, fechaHora: 3, fecha: 4, pesos: 5, numero: 6 } as const;
const WIDTH = { texto: 18, fechaHora: 17, fecha: 12, pesos: 14, numero: 12 } as const;
const HEADER_STYLE = 1;

/**
 * Options of the ZIP. Level 4, since people wait and speed is worth more than the last bytes; a fixed date, so that the same rows give the same
 * bytes.
 */
const PACKING = { compressionLevel: 4, mtime: new Date('2000-01-01T00:00:00Z'), mode: 0o100644 };

/**
 * Returns a writer of an Excel workbook with one sheet, row by row. Memory holds the compressed sheet and nothing of the rows. Text stays text
 * whatever it begins with ('=', '+', '-', '@'): it is an inline string in a cell of the format '@', which Excel never reads as a formula, also after
 * an edit. With `sumas` the last row adds up the columns in pesos, to the cent.
 */
export async function createSheet<Row>(
  { hoja, columnas, sumas = false }: { hoja: string; columnas: ExcelColumn<Row>[]; sumas?: boolean | undefined },
  /** Takes the bytes as they come, and makes the writer wait. Without it `finish` returns them all. */
  take?: (bytes: Buffer) => Promise<void>,
) {
  const zip = new ZipFile();
  const packed = take ? handOver(zip.outputStream, take) : buffer(zip.outputStream);
  const failure = new AbortController();
  zip.once('error', (error) => {
    failure.abort(error);
    zip.outputStream.emit('error', error);
  });
  // The next write or `finish` tells of a failure; until then nobody listens.
  packed.catch(() => undefined);
  for (const [name, content] of Object.entries(parts(sheetName(hoja))))
    zip.addBuffer(Buffer.from(content), name, PACKING);
  const xml = new PassThrough();
  zip.addReadStream(xml, 'xl/worksheets/sheet1.xml', PACKING);
  zip.end();
  /** Writes text, and waits when the compression, which runs off the event loop, lags behind. */
  const send = async (text: string) => {
    if (!xml.write(text)) await once(xml, 'drain', { signal: failure.signal });
  };
  const letters = columnas.map((_, at) => letterOf(at));
  await send(
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
      `<cols>${columnas.map(({ tipo, ancho }, at) => `<col min="${at + 1}" max="${at + 1}" width="${ancho ?? WIDTH[tipo]}" customWidth="1"/>`).join('')}</cols>` +
      `<sheetData><row r="1">${columnas.map(({ header }, at) => textCell(`${letters[at]}1`, header, HEADER_STYLE)).join('')}</row>`,
  );
  let [last, pending] = [1, ''];
  const totals = columnas.map(() => Money.zero);

  return {
    async write(row: Row) {
      last += 1;
      if (sumas)
        columnas.forEach((column, at) => {
          const value = column.tipo === 'pesos' ? column.valor(row) : null;
          if (value !== null) totals[at] = totals[at]!.plus(value);
        });
      pending += `<row r="${last}">${columnas.map((column, at) => cellOf(`${letters[at]}${last}`, column, row)).join('')}</row>`;
      if (pending.length < 65_536) return;
      const text = pending;
      pending = '';
      await send(text);
    },
    async finish(): Promise<Buffer> {
      const pie = sumas ? totalRow(columnas, totals, last + 1) : '';
      await send(`${pending}${pie}</sheetData><autoFilter ref="A1:${letters.at(-1)}${last}"/></worksheet>`);
      xml.end();
      return packed;
    },
  };
}

/** Returns the row below the rows: 'Total' in the first column, and the sum of each column in pesos. */
function totalRow<Row>(columnas: ExcelColumn<Row>[], totals: readonly Money[], at: number): string {
  const cells = columnas.map(({ tipo }, column) => {
    const ref = `${letterOf(column)}${at}`;
    if (column === 0) return textCell(ref, 'Total', HEADER_STYLE);
    return tipo === 'pesos' ? `<c r="${ref}" s="${STYLE.pesos}"><v>${totals[column]!.toFixed(2)}</v></c>` : '';
  });
  return `<row r="${at}">${cells.join('')}</row>`;
}

async function handOver(stream: NodeJS.ReadableStream, take: (bytes: Buffer) => Promise<void>): Promise<Buffer> {
  for await (const bytes of stream) await take(bytes as Buffer);
  return Buffer.alloc(0);
}

function cellOf<Row>(ref: string, column: ExcelColumn<Row>, row: Row): string {
  const style = STYLE[column.tipo];
  if (column.tipo === 'texto') {
    const text = column.valor(row);
    return text === null || text === '' ? '' : textCell(ref, text, style);
  }
  const value = column.valor(row);
  if (value === null) return '';
  const number =
    value instanceof Date
      ? serialOf(value, column.tipo === 'fecha')
      : column.tipo === 'pesos'
        ? value.toFixed(2)
        : String(value);
  return `<c r="${ref}" s="${style}"><v>${number}</v></c>`;
}

function textCell(ref: string, text: string, style: number): string {
  return `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, 32_767))}</t></is></c>`;
}

/** Returns an instant as Excel counts: days since 1899-12-30 in the business zone. */
function serialOf(instant: Date, wholeDay: boolean): string {
  const days = Math.floor(clockAsUtc(instant).getTime() / 1_000) / 86_400 + 25_569;
  return wholeDay ? String(Math.floor(days)) : days.toFixed(8);
}

function letterOf(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : letterOf(Math.floor(at / 26) - 1) + letterOf(at % 26);
}

/** Returns a name within Excel's limits: 31 characters, none of []:*?/\ and no quote at the ends. */
function sheetName(text: string): string {
  return (
    text
      .replace(/[[\]:*?/\\]/g, ' ')
      .replace(/^'+|(?<!')'+$/g, '')
      .slice(0, 31) || 'Hoja1'
  );
}

const ENTITY: Record<string, string> = tableOf({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

/** Escapes text for XML. Characters that XML cannot hold are dropped; text that looks like Excel's escape for them is escaped itself. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/_x(?=[0-9A-Fa-f]{4}_)/g, '_x005F_x')
    .replace(/[&<>"]/g, (character) => ENTITY[character]!);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function parts(hoja: string): Record<string, string> {
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(hoja)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy"/></numFmts>` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFEEF0F3"/></patternFill></fill></fills>' +
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
      `<cellXfs count="7"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/>${[49, 164, 165, 4, 0].map((format) => `<xf numFmtId="${format}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
  };
}
