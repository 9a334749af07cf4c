import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How this process is: memory in MB, and by how much its event loop came late since the last look, in ms. */
export type Pulso = { memoriaMb: number; atrasoP99Ms: number; atrasoMaxMs: number };

/**
 * Interval in ms at which the event loop is timed; the timer itself takes so long, and that is no delay. Each look wakes
 * the process: fifty a second would take half a percent of a core of a process at rest.
 */
const EVERY_MS = 200;

/** Begins to time the event loop. `take` tells how the process is, and begins anew. */
export function watchPulso(): { take(): Pulso; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: EVERY_MS });
  delays.enable();
  const late = (ns: number) => Math.max(0, Math.round((Number.isFinite(ns) ? ns / 1e6 : EVERY_MS) - EVERY_MS));
  return {
    take() {
      const pulso = {
        memoriaMb: Math.round(process.memoryUsage.rss() / 1_048_576),
        atrasoP99Ms: late(delays.percentile(99)),
        atrasoMaxMs: late(delays.count === 0 ? EVERY_MS * 1e6 : delays.max),
      };
      delays.reset();
      return pulso;
    },
    stop: () => void delays.disable(),
  };
}

/** Returns the name of this process among all of the installation, for people who run it: 'web tienda-1:4711'. */
export const nombreDeProceso = (tipo: string): string => `${tipo} ${hostname().slice(0, 40)}:${process.pid}`;
