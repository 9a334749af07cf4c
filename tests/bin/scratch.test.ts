import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('../../bin/lib/scratch.mjs', import.meta.url));
const SCRIPT = `const { scratchInMemory } = await import(${JSON.stringify(MODULE)});
scratchInMemory();
const folder = process.env.TMPDIR;
scratchInMemory();
console.log(JSON.stringify({ pid: process.pid, folder, again: process.env.TMPDIR }));`;

function scratchOf(tmpdir: string) {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: tmpdir },
  });
  return JSON.parse(said) as { pid: number; folder: string; again: string };
}

test('a run keeps its files in one place, takes them with it when it ends, and takes those that a killed one left', () => {
  const { pid, folder, again } = scratchOf('/tmp');
  expect(again).toBe(folder);
  if (folder === '/tmp') return expect(existsSync(`/dev/shm/trastienda-${pid}-`)).toBe(false);
  expect(existsSync(folder)).toBe(false);
  const left = `/dev/shm/trastienda-${pid}-muerta`;
  const living = `/dev/shm/trastienda-${process.pid}-viva`;
  for (const one of [left, living]) mkdirSync(one);
  try {
    scratchOf('/tmp');
    expect([existsSync(left), existsSync(living)]).toEqual([false, true]);
  } finally {
    rmSync(living, { recursive: true });
  }
});

test('what is started within a run uses the place of that run', () => {
  const within = '/dev/shm/trastienda-1-otra';
  expect(scratchOf(within)).toMatchObject({ folder: within, again: within });
});
