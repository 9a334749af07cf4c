/** `deploy/Dockerfile` and `deploy/compose.yaml`, held against the tree: no image is built here, so what they name has to be there. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeSettings } from '~/core/env.server';
import { webOf, workerOf } from '../../bin/lib/settings.mjs';
import { readProjectFile } from '../support/sources';

const dockerfile = readProjectFile('deploy/Dockerfile');
const compose = readProjectFile('deploy/compose.yaml');
const scripts = Object.keys((JSON.parse(readProjectFile('package.json')) as { scripts: object }).scripts);
const listIn = (text: string) => text.split(',').map((word) => word.trim().replace(/^['"](.*)['"]$/, '$1'));
/** What the second word of a line like `COPY a b` names, and the rest of them. */
const lines = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, words]) => words!);
/** The text of a service, or of what several share, up to the next of its depth. */
const blockOf = (name: string) =>
  new RegExp(`^( {0,2})${name}:.*\n((?:\\1 +.*\n|\n)*)`, 'm').exec(compose)?.[2] ?? expect.fail(`no ${name}`);

test('the image copies what is there, and is of the Node that the project names', () => {
  const copied = lines('COPY').filter((words) => !words.startsWith('--from='));
  const sources = copied.flatMap((words) => words.split(' ').slice(0, -1));
  expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'bin']));
  const ignored = readProjectFile('deploy/Dockerfile.dockerignore').trim().split('\n');
  expect(sources.filter((path) => ignored.includes(path))).toEqual([]);
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.data', 'build', 'node_modules']));
  const stages = new Map(lines('FROM').map((words) => [words.split(' as ')[1] ?? words.split(' AS ')[1], words]));
  for (const words of stages.values()) expect(words).toMatch(`node:${readProjectFile('.nvmrc').trim()}-`);
  for (const [, stage] of dockerfile.matchAll(/--from=(\w+)/g)) expect([...stages.keys()]).toContain(stage);
  for (const [, script] of dockerfile.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toContain(script);
});

test('it runs as nobody special, and starts what the launcher starts', () => {
  expect(lines('USER')).toEqual(['node']);
  expect(listIn(/^CMD \[(.*)\]$/m.exec(dockerfile)![1]!)).toEqual(['node', ...webOf()]);
  expect(listIn(/command: \[(.*)\]/.exec(blockOf('x-worker'))![1]!)).toEqual(['node', ...workerOf()]);
  for (const [, path] of (dockerfile + compose).matchAll(/\b(bin\/[\w/]+\.mjs)/g)) expect(existsSync(path!)).toBe(true);
  // The unit of systemd keeps the same allocator.
  expect(lines('ENV')[0]).toContain('MALLOC_ARENA_MAX=2');
});

test('what it sets are settings, and what it asks for is said', () => {
  const settings = new Set([...describeSettings().map(({ name }) => name), 'MIGRACION_URL', 'TZ', 'MALLOC_ARENA_MAX']);
  const own = [
    ...lines('ENV').flatMap((words) => words.split(' ').map((word) => word.split('=')[0]!)),
    ...[blockOf('x-proceso'), blockOf('migrar')].flatMap((text) =>
      [...text.matchAll(/^ {4,}([A-Z][A-Z_]+):/gm)].map(([, name]) => name!),
    ),
  ];
  expect(own).toEqual(expect.arrayContaining(['HOST', 'PORT', 'DATABASE_URL', 'MIGRACION_URL', 'PROXY_HOPS']));
  expect(own.filter((name) => !settings.has(name))).toEqual([]);
  const head = compose.slice(0, compose.indexOf('name:'));
  for (const [, name] of compose.matchAll(/\$\{(\w+)/g)) expect(head).toContain(name);
});

test('processes have a read-only root, time to stop, and the connections they take', () => {
  const process = blockOf('x-proceso');
  for (const words of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true', '/opt/trastienda/build:ro'])
    expect(process).toContain(words);
  expect(Number(/stop_grace_period: (\d+)s/.exec(process)?.[1])).toBeGreaterThanOrEqual(5 + 15);
  const count = (kind: string) => [...compose.matchAll(new RegExp(`^ {2}${kind}-\\d+: \\*`, 'gm'))].length;
  const [, perWorker] = /a worker up to (\d+) /.exec(readProjectFile('README.md'))!;
  const pool = Number(describeSettings().find(({ name }) => name === 'DB_POOL')!.usual);
  const need = count('web') * pool + count('worker') * Number(perWorker);
  expect(Number(/max_connections=(\d+)/.exec(compose)?.[1])).toBeGreaterThan(need);
});

test('the proxy leads to each web by the file that is there', () => {
  const webs = [...compose.matchAll(/^ {2}(web-\d+): \*/gm)].map(([, name]) => `${name}:3000`);
  expect(webs.length).toBeGreaterThan(1);
  expect(/WEBS: (.*)$/m.exec(compose)?.[1]?.split(' ')).toEqual(webs);
  for (const [, path] of compose.matchAll(/'\.\/([\w.]+):/g)) expect(existsSync(`deploy/${path}`)).toBe(true);
  expect(existsSync(/dockerfile: (\S+) /.exec(compose)![1]!)).toBe(true);
  expect(readProjectFile('deploy/Caddyfile')).toMatch(/\{\$DOMINIO:[\w.]+\} \{\n\treverse_proxy \{\$WEBS:/);
});
