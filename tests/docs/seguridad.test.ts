import { expect, test } from 'vitest';
import { can, needsProof, type Action } from '~/access/actions';
import { ROLES } from '~/core/usuario';
import { TIPOS } from '~/platform/files/tipos';
import { readProjectFile } from '../support/sources';

/** Cells of the rows of a page's tables, heads left out. */
const rowsOf = (page: string) =>
  readProjectFile(`docs/seguridad/${page}.md`)
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

test('every limit stands in the code as the page says', () => {
  const rows = rowsOf('limites').filter((row) => row.at(-1) !== 'in the code');
  const wrong = rows.flatMap((row) => {
    const [, path, text] = /^`([^`]+)` · `([^`]+)`$/.exec(row.at(-1)!) ?? [];
    return path && text && readProjectFile(path).includes(text) ? [] : [row.join(' | ')];
  });
  expect(rows.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});

test('the types of files that people send are those of the page', () => {
  const said = rowsOf('limites')
    .find(([file]) => file === 'papers of a payment')![1]!
    .toLowerCase();
  expect(
    said
      .split(', ')
      .map((type) => type.replace('jpeg', 'jpg'))
      .sort(),
  ).toEqual(
    Object.values(TIPOS)
      .map(({ extension }) => extension)
      .sort(),
  );
});

test('every right is on the page, with its roles and its proof', () => {
  const source = readProjectFile('app/access/actions.ts');
  const table = source.slice(source.indexOf('const ACTIONS'), source.indexOf('} as const'));
  const rights = [...table.matchAll(/^ {2}'([\w.]+)':/gm)].map(([, right]) => right as Action);
  const inCode = rights.map((right) => {
    const roles = ROLES.filter((rol) => can({ rol }, right));
    return [`\`${right}\``, roles.length === ROLES.length ? 'all' : roles.join(', '), needsProof(right) ? 'yes' : ''];
  });
  const onPage = rowsOf('campos')
    .filter(([right]) => right !== 'right')
    .map((row) => row.slice(0, 3));
  expect(onPage.sort()).toEqual(inCode.sort());
});
