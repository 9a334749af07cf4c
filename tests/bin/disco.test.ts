import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openLog, rotateLog } from '../../bin/lib/logs.mjs';
import { livingRun, RunFile } from '../../bin/lib/runfile.mjs';

const folder = mkdtempSync(join(tmpdir(), 'trastienda-disco-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run file that cannot be written is told once and stops nobody; once it can, it is there', () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const place = join(folder, 'sin-sitio');
  mkdirSync(join(place, 'run.json.nuevo'), { recursive: true });
  const run = new RunFile(place, { appUrl: 'http://127.0.0.1:1' });
  run.started('web', process.pid);
  run.ended('web');
  expect(told).toHaveBeenCalledTimes(1);
  expect(told.mock.calls[0]![0]).toContain('todo sigue en marcha');
  expect(livingRun(place)).toBeUndefined();
  rmSync(join(place, 'run.json.nuevo'), { recursive: true });
  run.note({ databaseUrl: 'postgres://aqui' });
  expect(livingRun(place)?.databaseUrl).toBe('postgres://aqui');
  run.close();
});

test('a process whose output finds the disk full runs on', async () => {
  if (!existsSync('/dev/full')) return expect(process.platform).not.toBe('linux');
  const script = `import { log } from './app/core/log.server.ts';
    for (let n = 0; n < 20; n++) { log.info('no cabe'); await new Promise((r) => setTimeout(r, 5)); }
    process.exit(7);`;
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', full, 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([7, null]);
});

test('a log that grows is moved to .1 while its process writes on, and five are kept', () => {
  const path = join(folder, 'web.log');
  const log = openLog(path)!;
  for (let n = 1; n <= 8; n++) {
    writeFileSync(log, `vuelta ${n} ${'x'.repeat(200)}\n`);
    expect(rotateLog(path, { max: 100 })).toBe(true);
    expect(statSync(path).size).toBe(0);
  }
  writeFileSync(log, 'sigue\n');
  expect(readFileSync(path, 'utf8')).toBe('sigue\n');
  const rounds = [1, 2, 3, 4, 5].map((n) => /vuelta (\d)/.exec(readFileSync(`${path}.${n}`, 'utf8'))![1]);
  expect(rounds).toEqual(['8', '7', '6', '5', '4']);
  expect(existsSync(`${path}.6`)).toBe(false);
  expect(rotateLog(path, { max: 100 })).toBe(false);
  appendFileSync(path, '');
});
