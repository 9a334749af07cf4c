import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Postmaster = { pid: number; port: number; ready: boolean };

/** What `postmaster.pid` says: line 1 the pid, line 4 the port, the last one the state. Undefined without file or with half of one. */
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
  return { pid, port, ready: lines[7]?.trim() === 'ready' };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A dead process nobody waited for still answers signal 0: in a container, process 1 may never collect our orphans.
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (!existsSync('/proc/self')) return true;
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** True when the condition held within the time. */
export async function waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(10)) if (condition()) return true;
  return condition();
}

/** SIGINT (fast: does not wait for clients), then SIGQUIT (recovers at the next start). */
export async function stopPostmaster(pid: number, dataDir: string): Promise<void> {
  const gone = () => !isAlive(pid) || readPostmaster(dataDir)?.pid !== pid;
  for (const [signal, ms] of [['SIGINT', 10_000], ['SIGQUIT', 5_000], ['SIGKILL', 2_000]] as const) {
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
