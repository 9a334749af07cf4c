import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { lanesOf } from '~jobs/lanes';
import { TASK_LIST } from '~jobs/tasks/index';
import { readProjectFile } from '../support/sources';

/** The default of a number in the settings. */
function defaultOf(name: string): number {
  const line = readProjectFile('app/core/env.server.ts')
    .split('\n')
    .find((one) => one.includes(` ${name}: `))!;
  return Number(/\.default\((\d+)\)/.exec(line)![1]);
}

const AT_MOST = defaultOf('WORKER_CONCURRENCY');
const lanes = lanesOf(TASK_LIST).map(({ atOnce }) => Math.min(AT_MOST, atOnce));
/** As `startWorker` opens them: the jobs of each lane, four to spare, one that listens for all lanes, and two for heartbeat and looks. */
const WORKER = lanes.reduce((sum, atOnce) => sum + atOnce, 4) + 1 + 2;
const WEB = defaultOf('DB_POOL');

test('README says how many connections a worker takes, and how many two of each need', () => {
  const readme = readProjectFile('README.md').replace(/\s+/g, ' ');
  const said = /a worker up to (\d+) .*?two of each need `max_connections` above (\d+)/.exec(readme);
  expect(said?.slice(1).map(Number)).toEqual([WORKER, 2 * (WEB + WORKER)]);
});

test('the pools of a worker are opened as this counts them', () => {
  const worker = readProjectFile('jobs/worker.ts');
  expect(worker).toContain('lanes.reduce((sum, { atOnce }) => sum + atOnce, 4)');
  expect(worker.match(/openDatabase\(/g)).toHaveLength(3);
  expect(worker).toContain("openDatabase(direct ?? url, { max: 1, name: 'trastienda-escucha' })");
  expect(worker).toContain("openDatabase(url, { max: 2, name: 'trastienda-latido', shared })");
});

test('the embedded PostgreSQL allows what README says', () => {
  const [, allowed] = /The embedded one allows (\d+)/.exec(readProjectFile('README.md')) ?? [];
  expect(readProjectFile('db/embedded.ts')).toMatch(new RegExp(`max_connections\\b.*\\b${allowed}\\b`));
  expect(Number(allowed)).toBeGreaterThan(2 * (WEB + WORKER));
});

/** Each setting of web and worker with its default, where that is a plain value. */
function settings(): [name: string, usual: string | undefined][] {
  const source = readProjectFile('app/core/env.server.ts');
  const table = source.slice(source.indexOf('const Env = '), source.indexOf('\n});'));
  return [...table.matchAll(/^ {2}([A-Z][A-Z_]+): (.*)$/gm)].map(([, name, rest]) => [
    name!,
    /\.default\('?([\w./:-]+)'?\)/.exec(rest!)?.[1] ?? /^days\(\d+, (\d+)\)/.exec(rest!)?.[1],
  ]);
}

test('README names each setting of web and worker, with its default where that is a number', () => {
  const rows = readProjectFile('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const wrong = settings().flatMap(([name, usual]) => {
    const row = rows.find((line) => line.split('|')[1]!.includes(`\`${name}\``));
    if (!row) return name === 'NODE_ENV' ? [] : [`${name} has no row`];
    const [, names, said] = row.split('|');
    const place = [...names!.matchAll(/`([A-Z_]+)`/g)].findIndex(([, one]) => one === name);
    const told = said!.trim().split(', ');
    const its = told.length > place ? told[place] : undefined;
    const isNumber = usual !== undefined && /^\d+(_\d+)*$/.test(usual);
    return isNumber && its?.replaceAll(',', '') !== usual.replaceAll('_', '') ? [`${name}: ${its} is ${usual}`] : [];
  });
  expect(settings().length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

async function scriptKb(entry: string, target: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outdir: 'build',
    minify: true,
    format: 'esm',
    target,
    legalComments: 'none',
    logLevel: 'error',
  });
  return brotliCompressSync(outputFiles[0]!.contents).length / 1024;
}

test('scripts of the public pages and of the warehouse weigh what the page on the three ways says', async () => {
  const page = readProjectFile('docs/decisions/tres-paginas.md');
  const said = (word: RegExp) => Number(word.exec(page)?.[1]);
  const [publico, bodega] = await Promise.all([
    scriptKb('app/ui/publico/publico.ts', 'es2021'),
    scriptKb('app/bodega/bodega.ts', 'es2022'),
  ]);
  expect(Math.round(publico)).toBe(said(/\b(\d{1,3}) kB of one plain script/));
  expect(Math.round(bodega)).toBe(said(/\b(\d{1,3}) kB of script/));
});

test('the sprite of icons is smaller than its page says', () => {
  const most = Number(/less than (\d+) kB in brotli/.exec(readProjectFile('docs/decisions/pantalla.md'))?.[1]);
  expect(brotliCompressSync(readProjectFile('app/ui/iconos.svg')).length / 1024).toBeLessThan(most);
});

test('each file that is only told at length is there: one that moved would be told every time', () => {
  const [, list] = /AT_LENGTH = \[([^\]]*)\]/.exec(readProjectFile('bin/lib/test.mjs'))!;
  const files = [...list!.matchAll(/'([^']+)'/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(readProjectFile(file), file).toContain('test(');
});
