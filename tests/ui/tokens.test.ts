import { expect, test } from 'vitest';
import { filesUnder, readProjectFile } from '../support/sources';

const css = readProjectFile('app/ui/tokens.css');

/** The tokens of one theme, by name; what both share included. */
function tokensOf(scheme: 'light' | 'dark'): Record<string, string> {
  const blocks = [...css.matchAll(/^ *(:root[^{]*)\{([^}]*)\}/gm)].filter(
    ([, selector]) =>
      !selector!.includes(':root:root') && (!/scheme=/.test(selector!) || selector!.includes(`'${scheme}'`)),
  );
  return Object.fromEntries(
    blocks.flatMap(([, , body]) =>
      [...body!.matchAll(/(?<![\w-])--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
    ),
  );
}

/** WCAG 2.2's relative luminance and contrast. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const GROUNDS = ['fondo', 'papel', 'hundido', 'alzado'];
const ROWS = ['fila-aviso', 'fila-mal', 'acento-tenue'];
const TINTS = ['ok-tenue', 'aviso-tenue', 'mal-tenue', 'info-tenue'];
const TONES = ['ok', 'aviso', 'mal', 'info'];

/** What is read, what it is read on, and how much it must stand out: 4.5 for text, 3 for the edge of a control and the part of a picture. */
const PAIRS: { inks: string[]; on: string[]; least: number }[] = [
  { inks: ['tinta', 'suave'], on: [...GROUNDS, ...ROWS, ...TINTS], least: 4.5 },
  { inks: ['tenue'], on: [...GROUNDS, 'fila-aviso', 'fila-mal'], least: 4.5 },
  { inks: ['acento'], on: [...GROUNDS, ...ROWS], least: 4.5 },
  { inks: ['acento-fuerte'], on: ['acento-tenue', 'papel', 'hundido'], least: 4.5 },
  { inks: TONES, on: [...GROUNDS, ...ROWS], least: 4.5 },
  { inks: ['sobre-relleno'], on: ['relleno', 'relleno-hover', 'relleno-mal'], least: 4.5 },
  { inks: ['borde'], on: [...GROUNDS, ...ROWS], least: 3 },
  { inks: ['grafica-1', 'grafica-2', 'grafica-3', 'grafica-4', 'grafica-5', 'grafica-resto'], on: ['papel'], least: 3 },
];

test.each(['light', 'dark'] as const)('everything people read stands out from what it lies on: %s', (scheme) => {
  const tokens = tokensOf(scheme);
  const of = (name: string) => tokens[name] ?? expect.fail(`no token --${name}`);
  const faint = PAIRS.flatMap(({ inks, on, least }) =>
    inks.flatMap((ink) =>
      on.flatMap((ground) => {
        const ratio = contrast(of(ink), of(ground));
        return ratio < least ? [`--${ink} on --${ground}: ${ratio.toFixed(2)} < ${least}`] : [];
      }),
    ),
  );
  const own = TONES.flatMap((tone) => {
    const ratio = contrast(of(tone), of(`${tone}-tenue`));
    return ratio < 4.5 ? [`--${tone} on its tint: ${ratio.toFixed(2)}`] : [];
  });
  expect([...faint, ...own]).toEqual([]);
});

test('both themes say the same tokens', () => {
  expect(Object.keys(tokensOf('dark')).sort()).toEqual(Object.keys(tokensOf('light')).sort());
});

test('contrast is computed as WCAG says', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#2f5fad', '#ffffff')).toBeCloseTo(6.25, 2);
  expect(contrast('#7c8593', '#f5f6f8')).toBeCloseTo(3.45, 2);
});

const LITERAL = /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb)\(/i;
const NAMED =
  /\b(?:color|background|fill|stroke|border[\w-]*|shadow)['"]?\s*[:=][^;]*\b(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b/i;

/** What a line says of colours by itself. Comments and addresses of the page ('#menu') are not colours. */
function coloursIn(path: string, text: string): string[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  return bare
    .split('\n')
    .flatMap((line) => (LITERAL.test(line) || NAMED.test(line) ? [`${path}: ${line.trim()}`] : []));
}

test('nothing but tokens.css writes a colour', () => {
  // Paper has its own ink: what only the server draws is no screen.
  const files = [...filesUnder('app')].filter(
    (path) => /\.(css|tsx?)$/.test(path) && !/\.server\.tsx?$/.test(path) && path !== 'app/ui/tokens.css',
  );
  expect(files.filter((path) => path.endsWith('.css')).length).toBeGreaterThan(5);
  expect(files.flatMap((path) => coloursIn(path, readProjectFile(path)))).toEqual([]);
});

test.each([
  ['color: #fff;', 1],
  ['background: rgb(20 30 45 / 40%);', 1],
  ["const COLORES = ['#0072b2'];", 1],
  ['<rect fill="white" />', 1],
  ['color: red;', 1],
  ['color: var(--mal);', 0],
  ['<a href="#menu">', 0],
  ['/* was #fff once */', 0],
  ['border: 1px solid currentcolor;', 0],
])('what counts as a colour: %s', (line, found) => {
  expect(coloursIn('somewhere', line)).toHaveLength(found);
});

test('every token that is used exists', () => {
  const known = new Set([...css.matchAll(/(?<![\w-])--([\w-]+):/g)].map(([, name]) => name!));
  const files = [...filesUnder('app')].filter((path) => /\.(css|tsx?)$/.test(path) && path !== 'app/ui/tokens.css');
  const texts = files.map((path) => [path, readProjectFile(path)] as const);
  const own = new Set(
    texts.flatMap(([, text]) => [...text.matchAll(/(?<![\w-])--([\w-]+)['"]?\]?:/g)].map(([, name]) => name!)),
  );
  const unknown = texts.flatMap(([path, text]) =>
    [...text.matchAll(/var\(--([\w-]+)/g)]
      .map(([, name]) => name!)
      // Mantine's are its own, and one that ends open is put together (`--grafica-${n}`).
      .filter((name) => !/-$|^(?:mantine|input)-/.test(name) && !known.has(name) && !own.has(name))
      .map((name) => `${path}: --${name}`),
  );
  expect(unknown).toEqual([]);
});
