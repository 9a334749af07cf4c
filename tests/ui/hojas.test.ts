import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SHEETS = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => `app/${path}`);

/** What stands between the brackets of each `:has(…)`. */
function asked(css: string): string[] {
  return [...css.matchAll(/:has\(/g)].map(({ index }) => {
    const from = index + ':has('.length;
    let depth = 1;
    let at = from;
    while (depth > 0) depth += { '(': 1, ')': -1 }[css[at++]!] ?? 0;
    return css.slice(from, at - 1);
  });
}

/** Elements, each with all that is said of it; what a `:not()` or an `:is()` says is left out. */
const compoundsOf = (selector: string) =>
  selector
    .replace(/\([^()]*\)/g, '')
    .split(/[\s>+~,]+/)
    .filter(Boolean);

test('no sheet asks whether anything at all is in something: a browser would ask again for each row that comes or goes', () => {
  const vague = SHEETS.flatMap((path) =>
    asked(readFileSync(path, 'utf8'))
      .flatMap(compoundsOf)
      .filter((compound) => !/^[a-z]|[.#[]/i.test(compound))
      .map((compound) => `${path}: ${compound}`),
  );
  expect(SHEETS.length).toBeGreaterThan(10);
  expect(vague).toEqual([]);
});
