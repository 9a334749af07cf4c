import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at, Complaint, readJson, seconds } from './project.mjs';

const bin = (path) => at('node_modules', path);

const PRETTIER = [bin('prettier/bin/prettier.cjs'), '--cache', '--cache-location', at('.cache', 'prettier')];

/** Each answers { passed, failed, output?, names? }: `names` are those of the tests that failed. Those `together` have nothing to do with each other and run at once. */
const STEPS = {
  types: {
    together: true,
    run: () =>
      one([
        '--max-old-space-size=4096',
        bin('typescript/bin/tsc'),
        '--noEmit',
        '-p',
        'tsconfig.json',
        '--incremental',
        '--tsBuildInfoFile',
        '.cache/tsc.tsbuildinfo',
      ]),
  },
  format: {
    together: true,
    run: () => one([...PRETTIER, '--check', '--log-level', 'warn', '.']),
  },
  lint: {
    together: true,
    run: () =>
      one([
        '--max-old-space-size=4096',
        bin('eslint/bin/eslint.js'),
        '.',
        '--cache',
        '--cache-location',
        '.cache/eslint',
        '--max-warnings',
        '0',
      ]),
  },
  build: { together: true, run: buildStep },
  architecture: { onlyAsked: true, run: () => vitest(['tests/architecture.test.ts']) },
  vitest: { run: () => vitest([]) },
  e2e: { run: playwright },
};

/** `npm run format`: every file as `npm run check` wants it. */
export async function format() {
  await ensureInstalled();
  const { code } = await node([...PRETTIER, '--write', '--log-level', 'warn', '.']);
  process.exit(code);
}

/** `npm test`: everything, or `--only=types,vitest`. Ends with one line: N passed, N failed. */
export async function test(args) {
  const only = args
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  const unknown = only?.filter((name) => !(name in STEPS)) ?? [];
  if (unknown.length > 0)
    throw new Complaint(`No conozco ${unknown.join(', ')}. Hay: ${Object.keys(STEPS).join(', ')}.`);
  await ensureInstalled();
  const chosen = Object.entries(STEPS).filter(([name, step]) => (only ? only.includes(name) : !step.onlyAsked));
  const results = [...(await Promise.all(chosen.filter(([, step]) => step.together).map(timed)))];
  for (const entry of chosen.filter(([, step]) => !step.together)) results.push(await timed(entry));

  console.log('');
  for (const { name, passed, failed, ms } of results)
    console.log(
      `${failed ? '✗' : '✓'} ${name.padEnd(13)} ${String(passed).padStart(5)} bien ${String(failed).padStart(4)} mal   ${seconds(ms)}`,
    );
  conclude(results);
}

/** What is long is read from its end: the names of what failed, and one line. */
function conclude(results) {
  for (const name of results.flatMap(({ names = [] }) => names)) console.log(`  ✗ ${name}`);
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exit(sum('failed') > 0 ? 1 : 0);
}

/** Faults live in tests/faults; the expired token met by many and the shuffled events, beside what they break. */
const FAULTS = ['tests/faults', 'tests/contracts/mercadolibre.test.ts', 'tests/domain/ordenes/saveVentas.test.ts'];

/** `npm run test:faults`: the long form. */
export async function faults(args) {
  await ensureInstalled();
  await ensureBuilt();
  process.env.FAULTS = 'long';
  conclude([await vitest(args.length > 0 ? args : FAULTS)]);
}

async function timed([name, step]) {
  const began = Date.now();
  const result = await step
    .run()
    .catch((error) => ({ passed: 0, failed: 1, output: error instanceof Complaint ? error.message : error.stack }));
  const ms = Date.now() - began;
  console.log(`— ${name}: ${result.failed ? 'mal' : 'bien'} (${seconds(ms)})`);
  if (result.failed && result.output) console.log(result.output);
  return { name, ms, ...result };
}

/** A step that is right or wrong as a whole: its words are shown only when it is wrong. */
async function one(args) {
  const { code, output } = await node(args, { quiet: true });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}

async function buildStep() {
  await ensureBuilt();
  return { passed: 1, failed: 0 };
}

async function vitest(args) {
  const report = join(tmpdir(), `trastienda-vitest-${process.pid}.json`);
  const { code } = await node([
    bin('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]);
  const result = readJson(report);
  rmSync(report, { force: true });
  if (!result) return { passed: 0, failed: 1, output: 'vitest no dejó resultado' };
  // A file that could not even be read has no tests to count.
  const unread = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = result.numFailedTests + unread;
  const names = result.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap((file) => {
      const tests = file.assertionResults.filter((test) => test.status === 'failed');
      return (tests.length > 0 ? tests.map(({ fullName }) => ` › ${fullName}`) : ['']).map(
        (name) => relative(at(), file.name) + name,
      );
    });
  return { passed: result.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed, names };
}

async function playwright() {
  if (!existsSync(at('tests/e2e'))) return { passed: 0, failed: 0 };
  await findBrowser();
  const dataDir = mkdtempSync(join(tmpdir(), 'trastienda-e2e-'));
  chmodSync(dataDir, 0o755);
  mkdirSync(at('.cache'), { recursive: true });
  const report = at('.cache', `e2e-${process.pid}.json`);
  try {
    const { code } = await node(
      [bin('@playwright/test/cli.js'), 'test', '--pass-with-no-tests', '--reporter=list,json'],
      {
        env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, E2E_DATA_DIR: dataDir },
      },
    );
    const result = readJson(report);
    const stats = result?.stats;
    if (!stats) return { passed: 0, failed: 1, output: 'Playwright no dejó resultado' };
    const failed = stats.unexpected + stats.flaky;
    return {
      passed: stats.expected,
      failed: failed === 0 && code !== 0 ? 1 : failed,
      names: result.suites.flatMap((suite) => failedSpecs(suite)),
    };
  } finally {
    rmSync(report, { force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A Playwright suite holds specs and suites; the outermost is the file. */
function failedSpecs({ title, specs = [], suites = [] }) {
  return [...specs.filter(({ ok }) => !ok).map((spec) => spec.title), ...suites.flatMap(failedSpecs)].map(
    (name) => `${title} › ${name}`,
  );
}

function node(args, { quiet = false, env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: at(),
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  process.once('exit', () => child.kill());
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
  return new Promise((done) =>
    child.once('close', (code) => done({ code, output: Buffer.concat(parts).toString('utf8').trimEnd() })),
  );
}
