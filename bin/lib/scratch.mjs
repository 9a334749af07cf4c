import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = /^trastienda-(\d+)-/;
/** Free memory wanted; a run of all tests takes a tenth. */
const ROOM = 4 * 2 ** 30;

/**
 * Puts the temporary files of this process and its children into a folder of their own, in memory when there is room:
 * cloning the database of a test file takes ten times as much system time on a disk. The folder ends with the process
 * that asked first, together with any PostgreSQL that still serves from the folder.
 */
export function scratchInMemory() {
  if (NAME.test(basename(process.env.TMPDIR ?? ''))) return;
  const place = hasRoom() ? MEMORY : tmpdir();
  for (const name of readdirSync(place)) if (isLeft(name)) remove(join(place, name));
  const folder = mkdtempSync(join(place, `trastienda-${process.pid}-`));
  // PostgreSQL's account has to pass through the folder.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once('exit', () => remove(folder));
}

function hasRoom() {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM && freemem() > ROOM;
}

/** Removes a folder, with retries while a server that was just ended still writes. */
function remove(folder) {
  for (const name of readdirSync(folder)) endCluster(join(folder, name, 'postgres'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

/** Ends the PostgreSQL of a data folder at once; its data are not needed any more. */
function endCluster(dataDir) {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // The pid of a server that is gone may belong to another program by now.
    if (pid > 1 && commandOf(pid).includes(dataDir)) process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ESRCH'].includes(error.code)) throw error;
  }
}

const commandOf = (pid) =>
  process.platform === 'linux'
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;

/** Returns whether the folder belongs to a run that was killed. */
function isLeft(name) {
  const [, pid] = NAME.exec(name) ?? [];
  if (!pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
