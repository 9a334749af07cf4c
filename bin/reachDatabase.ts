import { setTimeout as sleep } from 'node:timers/promises';
import { directUrlOf, type Env } from '~/core/env.server';
import { databaseAwayOf } from '~/core/errors';
import { log } from '~/core/log.server';
import { type Addresses, reviewAddresses } from '~db/addresses.server';
import { openDatabase } from '~db/client.server';
import { isMigrated } from '~db/esquema.server';
import { ULTIMA_MIGRACION } from '~db/ultima';

/** Between two tries, and between two lines that say so. */
const TRY_MS = 1_000;
const SAY_MS = 15_000;

/**
 * Waits for a database that is not there yet, as after a machine started, or that `npm run migrate` has not brought to this version yet, as while an
 * upgrade is under way, and says so. Throws when the database answers with a no.
 */
export async function reachDatabase(settings: Env): Promise<Addresses> {
  let said = -Infinity;
  const wait = async (say: () => void) => {
    if (performance.now() - said > SAY_MS) {
      said = performance.now();
      say();
    }
    await sleep(TRY_MS);
  };
  for (;;) {
    try {
      const addresses = await reviewAddresses(settings);
      if (await asksMigrated(settings)) return addresses;
      await wait(() =>
        log.warn('a la base de datos le faltan migraciones: se espera por ellas', { migracion: ULTIMA_MIGRACION }),
      );
    } catch (error) {
      if (!databaseAwayOf(error)) throw error;
      await wait(() =>
        log.warn('la base de datos de DATABASE_URL no contesta todavía: se espera por ella', {
          code: String((error as { code?: unknown }).code ?? ''),
        }),
      );
    }
  }
}

async function asksMigrated(settings: Env): Promise<boolean> {
  const { db, close } = openDatabase(directUrlOf(settings), { max: 1, name: 'trastienda-espera' });
  try {
    return await isMigrated(db);
  } finally {
    await close();
  }
}
