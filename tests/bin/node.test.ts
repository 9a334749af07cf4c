/** `npm run node`: another Node without touching the machine's, and the one that every place names as the default. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEndOfFile } from '../support/endOfFile';
import { readProjectFile } from '../support/sources';

const { engines } = JSON.parse(readProjectFile('package.json')) as { engines: { node: string } };

test('the default and those that are tried are the same everywhere', () => {
  const preset = readProjectFile('.nvmrc').trim();
  const others = engines.node
    .split('||')
    .map((part) => String(parseInt(part)))
    .filter((version) => version !== preset);
  expect(others).toEqual(['20', '22', '26']);
  const said = new RegExp(`${preset} is the default\\**[^.]*?20 [^]*?20\\.19[^]*?22 and 26 are tried`);
  for (const page of ['README.md', 'CHANGELOG.md']) expect(readProjectFile(page)).toMatch(said);
  expect(readProjectFile('docs/node.md')).toMatch(/24 is the default[\s\S]*?20 \(from 20\.19\), 22 and 26 are tried/);
  expect(readProjectFile('docs/operar.md')).toContain(`Node ${preset}`);
});

test.skipIf(process.platform === 'win32')('a program runs by the Node that is named, and by no other', () => {
  const root = mkdtempSync(join(tmpdir(), 'trastienda-node-'));
  atEndOfFile(() => rmSync(root, { recursive: true, force: true }));
  cpSync('bin', join(root, 'bin'), { recursive: true });
  cpSync('package.json', join(root, 'package.json'));
  const folder = join(root, `.cache/node22/node_modules/node-${process.platform}-${process.arch}/bin`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "otro $*"; command -v node; exit 3\n');
  chmodSync(join(folder, 'node'), 0o755);
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ['bin/trastienda.mjs', 'node', ...words], { cwd: root, encoding: 'utf8' });
  const { status, stdout } = run('22', 'bin/trastienda.mjs', 'start');
  expect([status, stdout.split('\n')]).toEqual([
    3,
    expect.arrayContaining(['otro --version', 'otro bin/trastienda.mjs start', join(folder, 'node')]),
  ]);
  expect(run('22').stdout).toContain('otro node_modules/vitest/vitest.mjs run');
  for (const wrong of [[], ['19'], ['22.1']])
    expect([run(...wrong).status, run(...wrong).stderr]).toEqual([
      1,
      'Di con qué Node: 20, 22, 24, 26. Por ejemplo: npm run node -- 26\n',
    ]);
});
