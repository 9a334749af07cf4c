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

/** Classes that a program puts together: `t-${tarjeta}` of a card's cells, `sin-${hideUnder}` of columns. */
const BUILT = /^(?:t|sin)-/;

test('every class of a sheet is worn: a rule for a class that no part has is dead', () => {
  const parts = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const words = new Set(parts.flatMap((path) => readFileSync(`app/${path}`, 'utf8').match(/[a-z][\w-]*/gi) ?? []));
  const dead = SHEETS.flatMap((path) => {
    const selectors = readFileSync(path, 'utf8')
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\{[^{}]*\}/g, '{}');
    return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!))]
      .filter((name) => !words.has(name) && !BUILT.test(name) && !name.startsWith('mantine-'))
      .map((name) => `${path}: .${name}`);
  });
  expect(dead).toEqual([]);
});
