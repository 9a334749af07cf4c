import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesUnder } from '../support/sources';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEXT = /\.(tsx?|mjs|js|css|sql|md|json|html|yml)$/;
const FILES = [
  ...['app', 'bin', 'db', 'docs', 'jobs', 'tests'].flatMap(filesUnder),
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
].filter((path) => TEXT.test(path) && path !== 'tests/docs/fuera.test.ts');

/** Pages that a reader of this repository does not have, as a comment, a name of a test or a path would speak of them. */
const OUTSIDE = [
  /\.\.\/shared\b/,
  /\b(?:house|stack)\.md\b/,
  /\bspecs? \d{3}\b/i,
  /\b(?:the|a) spec(?:s|'s|ification|ification's)?\b(?!\.)/i,
  /\(reference,? [^)]*\d/i,
  /\breference [a-z]+-[a-z-]+,/i,
  /\bissue #?\d+\b/i,
  /\/work\/(?:main|shared)\b/,
];

test('nothing here refers to a page that is not here', () => {
  const wrong = FILES.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, n) => (OUTSIDE.some((one) => one.test(line)) ? [`${path}:${n + 1}: ${line.trim()}`] : [])),
  );
  expect(wrong).toEqual([]);
});
