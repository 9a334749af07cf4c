import { expect, test } from 'vitest';
import { isAllowed, productionParts } from '../../bin/lib/sbom.mjs';
import { readProjectFile } from '../support/sources';

test('every package that runs in production has a licence we may hand on', () => {
  const parts = productionParts();
  expect(parts.length).toBeGreaterThan(100);
  expect(parts.filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test('each dependency of package.json is among them', () => {
  const { dependencies } = JSON.parse(readProjectFile('package.json')) as { dependencies: Record<string, string> };
  const names = new Set(productionParts().map(({ name }) => name));
  // One that is installed under another name says which it is: 'npm:@e965/xlsx@0.20.3'.
  const real = ([name, version]: [string, string]) => /^npm:(.+)@/.exec(version)?.[1] ?? name;
  expect(
    Object.entries(dependencies)
      .map(real)
      .filter((name) => !names.has(name)),
  ).toEqual([]);
});

test('of licences to choose from one is enough, of licences together each counts', () => {
  expect(isAllowed('MIT')).toBe(true);
  expect(isAllowed('(MIT OR GPL-3.0-only)')).toBe(true);
  expect(isAllowed('MIT AND GPL-3.0-only')).toBe(false);
  expect(isAllowed('AGPL-3.0-only')).toBe(false);
  expect(isAllowed('sin licencia')).toBe(false);
});
