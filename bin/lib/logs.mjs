import { closeSync, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 10_000_000;
const KEPT = 5;

/** Whether the fault is of the disk, or of where things lie on it: a log or a run file is no reason to stop selling. */
export const isDiskFault = (error) => typeof error?.code === 'string' && typeof error?.syscall === 'string';

/** For a child's output. Without a place to write it, the child runs all the same. */
export function openLog(path) {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    console.error(`No se puede escribir ${path} (${error.code}): sigue sin registro.`);
    return undefined;
  }
}

export function closeLog(log) {
  if (log !== undefined) closeSync(log);
}

/**
 * Moves a log that grew to `.1`, and those before it up to `.5`, while its process writes on: the file is copied and emptied, and whoever appends to it goes on at
 * its new beginning. What is written between the copy and the emptying is lost, some milliseconds of lines. Where nothing fits any more the oldest ones make room.
 */
export function rotateLog(path, { max = MAX_BYTES, kept = KEPT } = {}) {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= max) return false;
    rmSync(`${path}.${kept}`, { force: true });
    for (let n = kept - 1; n >= 1; n--) move(`${path}.${n}`, `${path}.${n + 1}`);
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
    return true;
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    if (error.code !== 'ENOSPC') return false;
    for (let n = 1; n <= kept; n++) rmSync(`${path}.${n}`, { force: true });
    truncateSync(path, 0);
    return true;
  }
}

function move(from, to) {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}

export function lastLines(path, lines) {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    return [];
  }
}
