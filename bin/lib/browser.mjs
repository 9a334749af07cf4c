import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, Complaint } from './project.mjs';

/** The headless shell first: it is what Playwright itself brings for pages that nobody sees, and it draws for less processor than a whole browser. */
const SYSTEM = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const SPARTICUZ = '@sparticuz/chromium@143.0.4';

/**
 * Returns the path of a Chromium that runs here: CHROMIUM_PATH, Playwright's, the system's, or a fresh installation.
 * Sets CHROMIUM_PATH for the processes started later. Throws a Complaint when none runs.
 */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!works(named)) throw new Complaint(`CHROMIUM_PATH=${named} no arranca.`);
    return named;
  }
  const { chromium } = await import('playwright');
  const found =
    firstThatWorks([chromium.executablePath(), ...SYSTEM]) ??
    installPlaywrights(chromium) ??
    installSystems() ??
    (await unpackSparticuz());
  if (!found)
    throw new Complaint(
      'No hay un Chromium que arranque y no se pudo instalar. Instala uno e indica su ruta en CHROMIUM_PATH.',
    );
  process.env.CHROMIUM_PATH = found;
  return found;
}

const works = (path) => spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;

function firstThatWorks(names) {
  return names.map(whereIs).filter(Boolean).find(works);
}

/** Returns the whole path of a command, as Playwright needs; undefined when the command is missing. */
function whereIs(name) {
  if (isAbsolute(name)) return existsSync(name) ? name : undefined;
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: at(), stdio: ['ignore', 'ignore', 'inherit'], ...options }).status === 0;

function installPlaywrights(chromium) {
  console.log('No encuentro Chromium; se descarga el de Playwright...');
  run(process.execPath, [at('node_modules/playwright/cli.js'), 'install', 'chromium'], { stdio: 'ignore' });
  return firstThatWorks([chromium.executablePath()]);
}

function installSystems() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return undefined;
  console.log('Se instala el Chromium del sistema (apt-get)...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = (name) => run('apt-get', ['install', '-y', '--no-install-recommends', name], { env });
  const some = () => install('chromium-headless-shell') || install('chromium');
  if (!some()) {
    run('apt-get', ['update'], { env });
    some();
  }
  return firstThatWorks(SYSTEM);
}

/**
 * Installs a Chromium with its own libraries and fonts, for Linux x64. The package unpacks both only when
 * AWS_EXECUTION_ENV names this environment.
 */
async function unpackSparticuz() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  console.log(`Se instala ${SPARTICUZ}...`);
  const folder = at('.cache', 'chromium');
  if (!run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', SPARTICUZ])) return undefined;
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
  const { default: chromium } = await import(
    pathToFileURL(createRequire(join(folder, 'x.js')).resolve('@sparticuz/chromium')).href
  );
  return firstThatWorks([await chromium.executablePath()]);
}
