import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = /^trastienda-(\d+)-/;
/** A run of everything takes a tenth of it. */
const ROOM = 4 * 2 ** 30;

/**
 * Temporary files of this process and of those it starts lie in memory, where there is room for them: to clone a test file its database takes the system
 * ten times as long on a disk. Elsewhere they stay where the system wants them. The folder ends with the process that asked first.
 */
export function scratchInMemory() {
  if (process.env.TMPDIR?.startsWith(join(MEMORY, 'trastienda-')) || !hasRoom()) return;
  for (const name of readdirSync(MEMORY))
    if (isLeft(name)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  const folder = mkdtempSync(join(MEMORY, `trastienda-${process.pid}-`));
  // PostgreSQL's account has to pass through it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom() {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM && freemem() > ROOM;
}

/** Of a run that was killed. */
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
