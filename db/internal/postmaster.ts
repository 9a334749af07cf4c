import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running server by its pid file; `sharedMemory` is the id of a System V segment, or -1. */
export type Postmaster = { pid: number; port: number; ready: boolean; sharedMemory: number };

/**
 * Reads `postmaster.pid`: line 1 the pid, line 4 the port, line 7 the shared memory (key and id), line 8 the state.
 * Undefined when the file is missing or cut short.
 */
export function readPostmaster(dataDir: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return {
    pid,
    port,
    ready: lines[7]?.trim() === 'ready',
    sharedMemory: Number(lines[6]?.trim().split(/\s+/)[1] ?? -1),
  };
}

/** Returns whether the process runs; a dead process that nobody collected does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A dead process without a waiting parent still answers signal 0: in a container, process 1 may never collect
  // orphans.
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (!existsSync('/proc/self')) return true;
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Returns whether the pid is still the server of the folder. The number may belong to another program by now. */
export function isPostmasterOf(pid: number, dataDir: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes(dataDir);
  } catch {
    return false;
  }
}

/**
 * Removes the pid file of a server that is gone. PostgreSQL does so itself, unless the pid answers a signal because the
 * dead process was never collected or another program has the number. Waits until the last backend has left the shared
 * memory; throws after 15 s.
 */
export async function clearStale(dataDir: string): Promise<void> {
  const left = readPostmaster(dataDir);
  if (!left || isPostmasterOf(left.pid, dataDir)) return;
  if (!(await waitUntil(() => attached(left.sharedMemory) === 0, 15_000))) {
    throw new Error(`quedan procesos de PostgreSQL sobre ${dataDir}: ciérralos antes de arrancar`);
  }
  rmSync(join(dataDir, 'postmaster.pid'), { force: true });
}

/**
 * Returns the number of processes that hold a System V segment, on Linux. Elsewhere 0: PostgreSQL checks the segment
 * itself.
 */
function attached(shmid: number): number {
  if (!existsSync('/proc/sysvipc/shm')) return 0;
  const [head = [], ...rows] = readFileSync('/proc/sysvipc/shm', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const [id, count] = [head.indexOf('shmid'), head.indexOf('nattch')];
  return Number(rows.find((row) => Number(row[id]) === shmid)?.[count] ?? 0);
}

/** Polls the condition for `ms`; returns whether the condition became true. */
export async function waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(10)) if (condition()) return true;
  return condition();
}

/**
 * Stops the server: SIGINT first (fast, without waiting for clients), then SIGQUIT (recovery at the next start), then
 * SIGKILL. Throws when the process survives.
 */
export async function stopPostmaster(pid: number, dataDir: string): Promise<void> {
  const gone = () => !isAlive(pid) || readPostmaster(dataDir)?.pid !== pid;
  for (const [signal, ms] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (gone()) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    if (await waitUntil(() => !isAlive(pid), ms)) return;
  }
  throw new Error(`PostgreSQL (proceso ${pid}) no se detuvo`);
}
