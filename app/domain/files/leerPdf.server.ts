import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Saturated } from '~/core/errors';
import { createTurns } from '~/core/turns';

/** `limite`: it took too long, too much memory or has too many pages. `ilegible`: no PDF that anybody can read. */
export type PdfLeido = { tipo: 'leido'; lineas: string[] } | { tipo: 'limite' } | { tipo: 'ilegible' };

/** By the clock. The reader counts its own time, and a machine with much in hand gives it slowly. */
const PATIENCE_MS = 20_000;
const MAX_ANSWER = 400_000;
const REACHED = new Set<number | null>([3, 4, null]);

/** Each takes a processor and some memory of its own: one after the other. */
const turns = createTurns({
  atOnce: 1,
  waiting: 8,
  full: () => new Saturated('Se están leyendo varios archivos a la vez. Inténtalo en unos segundos.', 10),
});

/** The lines of a PDF from somebody we do not know. It is read by a process without environment, which is ended at its limits (bin/leerPdf.mjs). */
export function leerPdf(file: Uint8Array): Promise<PdfLeido> {
  if (!isPdf(file)) return Promise.resolve({ tipo: 'ilegible' });
  return turns(() => readApart(file));
}

/** The mark may stand a little way in. */
const isPdf = (file: Uint8Array) => Buffer.from(file.subarray(0, 1_024)).includes('%PDF-');

function readApart(file: Uint8Array): Promise<PdfLeido> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--max-old-space-size=64', join(root(), 'bin/leerPdf.mjs')], {
      env: { NODE_ENV: 'production' },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (part: Buffer) => {
      length += part.length;
      if (length > MAX_ANSWER) child.kill('SIGKILL');
      else parts.push(part);
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => child.stdin.destroy());
    child.once('error', () => resolve({ tipo: 'ilegible' }));
    child.once('close', (code) =>
      resolve(
        code === 0
          ? { tipo: 'leido', lineas: (JSON.parse(Buffer.concat(parts).toString('utf8')) as string[][]).flat() }
          : { tipo: REACHED.has(code) ? 'limite' : 'ilegible' },
      ),
    );
    child.stdin.end(file);
  });
}

/** From the bundle or from the sources, the folder of the project. */
function root(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin/leerPdf.mjs'))) {
    if (dirname(folder) === folder) throw new Error('bin/leerPdf.mjs is not beside the product');
    folder = dirname(folder);
  }
  return folder;
}
