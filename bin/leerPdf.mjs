/**
 * `node bin/leerPdf.mjs < file.pdf`: the lines of its first pages, as JSON. A process by itself, without environment or connections, since the file is a
 * stranger's: it may take so long, so much memory and so many pages, and then it is over. app/domain/files/leerPdf.server.ts starts it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const LIMITS = { cpuMs: 3_000, rssMb: 320, heapMb: 128, pages: 12, readPages: 3, characters: 60_000 };
/** What was reached, told by the exit code: 2 is a file that cannot be read. */
const TOO_LONG = 3;
const TOO_MUCH = 4;

if (isMainThread) {
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: new Uint8Array(Buffer.concat(parts)),
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.heapMb, maxYoungGenerationSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  // Its thread may be in a loop without end: this one looks.
  const end = (code) => process.exit(code);
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    // Its own time, so that a machine with other work in hand reads the same files.
    if ((user + system) / 1_000 > LIMITS.cpuMs) end(TOO_LONG);
    if (process.memoryUsage.rss() > LIMITS.rssMb * 1_048_576) end(TOO_MUCH);
  }, 20);
  worker.once('message', (pages) =>
    pages ? process.stdout.write(JSON.stringify(pages), () => end(0)) : end(TOO_MUCH),
  );
  worker.once('error', (error) => end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH : 2));
} else {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(workerData, { isEvalSupported: false, maxImageSize: 1, stopAtErrors: true });
  if (pdf.numPages > LIMITS.pages) parentPort.postMessage(null);
  const pages = [];
  let left = LIMITS.characters;
  for (let number = 1; number <= Math.min(pdf.numPages, LIMITS.readPages); number++) {
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
  parentPort.postMessage(pages);
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
