import type { ServerBuild } from '@remix-run/node';
import { expect, test } from 'vitest';
import { branchesOf, branchNames } from '~/http/branches.server';

const ROUTES: [id: string, parentId: string | undefined, path: string | undefined][] = [
  ['root', undefined, ''],
  ['public', 'root', undefined],
  ['public/inicio', 'public', undefined],
  ['public/login', 'public', 'login'],
  ['public/facturacion', 'public', 'facturacion/:token'],
  ['public/noEncontrado', 'public', '*'],
  ['sa', 'root', 'sa'],
  ['sa/home', 'sa', undefined],
  ['sa/ordenes', 'sa', 'ordenes'],
  ['cont', 'root', 'cont'],
  ['cont/ordenes', 'cont', 'ordenes'],
  ['files/excel', 'root', 'sa/excel/:id'],
];
const routes = Object.fromEntries(ROUTES.map(([id, parentId, path]) => [id, { id, parentId, path }]));
const build = { routes, assets: { version: '1', routes } } as unknown as ServerBuild;

const idsOf = (word: string) => Object.keys(branchesOf(build).get(word)!.routes).sort();
const EVERYWHERE = ['root', 'public', 'public/inicio', 'public/noEncontrado'];

test('an area is looked for among its own routes, whoever declares them, and among those of any word', () => {
  expect(idsOf('sa')).toEqual([...EVERYWHERE, 'sa', 'sa/home', 'sa/ordenes', 'files/excel'].sort());
  expect(idsOf('cont')).toEqual([...EVERYWHERE, 'cont', 'cont/ordenes'].sort());
  expect(idsOf('facturacion')).toEqual([...EVERYWHERE, 'public/facturacion'].sort());
});

test('what the browser is told of the routes is cut alike', () => {
  const { assets, routes: kept } = branchesOf(build).get('sa')!;
  expect(Object.keys(assets.routes)).toEqual(Object.keys(kept));
  expect(assets.version).toBe('1');
});

test('a screen is looked for alone, among what lies above it', () => {
  expect(idsOf('sa/ordenes')).toEqual([...EVERYWHERE, 'sa', 'sa/home', 'sa/ordenes'].sort());
  expect(idsOf('sa/excel')).toEqual([...EVERYWHERE, 'sa', 'sa/home', 'files/excel'].sort());
});

test('a page and its data are of the same branch, the narrowest there is; what no route begins with has none', () => {
  const known = branchesOf(build);
  const branchOf = (at: string) => branchNames(at).find((name) => known.has(name));
  expect(['/sa', '/sa.data', '/sa/'].map(branchOf)).toEqual(['sa', 'sa', 'sa']);
  expect(['/sa/ordenes', '/sa/ordenes.data', '/sa/ordenes/', '/sa/excel/1'].map(branchOf)).toEqual([
    'sa/ordenes',
    'sa/ordenes',
    'sa/ordenes',
    'sa/excel',
  ]);
  expect(['/sa/nada', '/sa/Ordenes', '/sa/orden%65s'].map(branchOf)).toEqual(['sa', 'sa', 'sa']);
  expect(['/', '/SA/ordenes', '/__manifest', '/_root.data', '/s%61'].map(branchOf).filter(Boolean)).toEqual([]);
});
