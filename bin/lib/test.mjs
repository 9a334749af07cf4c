import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at, Complaint, readJson, seconds } from './project.mjs';
import { endOrphans, kill } from './runfile.mjs';
import { scratchInMemory } from './scratch.mjs';

const bin = (path) => at('node_modules', path);

/** Both are native programs that give memory for time, within what a small machine has. */
const ROOMY = { GOGC: '200' };
const PRETTIER = [bin('prettier/bin/prettier.cjs'), '--cache', '--cache-location', at('.cache', 'prettier')];

/**
 * Each answers { passed, failed, output?, names? }: `names` are those of the tests that failed. All run at once, each from the moment that the step
 * it is `after` went well, and that the step it `follows` has ended. Stories and vitest each keep two cores busy, and beside one another both only
 * wait longer: one follows the other. A step that `speaks` is heard while it runs.
 */
const STEPS = {
  build: { run: buildStep },
  types: { run: () => one([bin('typescript-native/bin/tsc'), '--project', '.', '--singleThreaded'], ROOMY) },
  lint: { run: () => one([bin('oxlint/bin/oxlint'), '--config', 'oxlint.config.js'], ROOMY) },
  format: { run: () => one([...PRETTIER, '--check', '--log-level', 'warn', '.']) },
  architecture: {
    onlyAsked: true,
    speaks: true,
    run: ({ voice }) => vitest(['tests/architecture', 'tests/docs', 'tests/exports'], voice),
  },
  e2e: {
    after: 'build',
    speaks: true,
    run: ({ voice, files, whole }) =>
      ofThese(files, isStory, (some) => playwright(voice, some, whole ? AS_LONG_AS_IT_IS : {})),
  },
  vitest: {
    after: 'build',
    follows: 'e2e',
    speaks: true,
    run: ({ voice, files, flags, whole }) =>
      ofThese(files, isBesideOthers, (some) => {
        const out = [...(isMeasured(flags) ? [] : APART.map((dir) => `${dir}**`)), ...(whole ? [] : AT_LENGTH)];
        return vitest([...(some.length > 0 ? some : without(out)), ...flags], voice);
      }),
  },
  processes: {
    after: 'build',
    follows: 'vitest',
    speaks: true,
    run: ({ voice, files, flags, whole }) =>
      isMeasured(flags) && files.length === 0
        ? { passed: 0, failed: 0 }
        : ofThese(files, isApart, (some) => {
            const all = [...APART, ...without(whole ? [] : AT_LENGTH)];
            return vitest([...SLOWLY, ...(some.length > 0 ? some : all), ...flags], voice);
          }),
  },
};

/** Tests with clocks and several processes of their own, which beside others measure those. */
const APART = ['tests/faults/', 'tests/entradas/', 'tests/restauracion/', 'tests/despliegue/', 'tests/bin/'];
/**
 * Files that only `npm run test:todo` and their own commands run: storms over many processes, machines that are lost, and walks over every door. What they hold
 * is held in small by the others.
 */
const AT_LENGTH = [
  'tests/bin/detras.test.ts',
  'tests/bin/negocios.test.ts',
  'tests/bin/operar.test.ts',
  'tests/bin/pgbouncer.test.ts',
  'tests/bin/senal.test.ts',
  'tests/bin/trazas.test.ts',
  'tests/clienteAnterior/llamadas.test.ts',
  'tests/clienteAnterior/pantallas.test.ts',
  'tests/faults/api.test.ts',
  'tests/faults/cuentaCambia.test.ts',
  'tests/faults/database.test.ts',
  'tests/faults/killed.test.ts',
  'tests/faults/mail.test.ts',
  'tests/faults/mercadosExistencias.test.ts',
  'tests/faults/mercadosGuias.test.ts',
  'tests/faults/mercadosPublicaciones.test.ts',
  'tests/faults/mercadosPublicacionesAmz.test.ts',
  'tests/faults/mercadosRespuestas.test.ts',
  'tests/faults/mes.test.ts',
  'tests/faults/paused.test.ts',
  'tests/faults/rastreo.test.ts',
  'tests/restauracion/bucket.test.ts',
  'tests/restauracion/replica.test.ts',
  'tests/restauracion/simulacro.test.ts',
  'tests/routes/constanciaPublica.test.ts',
  'tests/routes/entradas.test.ts',
];
/** Waits are short and cores few: two files at once, or they measure each other. */
export const SLOWLY = ['--maxWorkers=2'];
/** The setting with which stories are told at length too. */
export const AS_LONG_AS_IT_IS = { E2E_LARGAS: '1' };
const without = (files) => files.map((file) => `--exclude=${file}`);
const isStory = (file) => file.startsWith('tests/e2e/');
const isApart = (file) => APART.some((dir) => `${file}/`.startsWith(dir));
const isBesideOthers = (file) => !isStory(file) && !isApart(file);
/** What is covered is counted by one run. */
const isMeasured = (flags) => flags.includes('--coverage');

