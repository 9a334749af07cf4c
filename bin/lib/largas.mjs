/** Commands that tell at length what `npm test` tells in small (`tests/largas.md`). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from './carpeta.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at } from './project.mjs';
import { AS_LONG_AS_IT_IS, conclude, node, playwright, SLOWLY, vitest } from './test.mjs';

/** `npm run test:entradas`: hostile input over every door, 60,000 requests; ENTRADAS_SEMILLA draws others. */
export async function entradas() {
  await ensureInstalled();
  await ensureBuilt();
  process.env.ENTRADAS = 'long';
  conclude([await vitest(['tests/entradas', 'tests/http/door.test.ts'])]);
}

/** `npm run test:despliegue`: a shop of an old version is upgraded to this one and to the next under load; it installs the old version beside this one. */
export async function despliegue() {
  await ensureInstalled();
  await ensureBuilt();
  process.env.DESPLIEGUE = 'long';
  conclude([await vitest(['tests/despliegue/actualizar'])]);
}

/** `npm run test:tormenta`: an hour in which everything dies that can; TORMENTA_MINUTOS makes it shorter. */
export async function tormenta() {
  await ensureInstalled();
  await ensureBuilt();
  process.env.TORMENTA = 'long';
  conclude([await vitest(['tests/despliegue/tormenta'])]);
}

/** `npm run mundo`: days of a shop by a clock, held against what is true outside. */
export async function mundo(args) {
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await node(['--import', 'tsx', 'tests/mundo/mundo.ts', ...args], { ends: 'SIGINT' });
  process.exit(code);
}

/** What a name stands for besides its file. */
const BESIDE = { mercados: ['tests/domain/mercados/ventaAmz.test.ts'] };

/** Faults live in tests/faults; the expired token met by many, the storm of notices, the shuffled events and what is drawn by thousands, beside what they try. */
const FAULTS = [
  'tests/faults',
  'tests/contracts/mercadolibre.test.ts',
  'tests/contracts/mercadolibreSandboxAvisos.test.ts',
  'tests/jobs/avisosMercadolibre.test.ts',
  'tests/domain/ventas/ordenes/saveVentas.test.ts',
  'tests/domain/facturacion/publico/enlacesMuertos.test.ts',
  'tests/domain/facturacion/publico/conElPersonal.test.ts',
  'tests/domain/facturacion/cfdi/cfdi.test.ts',
  ...Object.values(BESIDE).flat(),
];

/** Each round on a database and an impostor of its own. */
const STAMPS = 'tests/faults/pac.test.ts';
const ROUNDS = 6;
/** `npm run test:faults [-- NAME]`: the long form of all of them or of one, the stamps in several rounds with other luck in each; at the end what they add up to. */
export async function faults(named) {
  const args = named.flatMap((name) =>
    name.includes('/') || name.startsWith('-') ? [name] : [`tests/faults/${name}`, ...(BESIDE[name] ?? [])],
  );
  await ensureInstalled();
  await ensureBuilt();
  process.env.FAULTS = 'long';
  const told = join(mkdtempSync(join(tmpdir(), 'trastienda-fallas-')), 'cuenta.jsonl');
  process.env.FAULTS_CUENTA = told;
  const results = [await vitest([...SLOWLY, ...(args.length > 0 ? args : FAULTS)])];
  for (let round = 1; round < ROUNDS && (args.length === 0 || args.some((arg) => STAMPS.startsWith(arg))); round++) {
    process.env.FAULTS_RONDA = String(round);
    results.push(await vitest([...SLOWLY, STAMPS]));
  }
  if (existsSync(told)) addUp(readFileSync(told, 'utf8').trim().split('\n').map(JSON.parse));
  rmSync(dirname(told), { recursive: true });
  conclude(results);
}

/** Runs of one name together: counts are added, of figures with a unit the worst is told. */
function addUp(runs) {
  const byName = new Map();
  for (const { run, ...cells } of runs) {
    const sums = byName.get(run) ?? byName.set(run, {}).get(run);
    for (const [name, value] of Object.entries(cells))
      if (typeof value === 'number') sums[name] = (sums[name] ?? 0) + value;
      else sums[name] = [sums[name], value].filter(Boolean).sort((a, b) => parseFloat(b) - parseFloat(a))[0];
  }
  console.log('\ntodas las rondas (sumas; de lo medido, lo peor)');
  for (const [run, sums] of byName)
    console.log(
      `  ${run.padEnd(58)} ${Object.entries(sums)
        .map(([name, value]) => `${name} ${value}`)
        .join(' · ')}`,
    );
}

/** `npm run test:historias [-- FILE…]`: every story in the browser, with what each run does without: the same without JavaScript, and the walks over screens. */
export async function historias(args) {
  await ensureInstalled();
  conclude([await playwright(undefined, args, AS_LONG_AS_IT_IS)]);
}

/** `npm run test:manos`: hurried hands in a real browser, ten times over, in both themes. The suite tells it once. */
export async function manos(args) {
  await ensureInstalled();
  process.env.E2E_TEMAS = '1';
  const themes = ['--project=manos', '--project=manosOscuro'];
  conclude([await playwright(undefined, [...themes, ...(args.length > 0 ? args : ['--repeat-each=5'])])]);
}

/**
 * `npm run pantallas [-- FOLDER [ROLE…]]`: a picture of each screen of each role, in both themes, on a desk and on a phone, into a folder; and nothing serious for assistive
 * technology on any. The suite looks at each screen once in each theme.
 */
export async function pantallas([folder, ...roles]) {
  await ensureInstalled();
  const propia = at('.cache', 'pantallas');
  const carpeta = folder ? resolve(folder) : propia;
  // What was there before is somebody's, but for our own folder.
  if (carpeta === propia) rmSync(propia, { recursive: true, force: true });
  makeFolder(carpeta);
  const some = roles.length > 0 ? ['-g', `screens of (${roles.join('|')})$`] : [];
  const walked = await playwright(undefined, ['tests/e2e/pantallas.spec.ts', '--project=historias', ...some], {
    PANTALLAS_DIR: carpeta,
  });
  console.log(`\n${readdirSync(carpeta).length} pantallas en ${carpeta}`);
  conclude([walked]);
}
