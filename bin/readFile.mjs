/**
 * `node bin/readFile.mjs texto|codigos|tabla < file` writes JSON: the lines of the first pages of a PDF, the texts
 * of QR codes in a PDF or a photograph (JPEG, PNG), or the rows of sheets (XLSX, CSV) with a tab between cells. The
 * file comes from a stranger, so a process without environment or connections reads the file, under limits of time,
 * memory and pages. app/platform/files/readFile.server.ts starts the process.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { isJpeg, isPng, lumaOf, lumaOfBits, MAX_PIXELS, pdfOfJpeg, readPng, TooLarge } from './lib/imagen.mjs';

const PAGES = { most: 12, read: 3, characters: 60_000, images: 12 };
const LIMITS = {
  texto: { cpuMs: 3_000, rssMb: 320, heapMb: 128 },
  // A photograph of twelve million points takes a second to unpack and half a second to search.
  codigos: { cpuMs: 6_000, rssMb: 400, heapMb: 128 },
  // A sheet of 55,000 rows takes four seconds and 200 MB.
  tabla: { cpuMs: 20_000, rssMb: 640, heapMb: 384 },
};
const TABLE = { rows: 100_000, columns: 60, cell: 300, characters: 24_000_000 };
/** Compression method of the parts of a workbook. */
const DEFLATED = 8;
/** A number format of zeros and fixed letters alone, as codes have: '00000', '"DS-"0000', '000-000'. */
const CODE = /^(?=.*0.*0)(?:0|[- /()]|"[^"]*"|\\[^.])+$/;
/** Lines in which the separator is looked for: a list may begin with a title and an address. */
const FIRST_LINES = 30;
/** Longest text between quotes; a quote without its partner within is a letter, such as the sign of an inch. */
const QUOTED = 5_000;
const BOOK = { parts: 2_000, bytes: 256 * 1_048_576 };
const READ = { texto: linesOfPdf, codigos: (file) => codesOf(Buffer.from(file)), tabla: rowsOfTable };
/** Exit codes of a limit; exit code 2 is an unreadable file. */
const TOO_LONG = 3;
const TOO_MUCH = 4;

if (isMainThread) {
  const what = process.argv[2];
  const { cpuMs, rssMb, heapMb } = LIMITS[what];
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { what, file: new Uint8Array(Buffer.concat(parts)) },
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  // The worker thread may loop without end, so this thread checks the limits.
  const end = (code) => process.exit(code);
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    // Processor time of this process, so a busy machine reads the same files.
    if ((user + system) / 1_000 > cpuMs) end(TOO_LONG);
    if (process.memoryUsage.rss() > rssMb * 1_048_576) end(TOO_MUCH);
  }, 20);
  worker.once('message', (read) => (read ? process.stdout.write(JSON.stringify(read), () => end(0)) : end(TOO_MUCH)));
  worker.once('error', (error) => end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH : 2));
} else {
  const { what, file } = workerData;
  try {
    parentPort.postMessage(await READ[what](file));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    parentPort.postMessage(null);
  }
}

async function openPdf(file, options) {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(file, { isEvalSupported: false, isOffscreenCanvasSupported: false, ...options });
  if (pdf.numPages > PAGES.most) throw new TooLarge();
  const numbers = Array.from({ length: Math.min(pdf.numPages, PAGES.read) }, (_, at) => at + 1);
  return { pdf, numbers };
}

async function linesOfPdf(file) {
  const { pdf, numbers } = await openPdf(file, { maxImageSize: 1, stopAtErrors: true });
  const pages = [];
  let left = PAGES.characters;
  for (const number of numbers) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = [];
    for (const line of linesOf(items)) {
      lines.push(line.slice(0, left));
      left = Math.max(0, left - line.length);
    }
    pages.push(lines);
    page.cleanup();
  }
  return pages.flat();
}

/** Returns the lines of a page: pieces of text at the same height form a line, from left to right. */
function linesOf(items) {
  const rows = [];
  for (const { str, transform, width } of items) {
    if (!str?.trim()) continue;
    const [x, y] = [transform[4], transform[5]];
    const row = rows.find((one) => Math.abs(one.y - y) < 3);
    if (row) row.pieces.push({ x, str, width });
    else rows.push({ y, pieces: [{ x, str, width }] });
  }
  return rows
    .sort((a, b) => b.y - a.y)
    .map(({ pieces }) => {
      let line = '';
      let end = Infinity;
      for (const { x, str, width } of pieces.sort((a, b) => a.x - b.x)) {
        // A wide gap separates columns of the page.
        line += x - end > 12 ? `\t${str}` : x - end > 1 ? ` ${str}` : str;
        end = x + width;
      }
      return line.replace(/[^\S\t]+/g, ' ').trim();
    });
}

