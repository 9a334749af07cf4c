import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { at, Complaint, readJson } from './project.mjs';

/** What is tried when nothing else is said: rules, and effects over a database. */
const USUAL = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', 'tests/core', 'tests/platform/effects'];

/** Returns the major versions of Node that package.json says we run with. */
const versionsOf = () =>
  readJson(at('package.json'))
    .engines.node.split('||')
    .map((part) => /\d+/.exec(part)[0]);

/**
 * `npm run node -- 22 [program and its arguments]`: runs a program by another Node, which comes from npm into `.cache` and leaves that of the machine alone. Without a program it
 * is a short part of the tests.
 */
export async function tryNode([version = '', ...words]) {
  const known = versionsOf();
  if (!known.includes(version))
    throw new Complaint(`Di con qué Node: ${known.join(', ')}. Por ejemplo: npm run node -- ${known.at(-1)}`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = at('.cache', `node${version}`);
  const binary = at(
    '.cache',
    `node${version}`,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(binary)) {
    const code = await run('npm', ['install', '--silent', '--prefix', folder, `${name}@${version}`]);
    if (code !== 0) throw new Complaint(`npm no trajo ${name}@${version}.`);
  }
  await run(binary, ['--version']);
  process.exitCode = await run(binary, words.length > 0 ? words : USUAL, {
    // Programs that start `node` by its name get the same one.
    PATH: `${dirname(binary)}${delimiter}${process.env.PATH ?? ''}`,
  });
}

async function run(program, words, env = {}) {
  const child = spawn(program, words, { cwd: at(), stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((done, fail) => child.once('error', fail).once('exit', (code) => done(code ?? 1)));
}
