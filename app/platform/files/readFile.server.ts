import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Saturated } from '~/core/errors';
import { createSlots } from '~/core/slots';

/** Outcome of a read. `limite`: the file took too long or too much memory, or has too many pages or points. `ilegible`: nobody can read it. */
type Leido = { tipo: 'leido'; dice: string[] } | { tipo: 'limite' } | { tipo: 'ilegible' };
export type Formato = 'pdf' | 'imagen';

/**
 * Limits of a read: `ms` by the clock, bytes of the answer, and memory. The reader limits its own time more tightly; a busy machine gives that
 * slowly.
 */
const PATIENCE = {
  texto: { ms: 20_000, answer: 400_000, heapMb: 64 },
  codigos: { ms: 20_000, answer: 400_000, heapMb: 64 },
  tabla: { ms: 60_000, answer: 32_000_000, heapMb: 192 },
};
const REACHED = new Set<number | null>([3, 4, null]);
const Dice = z.array(z.string());

/** Files are read one after the other, since each takes a processor and memory. */
const lecturas = createSlots({
  atOnce: 1,
  waiting: 8,
  full: () => new Saturated('Se están leyendo varios archivos a la vez. Inténtalo en unos segundos.', 10),
});

/** Returns the format of a file by its bytes, whatever its name; undefined for one that nobody here reads. */
export function formatoOf(file: Uint8Array): Formato | undefined {
  const head = Buffer.from(file.subarray(0, 1_024)).toString('latin1');
  // The mark of a PDF may stand a little way in.
  if (head.includes('%PDF-')) return 'pdf';
  return head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n') ? 'imagen' : undefined;
}

/** Reads the lines of the first pages of a stranger's PDF; `\t` stands between columns. Throws `Saturated` when too many wait. */
export const readPdf = (file: Uint8Array): Promise<Leido> =>
  formatoOf(file) === 'pdf' ? lecturas.run(() => readApart('texto', file)) : Promise.resolve({ tipo: 'ilegible' });

/** Reads the QR codes of a stranger's PDF or photograph; an empty list when it has none. Throws `Saturated` when too many wait. */
export const readCodigos = (file: Uint8Array): Promise<Leido> =>
  formatoOf(file) ? lecturas.run(() => readApart('codigos', file)) : Promise.resolve({ tipo: 'ilegible' });

/** Sheets have a slot of their own: they neither wait for PDFs nor keep them waiting. */
const lecturasDeTablas = createSlots({
  atOnce: 1,
  waiting: 3,
  full: () => new Saturated('Se están leyendo otras listas. Inténtalo en un minuto.', 60),
});

/** Returns whether a file may be a sheet (XLSX), or text with separators. */
function isTabla(file: Uint8Array): boolean {
  const head = Buffer.from(file.subarray(0, 1_024));
  if (head.toString('latin1').startsWith('PK\x03\x04')) return true;
  return (!head.includes(0) || isUtf16(head)) && whatIsNoTabla(file) === null;
}

const isWebPage = (file: Uint8Array) =>
  /^\s*<(?:!doctype|html|table|\?xml)/i.test(Buffer.from(file.subarray(0, 200)).toString('latin1'));

/** Returns whether bytes are text of UTF-16: they begin with its mark, or every second byte of the first letters is zero. */
function isUtf16(head: Buffer): boolean {
  const first = head.subarray(0, 8);
  const zeros = [0, 1].map((half) => first.filter((byte, at) => at % 2 === half && byte === 0).length);
  return /^(?:fffe|feff)/.test(first.toString('hex')) || (first.length === 8 && zeros.includes(4) && zeros.includes(0));
}

/** Returns what a file is that is neither a sheet nor text with separators, in words; null for one that nobody knows. */
export function whatIsNoTabla(file: Uint8Array): string | null {
  const head = Buffer.from(file.subarray(0, 1_024)).toString('latin1');
  if (head.trim() === '') return 'está vacío';
  if (head.startsWith('\xd0\xcf\x11\xe0')) return 'es un libro de un Excel anterior (XLS), o tiene contraseña';
  if (isWebPage(file)) return 'es una página web, aunque se llame de otro modo';
  const formato = formatoOf(file);
  return formato === 'pdf' ? 'es un PDF' : formato === 'imagen' ? 'es una imagen' : null;
}

/**
 * Reads the rows of a sheet, each a line with `\t` between its cells. Several sheets of a book come one after the other,
 * each below a line of `\f` and its name. Throws `Saturated` when too many wait.
 */
export const readTabla = (file: Uint8Array): Promise<Leido> =>
  isTabla(file) ? lecturasDeTablas.run(() => readApart('tabla', file)) : Promise.resolve({ tipo: 'ilegible' });

/** Reads a file in a process without environment, which is ended at its limits (bin/readFile.mjs). */
function readApart(what: keyof typeof PATIENCE, file: Uint8Array): Promise<Leido> {
  const { ms, answer, heapMb } = PATIENCE[what];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, join(root(), 'bin/readFile.mjs'), what], {
      env: { NODE_ENV: 'production' },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: ms,
      killSignal: 'SIGKILL',
    });
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (part: Buffer) => {
      length += part.length;
      if (length > answer) child.kill('SIGKILL');
      else parts.push(part);
    });
    // The process may end before it has read everything.
    child.stdin.on('error', () => child.stdin.destroy());
    child.once('error', () => resolve({ tipo: 'ilegible' }));
    child.once('close', (code) =>
      resolve(
        code === 0
          ? { tipo: 'leido', dice: Dice.parse(JSON.parse(Buffer.concat(parts).toString('utf8'))) }
          : { tipo: REACHED.has(code) ? 'limite' : 'ilegible' },
      ),
    );
    child.stdin.end(file);
  });
}

/** Returns the folder of the project, seen from the bundle or from the sources. */
function root(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin/readFile.mjs'))) {
    if (dirname(folder) === folder) throw new Error('bin/readFile.mjs is not beside the product');
    folder = dirname(folder);
  }
  return folder;
}
