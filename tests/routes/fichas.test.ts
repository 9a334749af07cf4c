import { expect, test } from 'vitest';
import { readProjectFile, readSources } from '../support/sources';

test('each record that a screen opens beside its list is answered alone too', () => {
  const fichas = readProjectFile('app/routes/files/fichas.ts');
  const opened = new Set(
    readSources(['app/routes']).flatMap(({ text }) =>
      [...text.matchAll(/openRecord\(request, \w+, (\w+)\)/g)].map(([, record]) => record!),
    ),
  );
  expect(opened.size).toBeGreaterThan(12);
  expect([...opened].filter((record) => !new RegExp(`: ${record},`).test(fichas))).toEqual([]);
});
