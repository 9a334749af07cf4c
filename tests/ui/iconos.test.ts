import { expect, test } from 'vitest';
import { screens } from '~/access/screens';
import names from '~/core/iconos.json';
import { spriteOf, SPRITE } from '../../bin/lib/iconos.mjs';
import { filesUnder, readProjectFile } from '../support/sources';

const inSprite = [...readProjectFile(SPRITE).matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id!);

test('the sprite is what lucide draws under our names (`npm run iconos` writes it)', async () => {
  expect(readProjectFile(SPRITE)).toBe(await spriteOf(names));
});

test('every icon that the interface names is in the sprite', () => {
  const named = [...filesUnder('app')]
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) => [...readProjectFile(path).matchAll(/<Icono nombre="(\w+)"/g)].map(([, name]) => name!));
  const used = new Set([...named, ...screens.map(([, { icono }]) => icono)]);
  expect(named.length).toBeGreaterThan(5);
  expect([...used].filter((name) => !inSprite.includes(name))).toEqual([]);
});

test('no script draws an icon: lucide is read when the sprite is made', () => {
  const importers = [...filesUnder('app'), ...filesUnder('bin')]
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .filter((path) => readProjectFile(path).includes('lucide-react'));
  expect(importers).toEqual(['bin/lib/iconos.mjs']);
});

test('two screens of one role do not wear the same icon', () => {
  const inMenu = screens.filter(([, { homeOnly, menu }]) => !homeOnly && (menu === undefined || menu.length > 0));
  const icons = inMenu.map(([, { icono }]) => icono);
  expect(icons.filter((one, at) => icons.indexOf(one) !== at)).toEqual([]);
});