/**
 * Returns the rows of a text with separators, or of the sheets of a workbook. Before the rows of each of several sheets
 * stands a line with a form feed and the sheet's name. Empty rows stay, so row numbers match the person's program.
 */
async function rowsOfTable(file) {
  const isBook = file[0] === 0x50 && file[1] === 0x4b;
  const sheets = isBook ? await sheetsOfBook(file) : [['', rowsOfText(textOf(file))]];
  const lines = [];
  let left = TABLE.characters;
  const add = (line) => {
    left -= line.length + 1;
    if (left < 0 || lines.length >= TABLE.rows) throw new TooLarge();
    lines.push(line);
  };
  for (const [name, rows] of sheets) {
    if (sheets.length > 1) add(`\f${name}`);
    for (const row of rows) {
      const cells = row.slice(0, TABLE.columns).map((cell) => cell.slice(0, TABLE.cell).replace(/\s+/g, ' ').trim());
      add(cells.join('\t').trimEnd());
    }
  }
  return lines;
}

/** Returns the sheets that people see with their rows; those that are hidden count only where all are. */
async function sheetsOfBook(file) {
  requireSmall(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const XLSX = await import('xlsx');
  const only = { cellFormula: false, cellHTML: false, cellText: false, cellNF: true, sheetRows: TABLE.rows + 1 };
  const book = XLSX.read(file, { type: 'array', dense: true, raw: true, ...only });
  const isShown = (_name, at) => !book.Workbook?.Sheets?.[at]?.Hidden;
  const shown = book.SheetNames.filter(isShown);
  return (shown.length > 0 ? shown : book.SheetNames).map((name) => {
    const rows = book.Sheets[name]?.['!data'] ?? [];
    if (rows.length > TABLE.rows) throw new TooLarge();
    return [name, Array.from(rows, (row) => Array.from(row ?? [], (cell) => cellText(cell, XLSX.SSF)))];
  });
}

/**
 * Throws TooLarge for a workbook that unpacks to too much: first by the directory of its ZIP, then by unpacking each
 * part up to its announced size.
 */
function requireSmall(zip) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > zip.length) return;
  const parts = zip.readUInt16LE(end + 10);
  if (parts > BOOK.parts) throw new TooLarge();
  let [at, bytes] = [zip.readUInt32LE(end + 16), 0];
  for (let n = 0; n < parts && at + 46 <= zip.length; n++) {
    const [says, from] = [zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)];
    bytes += says;
    if (bytes > BOOK.bytes) throw new TooLarge();
    if (zip.readUInt16LE(at + 10) === DEFLATED && from + 30 <= zip.length) {
      const begin = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
      requireNoMore(zip.subarray(begin, begin + zip.readUInt32LE(at + 20)), says);
    }
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

function requireNoMore(packed, says) {
  try {
    inflateRawSync(packed, { maxOutputLength: Math.max(1, says) });
  } catch (error) {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge();
    // Other damage is left to the parser.
  }
}

/**
 * Returns a cell as text. Numbers become plain decimals, because the shown text of a cell may be rounded or have an
 * exponent; a number with the format of a code is the code that people see, with its zeros.
 */
function cellText(cell, SSF) {
  if (cell === undefined || cell.v === undefined || cell.t === 'e') return '';
  if (cell.t !== 'n') return String(cell.v);
  if (Number.isInteger(cell.v) && typeof cell.z === 'string' && CODE.test(cell.z)) return SSF.format(cell.z, cell.v);
  // Below 1e15 JavaScript writes a number without an exponent.
  return Math.abs(cell.v) < 1e15 ? String(Number(cell.v.toFixed(6))) : '';
}

