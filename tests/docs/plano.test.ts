import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LEANS, LINE } from '../architecture/plan';
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

test('ARCHITECTURE.md says of each room on what it leans, as the plan has it', () => {
  const page = readProjectFile('ARCHITECTURE.md');
  const table = page.slice(page.indexOf('| room | holds | leans on |'), page.indexOf("The domain's line."));
  const cells = new Map(
    [...table.matchAll(/^\| `([\w/]+)` \| .* \| (.*) \|$/gm)].map(([, room, leans]) => [room!, leans!]),
  );
  // 'app/integrations/http' is a part of 'integrations', 'db/client.server' the database's handle.
  const nameOf = (place: string) => (place.startsWith('app/') ? place.split('/')[1]! : place.split('/')[0]!);
  const missing = [...cells].flatMap(([room, leans]) =>
    room in LEANS && !leans.includes('all of `app`')
      ? [...new Set(LEANS[room as keyof typeof LEANS].map(nameOf))]
          // A room leans on its own parts.
          .filter((name) => !room.endsWith(name))
          .filter((name) => !leans.includes(`\`${name}`) && !(name === 'db' && leans.includes('database')))
          .map((name) => `${room} leans on ${name}`)
      : [],
  );
  expect(cells.size).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

test('the line of the domain is drawn in its order', () => {
  expect(drawn().map(([room]) => room)).toEqual(LINE.filter((room) => room !== 'platform'));
});
