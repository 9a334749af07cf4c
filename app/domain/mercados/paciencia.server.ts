import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '~/integrations/errors';

/** Tries of one read before a run leaves the read for later. */
const TRIES = 4;

/**
 * Returns what `work` returns, and repeats a read that failed for a reason that passes (`Unavailable`). Each wait is as long as the far side asked for, or a
 * little longer than the wait before. A failure of the account and the failure of the last try are thrown as they came.
 */
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
