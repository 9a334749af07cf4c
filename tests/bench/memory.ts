import { spawnSync } from 'node:child_process';
import { rounded, type Figure } from './figures';

/** Resident memory of these processes, as the system counts it. */
export function benchMemory(pids: { web?: number; worker?: number }): Figure[] {
  const known = Object.entries(pids).flatMap(([name, pid]) => (pid === undefined ? [] : [{ name, mb: residentMb(pid) }]));
  return [
    ...known.map(({ name, mb }): Figure => ({ name: `memory after the load: ${name}`, value: rounded(mb, 0), unit: 'MB' })),
    ...(known.length === 2 ? [{ name: 'memory after the load: web + worker', value: rounded(known[0]!.mb + known[1]!.mb, 0), unit: 'MB', aim: 300 } as const] : []),
  ];
}

function residentMb(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim()) / 1024;
}
