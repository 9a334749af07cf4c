import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProjectFile } from '../support/sources';

const foldersOf = (folder: string) =>
  readdirSync(new URL(`../../${folder}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'internal')
    .map(({ name }) => name);

/** Rooms with their nouns, as the table of the domain's line in ARCHITECTURE.md has them. */
function drawn(): [room: string, nouns: string[]][] {
  const page = readProjectFile('ARCHITECTURE.md');
  const table = page.slice(page.indexOf('| room | nouns |'), page.indexOf('**Faces.**'));
  return [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, room, nouns]) => [
    room!,
    [...nouns!.matchAll(/`(\w+)`/g)].map(([, noun]) => noun!),
  ]);
}

test('ARCHITECTURE.md draws the rooms of the domain that there are', () => {
  expect(
    drawn()
      .map(([room]) => room)
      .sort(),
  ).toEqual(foldersOf('app/domain').sort());
});

test.each(drawn().filter(([, nouns]) => nouns.length > 0))('the nouns of %s are its folders', (room, nouns) => {
  const folders = foldersOf(`app/domain/${room}`);
  expect(nouns.filter((noun) => !folders.includes(noun))).toEqual([]);
  // What a room holds besides nouns, it says in words.
  if (room !== 'operacion') expect(folders.filter((folder) => !nouns.includes(folder))).toEqual([]);
});

test('each folder of app and of the project is a room of the plan', () => {
  const page = readProjectFile('ARCHITECTURE.md');
  const rooms = [...page.matchAll(/^\| `([\w/]+)` \|/gm)].map(([, room]) => room!);
  expect(foldersOf('app').filter((name) => !rooms.includes(`app/${name}`))).toEqual([]);
});
