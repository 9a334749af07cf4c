import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { at, Complaint, hashOf, readJson } from './project.mjs';

const MARK = at('node_modules', '.trastienda-lock');

const wanted = () => `${hashOf(['package-lock.json'])} ${process.platform}-${process.arch}\n`;

/**
 * Runs `npm ci` when the installed packages differ from the lockfile; returns whether anything was installed. `before`
 * runs first, because npm ci removes packages under running processes.
 */
export async function ensureInstalled({ before = async () => {} } = {}) {
  if (isInstalled()) return false;
  await before();
  console.log('Instalando dependencias (npm ci)...');
  // devDependencies are needed by the build, so npm installs these with NODE_ENV=production too.
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
  const child = spawn(npm[0], [...npm[1], 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: at(),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && npm[0] === 'npm',
  });
  process.once('exit', () => child.kill());
  const code = await new Promise((done, fail) => {
    child.once('exit', done);
    child.once('error', (error) =>
      fail(new Complaint(`No encuentro npm (${error.message}). Instala Node 20.19 o posterior con npm.`)),
    );
  });
  if (code !== 0) throw new Complaint('npm ci falló: revisa la conexión a internet y vuelve a intentar.');
  writeFileSync(MARK, wanted());
  return true;
}

function isInstalled() {
  if (readMark() === wanted()) return true;
  if (!agreesWithLockfile()) return false;
  writeFileSync(MARK, wanted());
  return true;
}

function readMark() {
  return existsSync(MARK) ? readFileSync(MARK, 'utf8') : undefined;
}

/** Returns whether npm's own record of the installation matches the lockfile, as after `npm ci` by hand. */
function agreesWithLockfile() {
  const [lock, installed] = [readJson(at('package-lock.json')), readJson(at('node_modules', '.package-lock.json'))];
  if (!lock || !installed) return false;
  return Object.entries(lock.packages).every(([path, { version, optional, peer, integrity }]) => {
    if (path === '') return true;
    const there = installed.packages[path];
    if (!there) return Boolean(optional || peer);
    return there.version === version && there.integrity === integrity && existsSync(at(path, 'package.json'));
  });
}
