import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '~/integrations/errors';

/** How often one read is tried before it is left for later. */
const TRIES = 4;

/** Repeats what failed for reasons that pass, as late as the far side asked or a little later each time. */
export async function patiently<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || error.details.account || n >= TRIES) throw error;
      await wait(error.details.retryAfterMs ?? 400 * 2 ** (n - 1) * (0.75 + Math.random() / 2), undefined, { signal });
    }
  }
}
