import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesUnder } from '../support/sources';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md'].filter((path) => existsSync(join(ROOT, path))),
  ...filesUnder('docs').filter((path) => path.endsWith('.md')),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const npm = new Set([...Object.keys(scripts), 'ci', 'i', 'sbom', 'audit']);

/** Written by the build, by a command or by a start, and so not in the tree. */
const MADE = /^(build|\.cache|\.data|node_modules|secretos\.json|sbom\.json)\b/;
/** A path with a hole in it, such as `app/integrations/<api>`: what stands before the hole exists. */
const solid = (path: string) => path.split(/[<*{…]/)[0]!.replace(/\/$/, '');

const exists = (path: string) =>
  ['', '.ts', '.tsx', '.server.ts', '.mjs'].some((end) => existsSync(join(ROOT, `${path}${end}`)));

test('each path that a document names exists', () => {
  const wrong = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.~-])(?:~\/|~db\/|(?:app|db|jobs|tests|bin|docs)\/)[\w./<>*{}…-]*[\w>*}/]/g)]
      .map(([found]) => found.replace(/^~\//, 'app/').replace(/^~db\//, 'db/'))
      .filter((found) => !MADE.test(found) && !exists(solid(found)))
      .map((found) => `${path}: ${found}`),
  );
  expect(wrong).toEqual([]);
});

test('each link between documents leads to a file', () => {
  const wrong = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, to]) => normalize(join(dirname(path), to!)))
      .filter((to) => !existsSync(join(ROOT, to)))
      .map((to) => `${path}: ${to}`),
  );
  expect(wrong).toEqual([]);
});

test('each `npm run` that a document names is a script', () => {
  const wrong = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm run ([a-z][\w:]*)/g)]
      .filter(([, name]) => !npm.has(name!))
      .map(([found]) => `${path}: ${found}`),
  );
  expect(wrong).toEqual([]);
});

test('README names each script of package.json', () => {
  const readme = PAGES.find(({ path }) => path === 'README.md')!.text;
  const named = (name: string) =>
    ['start', 'test'].includes(name) ? readme.includes(`npm ${name}`) : new RegExp(`npm run ${name}\\b`).test(readme);
  expect(Object.keys(scripts).filter((name) => !named(name))).toEqual([]);
});

/** A file that a page names by its last part alone: there is one, or several, of that name. */
test('each file that a document names by its last part is somewhere in the tree', () => {
  const names = new Set(
    ['app', 'bin', 'db', 'jobs', 'tests', 'docs']
      .flatMap(filesUnder)
      .map((path) => path.slice(path.lastIndexOf('/') + 1)),
  );
  const wrong = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/`(\w[\w.-]*\.(?:server\.ts|test\.tsx?|spec\.ts|tsx?|mjs|css|sql|json))`/g)]
      .filter(([, name]) => !names.has(name!) && !MADE.test(name!) && !existsSync(join(ROOT, name!)))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

/** Words of other programs, of the web and of far sides: ours to mention, not to have. */
const FOREIGN = new Set(['createrole', 'defer', 'jsqr', 'BodyUsedError', 'pg_ctl']);

/** A page without its blocks of code. */
const proseOf = (text: string) =>
  text
    .split('\n```')
    .filter((_, n) => n % 2 === 0)
    .join('\n');

test('each name that a document says in code is a name of the tree', () => {
  const tree = ['app', 'bin', 'db', 'deploy', 'jobs', 'tests']
    .flatMap(filesUnder)
    .filter((path) => /\.(tsx?|mjs|css|sql|json)$|^deploy\//.test(path) && !path.startsWith('tests/docs/'))
    .map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const words = new Set(
    [...tree, readFileSync(join(ROOT, 'package.json'), 'utf8')].flatMap((text) => text.match(/[a-z_]\w*/gi) ?? []),
  );
  const wrong = PAGES.flatMap(({ path, text }) =>
    [...proseOf(text).matchAll(/`([a-z_][\w.]*)(?:\(\))?`/gi)]
      .flatMap(([, name]) => name!.split('.'))
      .filter((name) => name !== '' && !words.has(name) && !FOREIGN.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect([...new Set(wrong)]).toEqual([]);
});
