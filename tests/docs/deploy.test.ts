/** What `deploy/` says is what the launcher and the settings say: an operator who copies it starts the same processes. */
import { expect, test, vi } from 'vitest';
import { webOf, workerOf } from '../../bin/lib/settings.mjs';
import { ejemploDeAjustes } from '../../bin/ejemploDeAjustes';
import { readProjectFile } from '../support/sources';

const lineOf = (file: string, name: string) =>
  readProjectFile(`deploy/${file}`)
    .split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);

test('the units start what the launcher starts, and give a stop its time', () => {
  for (const [file, words] of [
    ['trastienda-web@.service', webOf()],
    ['trastienda-worker@.service', workerOf()],
  ] as const) {
    expect(lineOf(file, 'ExecStart')).toBe(['/usr/bin/node', ...words].join(' '));
    expect([lineOf(file, 'RestartPreventExitStatus'), lineOf(file, 'Environment')]).toEqual([
      '78',
      expect.stringContaining('MALLOC_ARENA_MAX=2'),
    ]);
    // Five seconds of notice, ten for the answers under way, and the force that ends what hangs.
    expect(Number(lineOf(file, 'TimeoutStopSec'))).toBeGreaterThanOrEqual(5 + 15);
  }
});

test('the example is what the schema writes: npm run ajustes', () => {
  expect(readProjectFile('deploy/trastienda.env.example')).toBe(
    ejemploDeAjustes(readProjectFile('app/core/env.server.ts')),
  );
});

/** The lines of the example that set something, or would without their mark. */
const settingsIn = (mark: '' | '#') =>
  readProjectFile('deploy/trastienda.env.example')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = new RegExp(`^${mark}([A-Z][A-Z0-9_]*)=(.*)$`).exec(line) ?? [];
      return name === undefined ? [] : [[name, value!.replace(/^"(.*)"$/, '$1')] as const];
    });

test('a process starts with the settings of the example, and with each of the others beside them', async () => {
  const [given, others] = [settingsIn(''), settingsIn('#')];
  expect(given.map(([name]) => name)).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'LLAVES', 'APP_URL', 'PROXY_HOPS']),
  );
  expect(others.length).toBeGreaterThan(50);
  for (const lines of [given, [...given, ...others]]) {
    vi.resetModules();
    for (const [name, value] of lines) vi.stubEnv(name, value);
    const { env } = await import('~/core/env.server');
    const settings = env() as Record<string, unknown>;
    vi.unstubAllEnvs();
    expect(lines.filter(([name]) => !(name in settings))).toEqual([]);
  }
});

test('the proxy asks each web whether it is ready, oftener than a web that leaves says no', () => {
  const proxy = readProjectFile('deploy/Caddyfile');
  expect(proxy).toContain('health_uri /healthcheck/listo');
  expect(Number(/health_interval (\d+)s/.exec(proxy)?.[1])).toBeLessThan(5);
  expect(proxy).toContain('respond /metrics 404');
});
