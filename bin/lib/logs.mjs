import { closeSync, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 10_000_000;
const KEPT = 5;

/** Returns whether the error is a fault of the disk or of a path. A log or a run file is no reason to stop selling. */
export const isDiskFault = (error) => typeof error?.code === 'string' && typeof error?.syscall === 'string';

/**
 * Opens a log for a child's output; undefined when the log cannot be written, and the child then runs without a log.
 */
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
 * Moves a log over `max` bytes to `.1`, and older logs up to `.5`, while its process writes on. The file is copied and
 * emptied, and the writer appends at the new beginning; lines written in between, some milliseconds, are lost. On a
 * full disk the older logs are deleted. Returns whether the log was emptied.
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

/** Returns the last lines of a file; none when the file cannot be read. */
export function lastLines(path, lines) {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    return [];
  }
}
