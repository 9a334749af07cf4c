import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { at, Complaint } from './project.mjs';
import { readSettings } from './settings.mjs';

/**
 * `npm run capturas`: npm start, with the shape of each answer of an outside API kept without anybody's data.
 * `npm run capturas -- comparar [FOLDER]`: compares the kept shapes with the answers of the impostors.
 */
export async function capturas([what, folder]) {
  const { dataDir } = await readSettings();
  const kept = folder ? resolve(folder) : join(dataDir, 'capturas');
  if (what === undefined) {
    process.env.CAPTURAS = kept;
    console.log(`La forma de cada respuesta de fuera queda en ${kept}, sin datos de nadie.`);
    return (await import('./start.mjs')).start();
  }
  if (what !== 'comparar') throw new Complaint('Es npm run capturas, o npm run capturas -- comparar [CARPETA].');
  if (!existsSync(kept)) throw new Complaint(`No hay capturas en ${kept}: se guardan con npm run capturas.`);
  return compare(kept);
}

/** Runs the suites of the clients, so the impostors answer; then compares both sets of shapes. */
async function compare(real) {
  await ensureInstalled();
  const played = mkdtempSync(join(tmpdir(), 'trastienda-impostores-'));
  process.once('exit', () => rmSync(played, { recursive: true, force: true }));
  const { vitest, conclude } = await import('./test.mjs');
  process.env.CAPTURAS = played;
  const spoken = await vitest(['tests/contracts', '--exclude=tests/contracts/capturas.test.ts']);
  Object.assign(process.env, { CAPTURAS_REALES: real, CAPTURAS_IMPOSTORES: played });
  conclude([spoken, await vitest([at('tests/contracts/capturas.test.ts')])]);
}
