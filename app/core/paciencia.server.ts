import { AsyncLocalStorage } from 'node:async_hooks';

const limite = new AsyncLocalStorage<number>();

/** Nobody who is waited for in `run` is waited for any longer than until then: what goes on without whoever asked is told as being on its way. */
export const conPaciencia = <T>(ms: number, run: () => Promise<T>): Promise<T> =>
  limite.run(performance.now() + ms, run);

/** How long somebody who would wait so long may wait. */
export const pacienciaOf = (ms: number): number =>
  Math.max(0, Math.min(ms, (limite.getStore() ?? Infinity) - performance.now()));
