import { expect, test } from 'vitest';
import { filesUnder, readProjectFile } from '../support/sources';

/**
 * A sheet comes with the module that imports it. A part that wears the classes of a sheet which only another part brings is dressed on one screen and naked on
 * the next, or dressed from the moment somebody opens a dialog.
 */
const files = filesUnder('app').filter((path) => /\.(?:tsx?|css)$/.test(path));
const texts = new Map(files.map((path) => [path, readProjectFile(path)]));

const STATIC = /^(?:import|export) (?!type )(?:[^'";]*?from )?'([^']+)'/gm;
const LAZY = /import\('([^']+)'\)/g;
/** A sheet brings the sheets that it is made of. */
const MADE_OF = /^@import '(\.[^']+)'/gm;

function reached(from: string, to: string): string[] {
  const folder = from.slice(0, from.lastIndexOf('/'));
  const path = to.startsWith('~/') ? `app/${to.slice(2)}` : new URL(to, `file:///${folder}/`).pathname.slice(1);
  const found = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => path + end).find((one) => texts.has(one));
  return found === undefined ? [] : [found];
}

const namedBy = (how: RegExp) =>
  new Map(
    [...texts].map(([path, text]) => [
      path,
      [...text.matchAll(path.endsWith('.css') ? MADE_OF : how)].flatMap(([, to]) => reached(path, to!)),
    ]),
  );
const [statics, lazies] = [namedBy(STATIC), namedBy(LAZY)];

/** A module and all that comes with it. */
function whole(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const other of statics.get(path) ?? []) whole(other, seen);
  return seen;
}

const classes = new Map(
  files
    .filter((path) => path.endsWith('.css'))
    .map((path) => [
      path,
      new Set(
        [
          ...texts
            .get(path)!
            .replace(/\/\*[^*]*\*\//g, '')
            .matchAll(/\.([a-z][\w-]*)/g),
        ].map(([, name]) => name!),
      ),
    ]),
);

/** What a module wears of our sheets, as far as it is written out. */
const wornIn = (path: string) =>
  [...texts.get(path)!.matchAll(/className="([^"]+)"/g)]
    .flatMap(([, worn]) => worn!.split(' '))
    .filter((name) => [...classes.values()].some((own) => own.has(name)));

test('every part of a screen comes with the sheets whose classes it wears', () => {
  const screens = files.filter((path) => path.startsWith('app/routes/') && /^export default/m.test(texts.get(path)!));
  expect(screens.length).toBeGreaterThan(30);
  const naked = screens.flatMap((screen) => {
    const layout = screen.startsWith('app/routes/public/')
      ? 'app/routes/public/layout.tsx'
      : 'app/routes/area/area.tsx';
    const here = new Set([...whole('app/root.tsx'), ...whole(layout), ...whole(screen)]);
    const parts = [...here].flatMap((path) => lazies.get(path) ?? []).map((path) => whole(path));
    return [whole(screen), ...parts].flatMap((part) => {
      const dressed = [...here, ...part].flatMap((path) => [...(classes.get(path) ?? [])]);
      return [...part]
        .filter((path) => path.endsWith('.tsx'))
        .flatMap((path) => wornIn(path).map((name) => [path, name] as const))
        .filter(([, name]) => !dressed.includes(name))
        .map(([path, name]) => `${path} .${name} on ${screen}`);
    });
  });
  expect([...new Set(naked)]).toEqual([]);
});

/** Classes that a sheet dresses wherever they stand: a rule that begins with the class alone. */
const bareIn = (sheet: string) =>
  [...texts.get(sheet)!.matchAll(/^\.([a-z][\w-]*)(?:\[[^\]]*\]|:[\w-]+)*\s*[,{]/gm)].map(([, name]) => name!);

test('a sheet that only a lazy part brings dresses no other part: it would look as somebody opened that part before', () => {
  const atOnce = files.filter((path) => path.startsWith('app/routes/') || path === 'app/root.tsx');
  const brought = new Set(
    atOnce.filter((path) => /^export default/m.test(texts.get(path)!)).flatMap((path) => [...whole(path)]),
  );
  // The page of the warehouse is drawn by itself, and the sheets of the frame come with the root.
  const late = files.filter(
    (path) => path.endsWith('.css') && !brought.has(path) && !/^app\/(?:bodega|ui\/estilos)\//.test(path),
  );
  expect(late).toContain('app/ui/lista/celda.css');
  const strange = late.flatMap((sheet) => {
    const own = files.filter((path) => whole(path).has(sheet)).flatMap((path) => [...whole(path)]);
    const others = files.filter((path) => path.endsWith('.tsx') && !own.includes(path));
    return [...new Set(bareIn(sheet))].flatMap((name) =>
      others.filter((path) => wornIn(path).includes(name)).map((path) => `${path} .${name} of ${sheet}`),
    );
  });
  expect(strange).toEqual([]);
});
