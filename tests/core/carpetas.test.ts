/** Folders that settings name: one that nobody can make ends a start in words, and keeps no process turning. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderFaults, makeFolder } from '~/core/carpetas.server';

/** A file system that lets nobody make a folder. */
const NOBODYS = '/proc/trastienda/datos';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'carpetas-'));
});
afterEach(() => rmSync(place, { recursive: true }));

test('a folder is made with those above it, and one that cannot be made is said at once', () => {
  const inside = join(place, 'a', 'b');
  makeFolder(inside, 0o700);
  makeFolder(inside);
  expect(statSync(join(place, 'a')).mode & 0o777).toBe(0o700);
  expect(folderFaults({ CAPTURAS: NOBODYS }, ['CAPTURAS'])).toEqual([
    { ajuste: 'CAPTURAS', dice: `${NOBODYS} no existe` },
  ]);
});

test.each([
  ['start', { DATA_DIR: NOBODYS }, `DATA_DIR: ${NOBODYS} no se puede crear.`],
  ['start', { RESPALDOS: NOBODYS }, `RESPALDOS: ${NOBODYS} no se puede crear.`],
  ['start', { DATA_DIR: 'archivo' }, 'archivo no es una carpeta.'],
  ['respaldar', { RESPALDOS: NOBODYS }, `RESPALDOS: ${NOBODYS} no se puede crear.`],
])('npm run %s refuses %o in words', (command, settings, says) => {
  const file = join(place, 'archivo');
  writeFileSync(file, '');
  const named = Object.fromEntries(
    Object.entries({ DATA_DIR: join(place, 'datos'), ...settings }).map(([name, folder]) => [
      name,
      folder === 'archivo' ? file : folder,
    ]),
  );
  const { status, stderr } = spawnSync(process.execPath, ['bin/trastienda.mjs', command], {
    env: { ...process.env, DATABASE_URL: '', MIGRACION_URL: '', PORT: '0', ...named },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect([status, stderr.trim().endsWith(says), stderr.split('\n').length]).toEqual([1, true, 2]);
  expect(existsSync(join(place, 'datos', 'run.json'))).toBe(false);
});

test('no folder of the product is made by a call that turns for ever where it cannot be made', () => {
  const sources = ['app', 'db', 'jobs', 'bin'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path))
      .map((path) => join(room, path)),
  );
  const turning = sources.filter((path) => /\bmkdir(?:Sync)?\([^;]*?recursive: true/.test(readFileSync(path, 'utf8')));
  expect(turning).toEqual([]);
});
