import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../../bin/lib/build.mjs';
import { folderOf } from '../../bin/lib/construido.mjs';
import { importMap } from '~/http/mapa.server';
import type { ServerBuild } from '@remix-run/node';

let CLIENT: string;

type Part = { module: string; imports?: string[] };
type Manifest = { entry: Part; routes: Record<string, Part> };
let manifest: Manifest;
/** What a page says of the names under which chunks import the common ones. */
let mapa: Record<string, string>;

beforeAll(async () => {
  await ensureBuilt({ halves: ['web'] });
  CLIENT = join(folderOf('web'), 'client');
  const name = readdirSync(`${CLIENT}/assets`).find((file) => /^manifest-.*\.js$/.test(file))!;
  const text = readFileSync(`${CLIENT}/assets/${name}`, 'utf8');
  manifest = JSON.parse(text.replace(/^window\.__remixManifest=/, '').replace(/;\s*$/, '')) as Manifest;
  mapa = (JSON.parse(importMap(manifest as ServerBuild['assets'])) as { imports: Record<string, string> }).imports;
}, 300_000);

/** As it is served: in brotli where the build made it. */
const served = (path: string) => statSync(CLIENT + (existsSync(`${CLIENT}${path}.br`) ? `${path}.br` : path)).size;

/** What a browser that was never here fetches of JavaScript before a screen of sa's works. The list of all routes stays on the server: a page says its own. */
function filesOf(screen: string): Set<string> {
  const parts = [manifest.entry, ...['root', 'sa', `sa/${screen}`].map((id) => manifest.routes[id]!)];
  const files = parts.flatMap(({ module, imports = [] }) => [module, ...imports]);
  return new Set(files.filter((path) => path.endsWith('.js')));
}

/** The scripts of the warehouse and of public pages are bundled without Vite, so nothing fills in what only Vite knows. */
test('no built script asks Vite where it runs', () => {
  const asking = readdirSync(`${CLIENT}/assets`).filter(
    (file) => file.endsWith('.js') && readFileSync(`${CLIENT}/assets/${file}`, 'utf8').includes('import.meta.env'),
  );
  expect(asking).toEqual([]);
});

/** In bytes. */
const weightOf = (files: Iterable<string>) => [...files].reduce((sum, path) => sum + served(path), 0);

/** What a file names, either when it is itself fetched or when something in it is first shown. */
function importsOf(path: string, how: 'static' | 'lazy'): string[] {
  const text = readFileSync(CLIENT + path, 'utf8');
  const named = how === 'static' ? /(?:from|import)\s*"(\.\/[\w-]+\.js|#\w+)"/g : /import\("(\.\/[\w-]+\.js)"\)/g;
  return [...text.matchAll(named)].map(([, name]) => mapa[name!] ?? `/assets/${name!.slice('./'.length)}`);
}

function withImports(path: string, files = new Set<string>()): Set<string> {
  if (files.has(path)) return files;
  files.add(path);
  for (const other of importsOf(path, 'static')) withImports(other, files);
  return files;
}

/** What each kind of page may fetch, in kB. They go down: what makes a page lighter lowers its figure here. */
test.each([
  ['home', 137],
  ['ordenes', 146],
  ['facturasClientes', 139],
  ['usuarios', 137],
  ['facturacion', 167],
])('%s fetches at most %i kB of JavaScript', (screen, most) => {
  const weight = weightOf(filesOf(screen));
  expect(weight).toBeGreaterThan(80_000);
  expect(weight / 1_000).toBeLessThanOrEqual(most);
});

/** Screens with a table that weigh more, in kB: drawings, a card for each shop, and forms that stand in the page and not in a panel. They go down. */
const MAS: Readonly<Record<string, number>> = {
  grafica: 237,
  facturacion: 167,
  tiendasConfiguracion: 167,
  conciliacion: 172,
  publicadorML: 172,
  devoluciones: 171,
};

test('every screen with a list fetches at most 160 kB of JavaScript', () => {
  const screens = Object.keys(manifest.routes).filter((id) => id.startsWith('sa/'));
  const lists = screens.map((id) => id.slice('sa/'.length)).filter((screen) => filesOf(screen).has(mapa['#tabla']!));
  expect(lists.length).toBeGreaterThan(25);
  const weights = lists.map((screen): [string, number] => [screen, weightOf(filesOf(screen)) / 1_000]);
  expect(weights.filter(([screen, weight]) => weight > (MAS[screen] ?? 160))).toEqual([]);
});

