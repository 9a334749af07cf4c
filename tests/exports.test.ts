import { expect, test } from 'vitest';
import { readProjectFile, readSources } from './support/sources';

/** What a framework calls by its name. */
const CALLED = new Set(['action', 'default', 'handleDataRequest', 'headers', 'links', 'loader', 'meta', 'up']);
/** Doors of tests: what a program takes in at its start, and how to look at it. */
const DOORS = new Set(['crearCliente', 'forgetEnv', 'registerFuente', 'registerLiquidaciones', 'schemasOf']);

const programs = readSources(['app', 'db', 'jobs', 'bin']);
const EXPORT = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|type|interface|enum|let) ([\w$]+)/gmu;

test('nothing is exported that no program names again', () => {
  const named = new Map<string, number>();
  // The browser's tests are started by a file of the root.
  for (const text of [...programs.map((one) => one.text), readProjectFile('playwright.config.ts')])
    for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*/gu)) named.set(name, (named.get(name) ?? 0) + 1);
  const dead = programs.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORT)]
      .map(([, name]) => name!)
      .filter((name) => named.get(name) === 1 && !CALLED.has(name) && !DOORS.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(dead).toEqual([]);
});
