import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Saturated } from '~/core/errors';
import { createSlots } from '~/core/slots';

/** `limite`: it took too long, too much memory, or has too many pages or points. `ilegible`: nothing that anybody can read. */
type Leido = { tipo: 'leido'; dice: string[] } | { tipo: 'limite' } | { tipo: 'ilegible' };
export type Formato = 'pdf' | 'imagen';

/** `ms`: by the clock. The reader counts its own time, and a machine with much in hand gives it slowly. */
const PATIENCE = {
  texto: { ms: 20_000, answer: 400_000, heapMb: 64 },
  codigos: { ms: 20_000, answer: 400_000, heapMb: 64 },
  tabla: { ms: 60_000, answer: 32_000_000, heapMb: 192 },
};
const REACHED = new Set<number | null>([3, 4, null]);
const Dice = z.array(z.string());

/** Each takes a processor and some memory of its own: one after the other. */
const lecturas = createSlots({
  atOnce: 1,
  waiting: 8,
  full: () => new Saturated('Se están leyendo varios archivos a la vez. Inténtalo en unos segundos.', 10),
});

/** By what it holds, whatever it is called; undefined for what nobody here reads. */
export function formatoOf(file: Uint8Array): Formato | undefined {
  const head = Buffer.from(file.subarray(0, 1_024)).toString('latin1');
  // The mark of a PDF may stand a little way in.
  if (head.includes('%PDF-')) return 'pdf';
  return head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n') ? 'imagen' : undefined;
}

/** The lines of the first pages of a PDF from somebody we do not know; `\t` stands between columns. */
export const readPdf = (file: Uint8Array): Promise<Leido> =>
  formatoOf(file) === 'pdf' ? lecturas.run(() => readApart('texto', file)) : Promise.resolve({ tipo: 'ilegible' });

/** What the QR codes of such a PDF, or of a photograph, say; none where none is found. */
export const readCodigos = (file: Uint8Array): Promise<Leido> =>
  formatoOf(file) ? lecturas.run(() => readApart('codigos', file)) : Promise.resolve({ tipo: 'ilegible' });

/** Whoever reads a sheet waits for no constancia, and keeps none waiting. */
const lecturasDeTablas = createSlots({
  atOnce: 1,
  waiting: 3,
  full: () => new Saturated('Se están leyendo otras listas. Inténtalo en un minuto.', 60),
});

/** A sheet (XLSX), or text with separators. */
function isTabla(file: Uint8Array): boolean {
  const head = Buffer.from(file.subarray(0, 1_024));
  return head.toString('latin1').startsWith('PK\x03\x04') || (head.length > 0 && !head.includes(0) && !formatoOf(file));
}

/** The rows of a sheet, each a line with `\t` between its cells. */
export const readTabla = (file: Uint8Array): Promise<Leido> =>
  isTabla(file) ? lecturasDeTablas.run(() => readApart('tabla', file)) : Promise.resolve({ tipo: 'ilegible' });

/** It is read by a process without environment, which is ended at its limits (bin/leerArchivo.mjs). */
function readApart(what: keyof typeof PATIENCE, file: Uint8Array): Promise<Leido> {
  const { ms, answer, heapMb } = PATIENCE[what];
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${heapMb}`, join(root(), 'bin/leerArchivo.mjs'), what],
      {
        env: { NODE_ENV: 'production' },
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: ms,
        killSignal: 'SIGKILL',
      },
    );
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (part: Buffer) => {
      length += part.length;
      if (length > answer) child.kill('SIGKILL');
      else parts.push(part);
    });
    // It may end before it has read everything.
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

/** From the bundle or from the sources, the folder of the project. */
function root(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin/leerArchivo.mjs'))) {
    if (dirname(folder) === folder) throw new Error('bin/leerArchivo.mjs is not beside the product');
    folder = dirname(folder);
  }
  return folder;
}
