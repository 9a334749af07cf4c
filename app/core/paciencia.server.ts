import { AsyncLocalStorage } from 'node:async_hooks';

const limite = new AsyncLocalStorage<number>();

/**
 * Runs `run` with a limit in ms for its waits. A wait inside `run` gives up at the limit (`pacienciaOf`), and the
 * caller hears that the work is on its way.
 */
export const withPaciencia = <T>(ms: number, run: () => Promise<T>): Promise<T> =>
  limite.run(performance.now() + ms, run);

/** Returns the ms that a wait of `ms` may take now: less near the limit of `withPaciencia`, 0 after the limit. */
export const pacienciaOf = (ms: number): number =>
  Math.max(0, Math.min(ms, (limite.getStore() ?? Infinity) - performance.now()));
