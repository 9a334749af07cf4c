import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesUnder, projectPath } from '../support/sources';
import { ARROWS, type DomainRoom, LINE } from './plan';
import { domainRoomOf } from './rules';

const run = promisify(execFile);

/** Rooms that a room declares, and those that these declare. */
function declaredBy(room: string): string[] {
  const direct = Object.keys(ARROWS).flatMap((arrow) => {
    const [from, to] = arrow.split(' -> ');
    return from === room ? [to!] : [];
  });
  return [...new Set([...direct, ...direct.flatMap(declaredBy)])];
}

const filesOf = (room: DomainRoom) =>
  filesUnder('app').filter((path) => domainRoomOf(path) === room && /(?<!\.d)\.tsx?$/.test(path));

let folder: string;
beforeAll(() => {
  // Beside node_modules, so that packages are found.
  folder = mkdtempSync(projectPath('node_modules/.rooms-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(LINE)('%s is loaded and starts with only the rooms that it declares', async (room) => {
  const outfile = join(folder, `${room}.mjs`);
  const { metafile } = await build({
    stdin: {
      contents: filesOf(room)
        .map((path) => `import ${JSON.stringify(`./${path}`)};`)
        .join('\n'),
      resolveDir: projectPath('.'),
      loader: 'ts',
    },
    absWorkingDir: projectPath('.'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Every file of the room is evaluated, though package.json says that none has side effects.
    ignoreAnnotations: true,
    metafile: true,
    logLevel: 'error',
    outfile,
  });
  const loaded = Object.keys(metafile.inputs).flatMap((path) => domainRoomOf(path) ?? []);
  const allowed: string[] = [room, ...declaredBy(room)];
  expect([...new Set(loaded)].filter((one) => !allowed.includes(one))).toEqual([]);
  expect(loaded).toContain(room);
  await run(process.execPath, [outfile], { env: { PATH: process.env.PATH, NODE_ENV: 'test' }, timeout: 60_000 });
});
