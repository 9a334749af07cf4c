import type { Asking, Fuente } from '~/domain/mercados/mercado';
import type { Atencion } from '~/domain/mercados/atencion';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { readCursor, moveCursor, type SyncRun } from '~/platform/syncRuns.server';
import { bringReclamo, versionesOf } from './reclamos.server';

const HOUR = 3_600_000;
/** Each run looks again at the claims of this while before the run before it. */
const OVERLAP_MS = 2 * HOUR;
/** The first run goes so far back. */
const FIRST_MS = 120 * 24 * HOUR;

type Context = { db: Db; fuente: Fuente; atencion: Atencion; run: SyncRun; asking: Asking; now: () => Date };

/**
 * Brings the claims that changed since the last run. The list of a marketplace says only which claims changed, so each is read by its number. A claim that
 * cannot be read is told in the run, and the next run comes back to it. A failure of the account ends the run.
 */
async function syncReclamos({ db, fuente, atencion, run, asking, now }: Context): Promise<void> {
  const cursor = `${fuente.source}:reclamos`;
  const to = now();
  const reached = await readCursor(db, cursor);
  const from = new Date((reached?.getTime() ?? to.getTime() - FIRST_MS) - OVERLAP_MS);
  const pages = atencion.reclamos({ from, to }, asking);
  let whole = true;
  for (let page = await pages.next(); ; page = await pages.next()) {
    if (page.done) {
      for (const gap of page.value) run.gap(gap);
      if (whole && page.value.length === 0) await moveCursor(db, cursor, to, to);
      return;
    }
    run.counts.seen += page.value.length;
    const known = await versionesOf(
      db,
      fuente.market,
      page.value.map(({ marketId }) => marketId),
    );
    for (const { marketId, version } of page.value) {
      if (version !== null && known.get(marketId) === version.getTime()) continue;
      asking.signal?.throwIfAborted();
      try {
        await asking.patiently(() => bringReclamo(db, fuente.market, atencion, marketId));
        run.counts.written += 1;
      } catch (error) {
        if (error instanceof Unavailable && error.details.account) throw error;
        whole = false;
        run.fail(`Reclamo ${marketId}`, error);
      }
    }
    await run.progress();
  }
}

/** The verbs with which reclamos take what the sync engine brings (`Takers` of `domain/sync`). */
export const reclamosTaker = { bring: bringReclamo, sync: syncReclamos };