/** Runs the files that are a step's own; a step that none of the chosen files belongs to has nothing to do. */
function ofThese(files, isOwn, run) {
  const own = files.filter(isOwn);
  return files.length > 0 && own.length === 0 ? { passed: 0, failed: 0 } : run(own);
}

/** `npm run format`: every file as `npm run check` wants it. */
export async function format() {
  await ensureInstalled();
  const { code } = await node([...PRETTIER, '--write', '--log-level', 'warn', '.']);
  process.exit(code);
}

/**
 * `npm test`: everything, or `--only=types,vitest`. Files after it choose among the tests (`--only=vitest,e2e tests/web.test.ts`), and other options are vitest's. Ends with one line:
 * N passed, N failed.
 */
export async function test(args, { whole = false } = {}) {
  const only = args
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  const files = args.filter((arg) => !arg.startsWith('-'));
  const flags = args.filter((arg) => arg.startsWith('-') && !arg.startsWith('--only='));
  const unknown = only?.filter((name) => !(name in STEPS)) ?? [];
  if (unknown.length > 0)
    throw new Complaint(`No conozco ${unknown.join(', ')}. Hay: ${Object.keys(STEPS).join(', ')}.`);
  await ensureInstalled();
  const chosen = Object.entries(STEPS).filter(([name, step]) => (only ? only.includes(name) : !step.onlyAsked));
  const several = chosen.filter(([, { speaks }]) => speaks).length > 1;
  const begun = new Map();
  for (const [name, step] of chosen)
    begun.set(
      name,
      timed(name, step, {
        before: begun.get(step.after),
        earlier: begun.get(step.follows),
        voice: several ? name : undefined,
        files,
        flags,
        whole,
      }),
    );
  const results = await Promise.all(begun.values());
  if (files.length > 0 && results.every(({ passed, failed }) => passed + failed === 0))
    throw new Complaint(`Ninguno de estos pasos tiene pruebas en ${files.join(', ')}.`);

  console.log('');
  for (const { name, passed, failed, ms } of results)
    console.log(
      `${failed ? '✗' : '✓'} ${name.padEnd(13)} ${String(passed).padStart(5)} bien ${String(failed).padStart(4)} mal   ${seconds(ms)}`,
    );
  conclude(results);
}

/** What is long is read from its end: the names of what failed, and one line. */
export function conclude(results) {
  for (const name of results.flatMap(({ names = [] }) => names)) console.log(`  ✗ ${name}`);
  const sum = (field) => results.reduce((total, result) => total + (result[field] ?? 0), 0);
  if (sum('afirmaciones') > 0)
    console.log(`\n${sum('afirmaciones')} afirmaciones, ${sum('miradas')} miradas (rol, pantalla, tema, ancho)`);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exit(sum('failed') > 0 ? 1 : 0);
}

/** `npm run test:todo`: what `npm test` runs, with every story and every file that is only told at length. */
export const todo = (args) => test(args, { whole: true });

/** Of what a step said when it went wrong, which may have been minutes before the others ended. */
const LINES_AT_THE_END = 20;

