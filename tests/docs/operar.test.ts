/** The page of who runs the product, held against the product. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SIN_MIRAR } from '~/domain/operacion/mantenimiento/internal/condicion';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';

const page = readFileSync('docs/operar.md', 'utf8');

test('each condition has its row, and no row is of one that is gone', () => {
  const table = page.slice(page.indexOf('## What to do at each condition'));
  const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, clave]) => clave);
  expect(rows.toSorted()).toEqual([...CONDICIONES.map(({ clave }) => clave), SIN_MIRAR].toSorted());
});

test('what it says to copy is there', () => {
  for (const [, path] of page.matchAll(/`(deploy\/[^`*]+)`/g)) expect(() => readFileSync(path!)).not.toThrow();
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const [, script] of page.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
});