test.each(['ordenes', 'facturasClientes', 'usuarios', 'enviosPendientes'])(
  '%s does without the engine of forms until a form is open',
  (screen) => {
    const engine = readdirSync(`${CLIENT}/assets`).find((name) => /^formulario-.*\.js$/.test(name));
    expect(engine).toBeDefined();
    expect(filesOf('facturacion')).toContain(`/assets/${engine}`);
    expect(filesOf(screen)).not.toContain(`/assets/${engine}`);
  },
);

/** Returns what each part that a page fetches when it is first shown weighs, in kB, beyond the heaviest page or part that shows it. */
function weightsOfParts(): [string, number][] {
  const names = readdirSync(`${CLIENT}/assets`).filter((name) => name.endsWith('.js'));
  const shownBy = new Map<string, string[]>();
  for (const name of names)
    for (const part of importsOf(`/assets/${name}`, 'lazy'))
      shownBy.set(part, [...(shownBy.get(part) ?? []), `/assets/${name}`]);
  const screens = Object.keys(manifest.routes).filter((id) => id.startsWith('sa/'));
  const pages = screens.map((id) => filesOf(id.slice('sa/'.length)));
  // A part may show another one: then the first is there.
  const usuarios = filesOf('usuarios');
  const parts = [...shownBy.keys()].map((part) => new Set([...usuarios, ...withImports(part)]));
  return [...shownBy].map(([part, by]) => {
    const isShownIn = (there: Set<string>) => by.some((file) => there.has(file));
    const onPages = pages.filter(isShownIn);
    const there = onPages.length > 0 ? onPages : parts.filter(isShownIn);
    const beyond = (files: Set<string>) => weightOf([...withImports(part)].filter((file) => !files.has(file)));
    return [part, Math.max(...there.map(beyond)) / 1_000];
  });
}

test('what is fetched when it is first shown, as the palette or a dialog, weighs at most 37 kB beyond what shows it', () => {
  const weights = weightsOfParts();
  expect(weights.map(([path]) => /\/(\w+)-/.exec(path)?.[1])).toEqual(expect.arrayContaining(['Paleta', 'OrdenFicha']));
  expect(Math.max(...weights.map(([, weight]) => weight))).toBeGreaterThan(20);
  expect(weights.filter(([, weight]) => !(weight <= 37))).toEqual([]);
});

test('nothing leans on the file that takes the page over: it acts when it is read, and screens have to be there before', () => {
  const names = readdirSync(`${CLIENT}/assets`).filter((name) => name.endsWith('.js'));
  const leaning = names.filter((name) => importsOf(`/assets/${name}`, 'static').includes(manifest.entry.module));
  expect(leaning).toEqual([]);
});

test('no public page fetches what only lists need', () => {
  const publicas = Object.entries(manifest.routes).filter(([id]) => id.startsWith('public'));
  expect(publicas.length).toBeGreaterThan(5);
  const leaning = publicas.filter(([, { imports = [] }]) => imports.some((path) => path === mapa['#tabla']));
  expect(leaning.map(([id]) => id)).toEqual([]);
});

/** A chunk named by its file changes the name of each chunk that names it. */
test('the chunks of all pages are imported by a name that stays, and the map of a page leads to their files', () => {
  expect(Object.keys(mapa).sort()).toEqual(['#base', '#marco', '#tabla']);
  const files = readdirSync(`${CLIENT}/assets`).filter((name) => name.endsWith('.js') && !name.startsWith('manifest-'));
  const common = Object.values(mapa).map((path) => path.slice('/assets/'.length));
  expect(common.filter((name) => !files.includes(name))).toEqual([]);
  const texts = files.map((name) => ({ name, text: readFileSync(`${CLIENT}/assets/${name}`, 'utf8') }));
  expect(texts.filter(({ text }) => common.some((name) => text.includes(name))).map(({ name }) => name)).toEqual([]);
  expect(texts.filter(({ text }) => text.includes('"#base"')).length).toBeGreaterThan(100);
});