async function timed(name, { run, after }, { before, earlier, ...how }) {
  const blocked = (await before)?.failed > 0;
  await earlier;
  const began = Date.now();
  const result = await (blocked ? Promise.reject(new Complaint(`No corrió, porque falló ${after}.`)) : run(how)).catch(
    (error) => ({ passed: 0, failed: 1, output: error instanceof Complaint ? error.message : error.stack }),
  );
  const ms = Date.now() - began;
  console.log(`— ${name}: ${result.failed ? 'mal' : 'bien'} (${seconds(ms)})`);
  const said = result.failed && result.output ? result.output.split('\n') : [];
  if (said.length > 0) console.log(said.join('\n'));
  return { name, ms, names: said.slice(0, LINES_AT_THE_END).map((line) => `${name}: ${line}`), ...result };
}

/** A step that is right or wrong as a whole: its words are shown only when it is wrong. */
async function one(args, env) {
  const { code, output } = await node(args, { voice: '', env });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}

async function buildStep() {
  await ensureBuilt();
  return { passed: 1, failed: 0 };
}

export async function vitest(args, voice) {
  scratchInMemory();
  const report = join(tmpdir(), `trastienda-vitest-${process.pid}.json`);
  const { code } = await node(
    [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    { voice },
  );
  const result = readJson(report);
  rmSync(report, { force: true });
  if (!result) return { passed: 0, failed: 1, output: 'vitest no dejó resultado' };
  // A file that could not even be read has no tests to count.
  const unread = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = result.numFailedTests + unread;
  const wrong = result.testResults.filter(({ status }) => status === 'failed');
  const names = wrong.flatMap((file) => {
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    return tests.length > 0
      ? tests.map(
          ({ fullName, failureMessages }) => `${relative(at(), file.name)} › ${fullName}${whyOf(failureMessages)}`,
        )
      : [relative(at(), file.name) + whyOf([file.message])];
  });
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    names,
    afirmaciones: result.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .reduce((total, { meta }) => total + (meta?.afirmaciones ?? 0), 0),
  };
}

