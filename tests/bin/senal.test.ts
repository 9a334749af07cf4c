import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const LAUNCHER = fileURLToPath(new URL('../../bin/trastienda.mjs', import.meta.url));
const PLAYWRIGHT = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url));
const PATIENCE = { timeout: 400_000, interval: 250 };

const runs: ChildProcess[] = [];
afterAll(() => runs.forEach((run) => run.kill('SIGTERM')));

/** Starts a program over little, under a mark that everything it starts inherits. */
function begin(args: readonly string[], env: Record<string, string> = {}) {
  const mark = `marca-${randomUUID()}`;
  const run = spawn(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: '/tmp', TRASTIENDA_MARCA: mark, ...env },
  });
  runs.push(run);
  const ended = new Promise<number | null>((done) => run.once('exit', (code) => done(code)));
  return { run, mark, ended };
}

/** Command lines of the living processes that inherited the mark. */
function started(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const inherited = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
        return inherited ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : [];
      } catch {
        return [];
      }
    })
    .filter((command) => command !== '');
}

const foldersOf = ({ pid }: ChildProcess) =>
  ['/dev/shm', '/tmp', tmpdir()].flatMap((place) =>
    existsSync(place)
      ? readdirSync(place).flatMap((name) => (name.startsWith(`trastienda-${pid}-`) ? join(place, name) : []))
      : [],
  );

/** PostgreSQL gets no environment of ours: it is known by the folder that it serves. */
function clustersIn(folders: string[]): number[] {
  return folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const file = join(folder, name, 'postgres', 'postmaster.pid');
      return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : [];
    }),
  );
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Each suite by itself: one follows the other, so both are never alive at once. */
const SIGNALS = [
  { signal: 'SIGTERM', code: 143, chosen: ['--only=e2e', 'tests/e2e/arranque.spec.ts'] },
  { signal: 'SIGINT', code: 130, chosen: ['--only=vitest', 'tests/web.test.ts'] },
] as const;

test.skipIf(process.platform !== 'linux').each(SIGNALS)(
  '$signal to npm test ends $chosen with their webs, worker and databases, and takes its files along',
  { timeout: 600_000 },
  async ({ signal, code, chosen }) => {
    const { run, mark, ended } = begin([LAUNCHER, 'test', ...chosen]);
    const webs = () => started(mark).filter((command) => command.includes('bin/web.mjs')).length;
    await expect.poll(webs, PATIENCE).toBeGreaterThanOrEqual(1);
    await expect.poll(() => clustersIn(foldersOf(run)), PATIENCE).toHaveLength(1);
    const folders = foldersOf(run);
    const clusters = clustersIn(folders);
    expect(folders).toHaveLength(1);

    run.kill(signal);
    expect(await ended).toBe(code);
    expect(foldersOf(run)).toEqual([]);
    await expect.poll(() => [...started(mark), ...clusters.filter(isAlive)], { timeout: 60_000 }).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a run of stories that is killed, and can stop nothing, takes its launcher, web, worker and database along',
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join('/tmp', 'trastienda-muerta-'));
    try {
      chmodSync(folder, 0o755);
      const { run, mark, ended } = begin([PLAYWRIGHT, 'test', 'tests/e2e/arranque.spec.ts'], {
        E2E_DATA_DIR: join(folder, 'datos'),
      });
      const living = (command: string) => started(mark).filter((one) => one.includes(command)).length;
      await expect.poll(() => living('bin/web.mjs'), PATIENCE).toBeGreaterThanOrEqual(1);
      await expect.poll(() => clustersIn([folder]), PATIENCE).toHaveLength(1);
      const clusters = clustersIn([folder]);

      run.kill('SIGKILL');
      await ended;
      await expect
        .poll(() => [living('trastienda.mjs start'), living('web.mjs'), living('/worker')], { timeout: 60_000 })
        .toEqual([0, 0, 0]);
      await expect.poll(() => clusters.filter(isAlive), { timeout: 60_000 }).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
