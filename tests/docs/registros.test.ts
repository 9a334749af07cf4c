/** The inventory of the log is the log: each event of the code stands in the table with its level, and the table has no other. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A line that is written by the log, or by a process before it has one. */
const WRITTEN = /\b(?:log\.(debug|info|warn|error)\(\s*|say\('(info|error)', )(['"`])(.*?)\3/gs;
/** The demo's seed, and the launcher that speaks to who sits before it. */
const ASIDE = /^bin\/(?:seed|lib)\b/;

test('each event of the log stands in the inventory with its level, and no other', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'jobs', 'db', 'bin'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !ASIDE.test(file));
  const written = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(WRITTEN)].map(
      ([, level, said, , message]) => `${message} | ${level ?? said}`,
    ),
  );
  const told = [
    ...readFileSync('docs/seguridad/registros.md', 'utf8').matchAll(/^\| `(.+)` \| (debug|info|warn|error) \|/gm),
  ];
  expect(written.length).toBeGreaterThan(60);
  expect(told.map(([, message, level]) => `${message} | ${level}`).sort()).toEqual([...new Set(written)].sort());
});
