import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROPIEDADES } from './auditar';

test('docs/mundo.md tells every property in the words of the auditor', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/mundo.md'), 'utf8');
  const told = [...page.matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)].map(([, id, sentence]) => [id, sentence]);
  expect(Object.fromEntries(told)).toEqual(PROPIEDADES);
});
