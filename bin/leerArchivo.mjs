/**
 * `node bin/leerArchivo.mjs texto|codigos < file`: the lines of the first pages of a PDF, or what the QR codes of a PDF or a photograph (JPEG, PNG)
 * say, as JSON. A process by itself, without environment or connections, since the file is a stranger's: it may take so long, so much memory and so
 * many pages, and then it is over. app/domain/files/leerArchivo.server.ts starts it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { isJpeg, isPng, lumaOf, lumaOfBits, MAX_PIXELS, pdfOfJpeg, readPng, TooLarge } from './lib/imagen.mjs';

const PAGES = { most: 12, read: 3, characters: 60_000, images: 12 };
const LIMITS = {
  texto: { cpuMs: 3_000, rssMb: 320, heapMb: 128 },
  // A photograph of twelve million points takes a second to unpack and half of one to search.
  codigos: { cpuMs: 6_000, rssMb: 400, heapMb: 128 },
};
/** What was reached, told by the exit code: 2 is a file that cannot be read. */
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
  // Its thread may be in a loop without end: this one looks.
  const end = (code) => process.exit(code);
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    // Its own time, so that a machine with other work in hand reads the same files.
    if ((user + system) / 1_000 > cpuMs) end(TOO_LONG);
    if (process.memoryUsage.rss() > rssMb * 1_048_576) end(TOO_MUCH);
  }, 20);
  worker.once('message', (read) => (read ? process.stdout.write(JSON.stringify(read), () => end(0)) : end(TOO_MUCH)));
  worker.once('error', (error) => end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH : 2));
} else {
  const { what, file } = workerData;
  try {
    parentPort.postMessage(what === 'texto' ? await linesOfPdf(file) : await codesOf(Buffer.from(file)));
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

/** A PDF places pieces of text; what stands at one height is a line, from left to right. */
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
        // A wide gap is another column of the page.
        line += x - end > 12 ? `\t${str}` : x - end > 1 ? ` ${str}` : str;
        end = x + width;
      }
      return line.replace(/[^\S\t]+/g, ' ').trim();
    });
}

/** What each code says, each once. */
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
    // It has no other way to say that there is none.
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

/** A code drawn up to its edge lacks the quiet it is found by. */
function framed(width, height, luma) {
  if (width * height > 1_048_576) return { width, height, data: luma };
  const margin = 4 + (Math.max(width, height) >> 3);
  const [wide, high] = [width + 2 * margin, height + 2 * margin];
  const data = new Uint8Array(wide * high).fill(255);
  for (let y = 0; y < height; y++) data.set(luma.subarray(y * width, (y + 1) * width), (y + margin) * wide + margin);
  return { width: wide, height: high, data };
}
