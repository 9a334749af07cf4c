import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rounded, type Figure } from './figures';

/** Resident memory of these processes, as the system counts it. */
export function benchMemory(pids: { web?: number; worker?: number }): Figure[] {
  const known = Object.entries(pids).flatMap(([name, pid]) =>
    pid === undefined ? [] : [{ name, mb: residentMb(pid) }],
  );
  return [
    ...known.map(({ name, mb }): Figure => ({
      name: `memory after the load: ${name}`,
      value: rounded(mb, 0),
      unit: 'MB',
    })),
    ...(known.length === 2
      ? [
          {
            name: 'memory after the load: web + worker',
            value: rounded(known[0]!.mb + known[1]!.mb, 0),
            unit: 'MB',
            aim: 300,
          } as const,
        ]
      : []),
  ];
}

export function residentMb(pid: number): number {
  // Linux says it in a file, which costs the measured process nothing.
  const own = /^VmRSS:\s+(\d+) kB/m.exec(
    existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '',
  );
  if (own) return Number(own[1]) / 1024;
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim()) / 1024;
}

/** Processor time that a process took so far, in ms; null where the system does not say it in a file. Waiting for others to leave the cores is not in it. */
export function processorMs(pid: number): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  // After the name in brackets: user and system time in hundredths of a second.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
