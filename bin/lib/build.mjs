import { spawn } from 'node:child_process';
import { existsSync, openSync, closeSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { makeFolder } from './carpeta.mjs';
import { isCurrent, makeBuild, moveTo, removeOldBuilds } from './construido.mjs';
import { at, Complaint, filesUnder, hashOf } from './project.mjs';

/** Entries of the bundles build/node-<id>/<name>.js. The launcher itself uses `database`: PostgreSQL and migrations. */
const ENTRIES = {
  database: 'bin/database.ts',
  worker: 'bin/worker.ts',
  migrate: 'bin/migrate.ts',
  seed: 'bin/seed.ts',
  usuario: 'bin/usuario.ts',
  negocios: 'bin/negocios.ts',
  restaurada: 'bin/restaurada.ts',
  sepomex: 'bin/sepomex.ts',
  apiCliente: 'bin/apiCliente.ts',
  ajustes: 'bin/ajustes.ts',
  sandbox: 'tests/sandbox/start.ts',
  bench: 'tests/bench/run.ts',
  lector: 'tests/bench/lector.ts',
};

const CONFIG = [
  'package-lock.json',
  'tsconfig.json',
  'bin/lib/bodega.mjs',
  'bin/lib/build.mjs',
  'bin/lib/publico.mjs',
  'bin/lib/trozos.mjs',
];

/** The halves of the build, each with a hash, so a change in jobs does not build the web again. */
const HALVES = {
  node: {
    sources: ['app', 'db', 'jobs', 'bin', 'tests/sandbox', 'tests/bench'],
    make: buildNode,
  },
  web: {
    sources: ['app', 'db', 'public', 'vite.config.ts', 'remix.config.js'],
    make: buildWeb,
  },
};

const LOCK = at('build', '.building');

/** Letters of the hash of the sources that name a build. */
const ID_LENGTH = 12;

/**
 * Builds the requested halves whose sources changed, beside the builds that run, and makes them the current ones once
 * all of them are whole. Returns the halves that changed. Throws a Complaint when a build fails; then the current ones
 * stay.
 */
export async function ensureBuilt({ halves = Object.keys(HALVES), force = false } = {}) {
  const ids = Object.fromEntries(
    halves.map((half) => [
      half,
      hashOf([...CONFIG, ...HALVES[half].sources.flatMap(filesUnder).filter((path) => !path.endsWith('.mjs'))]).slice(
        0,
        ID_LENGTH,
      ),
    ]),
  );
  const old = () => halves.filter((half) => force || !isCurrent(half, ids[half]));
  if (old().length === 0) return [];
  return alone(async () => {
    // Another command may have built meanwhile.
    const changed = old();
    const made = await Promise.allSettled(
      changed.map((half) => makeBuild(half, ids[half], HALVES[half].make, { force })),
    );
    for (const { status, reason } of made) if (status === 'rejected') throw reason;
    moveTo(Object.fromEntries(changed.map((half, place) => [half, made[place].value])));
    removeOldBuilds();
    return changed;
  });
}

/** Runs work under a lock file: two commands at once must not build into the same folder. */
async function alone(work) {
  makeFolder(at('build'));
  for (;;) {
    try {
      const lock = openSync(LOCK, 'wx');
      writeFileSync(lock, String(process.pid));
      closeSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) rmSync(LOCK, { force: true });
    else await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function isAbandoned() {
  const pid = existsSync(LOCK) ? Number(readFileSync(LOCK, 'utf8')) : 0;
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

async function buildNode(folder) {
  const { build, stop } = await import('esbuild');
  const present = Object.entries(ENTRIES).filter(([, path]) => existsSync(at(path)));
  const { errors } = await build({
    absWorkingDir: at(),
    entryPoints: Object.fromEntries(present),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    jsx: 'automatic',
    // A bench draws rows of screens as the server does, and no process needs what only a browser fetches.
    define: { 'import.meta.env.SSR': 'true' },
    loader: { '.svg': 'empty', '.css': 'empty' },
    logLevel: 'warning',
  }).catch((error) => error);
  // The helper process of esbuild would stay for as long as the product runs.
  await stop();
  if (errors?.length) throw new Complaint('La construcción de los procesos falló (esbuild).');
}

async function buildWeb(folder) {
  const child = spawn(
    process.execPath,
    [at('node_modules/@remix-run/dev/dist/cli.js'), 'vite:build', '--logLevel', 'warn'],
    {
      cwd: at(),
      env: { ...process.env, NODE_ENV: 'production', CONSTRUIR_EN: relative(at(), folder) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  process.once('exit', () => child.kill());
  const words = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => words.push(part));
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0)
    throw new Complaint(`La construcción de la web falló (Vite).\n${Buffer.concat(words).toString('utf8').trimEnd()}`);
  await compressAssets(join(folder, 'client/assets'));
}

/**
 * Compresses the assets with brotli at its best. An asset never changes, since its name has a hash.
 * app/http/assets.server.ts sends the compressed files.
 */
async function compressAssets(folder) {
  const texts = readdirSync(folder).filter((name) => /\.(js|css|svg|json)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const content = await readFile(`${folder}/${name}`);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await writeFile(`${folder}/${name}.br`, await brotli(content, { params }));
    }),
  );
}
const brotli = promisify(brotliCompress);
