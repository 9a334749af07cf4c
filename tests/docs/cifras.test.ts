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
/** As `startWorker` opens them: the jobs of each lane, one that listens in each, four to spare, and one for the heartbeat. */
const WORKER = lanes.reduce((sum, atOnce) => sum + atOnce + 1, 4) + 1;
const WEB = defaultOf('DB_POOL');

test('README says how many connections a worker takes, and how many two of each need', () => {
  const readme = readProjectFile('README.md').replace(/\s+/g, ' ');
  const said = /a worker up to (\d+) .*?two of each need `max_connections` above (\d+)/.exec(readme);
  expect(said?.slice(1).map(Number)).toEqual([WORKER, 2 * (WEB + WORKER)]);
});

test('the pools of a worker are opened as this counts them', () => {
  const worker = readProjectFile('jobs/worker.ts');
  expect(worker).toContain('lanes.reduce((sum, { atOnce }) => sum + atOnce + 1, 4)');
  expect(worker.match(/openDatabase\(url, \{/g)).toHaveLength(2);
  expect(worker).toContain("openDatabase(url, { max: 1, name: 'trastienda-latido' })");
});

test('the embedded PostgreSQL allows what README says', () => {
  const [, allowed] = /The embedded one allows (\d+)/.exec(readProjectFile('README.md')) ?? [];
  expect(readProjectFile('db/embedded.ts')).toMatch(new RegExp(`max_connections\\b.*\\b${allowed}\\b`));
  expect(Number(allowed)).toBeGreaterThan(2 * (WEB + WORKER));
});