/** Decodes UTF-8 or UTF-16 with or without a mark, else the encoding of Excel in Mexico. */
function textOf(file) {
  const [first, second] = file;
  // Without its mark, UTF-16 is told by the zeros beside its letters.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(file);
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

/**
 * Yields the rows of a text, whose lines end in LF, CRLF or CR. The separator is the candidate that cuts one of the first
 * lines into most cells. Separators and line ends between quotes are text. A quote that closes in another line, so that
 * its row has another number of cells, is a letter; and between tabs a quote reaches no further than its cell.
 */
function* rowsOfText(text) {
  const first = text.split(/\r\n|[\r\n]/, FIRST_LINES).map((line) => line.replace(/"[^"]*"/g, ''));
  const widthOf = (separator) => Math.max(...first.map((line) => line.split(separator).length));
  const separator = ['\t', ';', ','].sort((a, b) => widthOf(b) - widthOf(a))[0];
  const width = widthOf(separator);
  for (let at = 0; at < text.length;) {
    let read = rowAt(text, at, separator, separator !== '\t');
    if (read.lines > 1 && read.row.length !== width) read = rowAt(text, at, separator, false);
    yield read.row;
    at = read.end;
  }
}

/** Reads the row that begins at a place of a text. `across`: a cell between quotes may hold separators and line ends. */
function rowAt(text, from, separator, across) {
  const row = [];
  let [at, lines] = [from, 1];
  const open = /[^\S\t\r\n]*"/y;
  for (;;) {
    open.lastIndex = at;
    const begin = open.test(text) ? open.lastIndex : -1;
    const close = begin < 0 ? -1 : closeOf(text, begin, separator, across);
    let end = close < 0 ? at : close + 1;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
    const cell = close < 0 ? text.slice(at, end) : text.slice(begin, close).replaceAll('""', '"');
    lines += close < 0 ? 0 : cell.split(/[\r\n]/).length - 1;
    row.push(cell);
    if (text[end] === separator) at = end + 1;
    else return { row, lines, end: end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1) };
  }
}

/** Returns the place of the quote that closes a cell: one before a separator, a line end or the end; -1 without it. */
function closeOf(text, begin, separator, across) {
  const most = Math.min(text.length, begin + QUOTED);
  for (let at = begin; at < most; at++) {
    const char = text[at];
    if (!across && (char === separator || char === '\n' || char === '\r')) return -1;
    if (char !== '"') continue;
    if (text[at + 1] === '"') at++;
    else if (/^[^\S\t\r\n]*(?:[\r\n]|$)/.test(text.slice(at + 1, at + 20)) || text[at + 1] === separator) return at;
  }
  return -1;
}

/** Returns the distinct texts of the codes in a file. */
async function codesOf(file) {
  const { decodeQR } = await import('qr/decode.js');
  const codes = new Set();
  for await (const { width, height, luma } of imagesOf(file)) {
    const said = codeIn(decodeQR, framed(width, height, luma));
    if (said !== undefined) codes.add(said.slice(0, 1_000));
  }
  return [...codes];
}

function codeIn(decodeQR, image) {
  try {
    return decodeQR(image, { format: 'I420', effort: 24, timeLimit: 1_500 });
  } catch {
    // The library throws for a picture without a code.
    return undefined;
  }
}

async function* imagesOf(file) {
  if (isPng(file)) yield readPng(file);
  else yield* imagesOfPdf(isJpeg(file) ? pdfOfJpeg(file) : file);
}

async function* imagesOfPdf(file) {
  const { OPS } = await (await import('unpdf')).getResolvedPDFJS();
  const { pdf, numbers } = await openPdf(new Uint8Array(file), { maxImageSize: MAX_PIXELS });
  let left = PAGES.images;
  for (const number of numbers) {
    const page = await pdf.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    for (const [at, fn] of fnArray.entries()) {
      if (![OPS.paintImageXObject, OPS.paintInlineImageXObject].includes(fn) || left-- <= 0) continue;
      const [named] = argsArray[at];
      const image = typeof named === 'string' ? await objectOf(page, named) : named;
      if (!image?.data) continue;
      const { width, height, data } = image;
      const channels = data.length / (width * height);
      if (Number.isInteger(channels)) yield { width, height, luma: lumaOf(data, width * height, channels) };
      else yield { width, height, luma: lumaOfBits(data, width, height) };
    }
    page.cleanup();
  }
}

function objectOf(page, name) {
  return new Promise((resolve) => (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve));
}

/** Returns the picture with a white margin: a code drawn up to the edge lacks the quiet zone of a findable code. */
function framed(width, height, luma) {
  if (width * height > 1_048_576) return { width, height, data: luma };
  const margin = 4 + (Math.max(width, height) >> 3);
  const [wide, high] = [width + 2 * margin, height + 2 * margin];
  const data = new Uint8Array(wide * high).fill(255);
  for (let y = 0; y < height; y++) data.set(luma.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin);
  return { width: wide, height: high, data };
}
