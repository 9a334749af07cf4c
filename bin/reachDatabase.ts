import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '~/core/env.server';
import { databaseAwayOf } from '~/core/errors';
import { log } from '~/core/log.server';
import { type Addresses, reviewAddresses } from '~db/addresses.server';

/** Between two tries, and between two lines that say so. */
const TRY_MS = 1_000;
const SAY_MS = 15_000;

/** Waits for a database that is not there yet, as after a machine started, and says so. Throws when the database answers with a no. */
export async function reachDatabase(settings: Env): Promise<Addresses> {
  let said = -Infinity;
  for (;;) {
    try {
      return await reviewAddresses(settings);
    } catch (error) {
      if (!databaseAwayOf(error)) throw error;
      if (performance.now() - said > SAY_MS) {
        said = performance.now();
        log.warn('la base de datos de DATABASE_URL no contesta todavía: se espera por ella', {
          code: String((error as { code?: unknown }).code ?? ''),
        });
      }
      await sleep(TRY_MS);
    }
  }
}