export async function playwright(voice, args = [], more = {}) {
  if (!existsSync(at('tests/e2e'))) return { passed: 0, failed: 0 };
  await findBrowser();
  scratchInMemory();
  const dataDir = mkdtempSync(join(tmpdir(), 'trastienda-e2e-'));
  chmodSync(dataDir, 0o755);
  const report = join(tmpdir(), `trastienda-e2e-${process.pid}.json`);
  const count = join(tmpdir(), `trastienda-e2e-${process.pid}-cuenta.json`);
  try {
    const { code } = await node(
      [
        bin('@playwright/test/cli.js'),
        'test',
        '--pass-with-no-tests',
        '--reporter=list,json,./tests/e2e/support/cuenta.ts',
        ...args,
      ],
      {
        voice,
        // SIGTERM would end it and leave the demo; at SIGINT it stops what it started.
        ends: 'SIGINT',
        left: () => endOrphans(dataDir, { alsoDatabase: true }),
        env: {
          PLAYWRIGHT_JSON_OUTPUT_NAME: report,
          E2E_CUENTA: count,
          E2E_DATA_DIR: dataDir,
          ARRANCADO_POR: String(process.pid),
          ...more,
        },
      },
    );
    const result = readJson(report);
    const stats = result?.stats;
    if (!stats) return { passed: 0, failed: 1, output: 'Playwright no dejó resultado' };
    // A story that failed and then passed has failed, however often it was told.
    const failed = stats.unexpected + stats.flaky;
    return {
      passed: stats.expected,
      failed: failed === 0 && code !== 0 ? 1 : failed,
      ...readJson(count),
      names: result.suites.flatMap((suite) => specsOf(suite, ({ ok, tests }) => !ok || tests.some(isFlaky))),
    };
  } finally {
    for (const file of [report, count]) rmSync(file, { force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A Playwright suite holds specs and suites; the outermost is the file. */
function specsOf({ title, specs = [], suites = [] }, which) {
  const results = (spec) => spec.tests.flatMap((told) => told.results);
  const failures = (spec) => results(spec).flatMap(({ errors }) => errors);
  return [
    ...specs
      .filter(which)
      .map(
        (spec) =>
          spec.title +
          whyOf(failures(spec).map(({ message, snippet }) => `${message}\n${snippet ?? ''}`)) +
          pageOf(results(spec).flatMap(({ attachments }) => attachments)),
      ),
    ...suites.flatMap((suite) => specsOf(suite, which)),
  ].map((name) => `${title} › ${name}`);
}

/** Lines that say why one test failed: what else it printed may be far above, or cut away. */
const LINES_OF_A_FAILURE = 16;

/** The first words of what failed, each line set in under the name of its test. */
const whyOf = (messages) =>
  stripVTControlCharacters(messages.filter(Boolean).join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at (new Promise|.*(node_modules|node:internal))/.test(line))
    .slice(0, LINES_OF_A_FAILURE)
    .map((line) => `\n      ${line}`)
    .join('');

/** Lines of the page that a failed story was looking at. */
const LINES_OF_A_PAGE = 40;

/** The content of the page where a story failed, as Playwright wrote it down for a screen reader, without the frame around it. */
function pageOf(attachments) {
  const { path } = attachments.find(({ name }) => name === 'error-context') ?? {};
  if (!path || !existsSync(path)) return '';
  const lines = readFileSync(path, 'utf8').split('\n');
  const begins = lines.findIndex((line) => /^\s*- main\b/.test(line));
  if (begins === -1) return '';
  const depth = lines[begins].search(/\S/);
  const length = lines.slice(begins + 1).findIndex((line) => line.search(/\S/) <= depth);
  return lines
    .slice(begins, length === -1 ? undefined : begins + 1 + length)
    .filter((line) => line.trim() !== '' && !line.includes('- /url:'))
    .slice(0, LINES_OF_A_PAGE)
    .map((line) => `\n      ${line}`)
    .join('');
}

const isFlaky = ({ status }) => status === 'flaky';

/**
 * Runs a program of Node to its end. `voice` stands before each of its lines where several speak at once; '' when it is only heard afterwards, as
 * `output`. `ends` is the signal at which it stops what it started itself, and `left` ends what it may have left.
 */
export function node(args, { voice, env = {}, ends = 'SIGTERM', left = async () => {} } = {}) {
  endTogether();
  const child = spawn(process.execPath, args, {
    cwd: at(),
    stdio: voice === undefined ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    // The leader of a process group of its own: a Ctrl-C in the terminal reaches only us, and a whole group can be ended.
    detached: true,
  });
  if (voice)
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => console.log(`${voice.padEnd(6)} │ ${line}`));
  const words = voice === '' ? wordsOf(child) : () => '';
  const closed = new Promise((done) => child.once('close', done));
  const one = { pid: child.pid, ends, left, closed };
  running.add(one);
  return closed.then((code) => {
    // What is being ended has no result.
    if (ending) return new Promise(() => {});
    running.delete(one);
    return { code, output: words() };
  });
}

/** Everything under way, and the end of it once it was asked for. */
const running = new Set();
let ending;
/** The demo of the stories has its own order of stopping, and takes at most so long. */
const PATIENCE_MS = 40_000;

/** A signal ends all that runs before this process, whose end removes the scratch folder. A second one does not wait. */
function endTogether() {
  if (process.listenerCount('SIGTERM', onSignal) > 0) return;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, onSignal);
  }
  process.once('exit', endGroups);
}

function onSignal(signal, number) {
  if (ending) process.exit(128 + number);
  console.log(`\n${signal}: se detiene todo lo que arrancó.`);
  ending = Promise.all(
    [...running].map(async ({ pid, ends, left, closed }) => {
      kill(pid, ends);
      await Promise.race([closed, sleep(PATIENCE_MS, undefined, { ref: false })]);
      await left();
    }),
  ).finally(() => {
    endGroups();
    process.exit(128 + number);
  });
}

/** Also what a program left behind is in its group, as a web process whose test was in the middle of it. */
function endGroups() {
  for (const { pid } of running) if (pid && process.platform !== 'win32') kill(-pid, 'SIGKILL');
}

function wordsOf({ stdout, stderr }) {
  const parts = [];
  for (const stream of [stdout, stderr]) stream.on('data', (part) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8').trimEnd();
}
