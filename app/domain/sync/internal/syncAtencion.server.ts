import type { Asking, Fuente } from '~/domain/mercados/mercado';
import type { Atencion } from '~/domain/mercados/atencion';
import { bringPregunta, waitedBefore, nombresOf, savePreguntas } from '~/domain/atencion/preguntas/preguntas.server';
import { bringReclamo, versionesOf } from '~/domain/atencion/reclamos/reclamos.server';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { readCursor, moveCursor, type SyncRun } from '~/platform/syncRuns.server';

const HOUR = 3_600_000;
/** Each run looks again at what came shortly before the one before. */
const OVERLAP_MS = 2 * HOUR;
/** Of those that no longer wait there, so many are asked for by name in one run. */
const MOST_AGAIN = 200;

type Context = { db: Db; fuente: Fuente; atencion: Atencion; run: SyncRun; asking: Asking; now: () => Date };

/**
 * What buyers ask, for where the notice never came: all that wait; those that waited here and wait no longer there, one by one; and what is new since the last run. Earlier
 * ones come once, so that answers given before are there to be suggested.
 */
export async function syncPreguntas(context: Context): Promise<void> {
  const { db, fuente, atencion, run, asking, now } = context;
  const began = now();
  const cursor = `${fuente.source}:preguntas`;
  const reached = await readCursor(db, cursor);
  const since = reached ? reached.getTime() - OVERLAP_MS : -Infinity;
  const whole = await takePages(context, 'pendientes', -Infinity);
  await takePages(context, 'todas', since);
  if (!whole) return;
  for (const marketId of await waitedBefore(db, fuente.market, began, MOST_AGAIN)) {
    asking.signal?.throwIfAborted();
    try {
      await asking.patiently(() => bringPregunta(db, fuente.market, atencion, marketId));
      run.counts.written += 1;
    } catch (error) {
      if (error instanceof Unavailable && error.details.account) throw error;
      run.fail(`Pregunta ${marketId}`, error);
    }
  }
  await moveCursor(db, cursor, began, began);
}

/** Whether all of them were read. */
async function takePages(
  { db, fuente, atencion, run, asking, now }: Context,
  cuales: 'todas' | 'pendientes',
  since: number,
): Promise<boolean> {
  let whole = true;
  const pages = atencion.preguntas(cuales, asking);
  for (;;) {
    const leidaEn = now();
    const page = await pages.next();
    if (page.done) {
      for (const gap of page.value) run.gap(gap);
      return whole && page.value.length === 0;
    }
    const { preguntas, sinLeer } = page.value;
    run.counts.seen += preguntas.length + sinLeer.length;
    for (const id of sinLeer) run.fail(`Pregunta ${id}`, 'no se entendió');
    whole &&= sinLeer.length === 0;
    const publicaciones = await nombresOf(db, fuente.market, atencion, preguntas);
    run.counts.written += await savePreguntas(db, fuente.market, preguntas, { leidaEn, publicaciones });
    await run.progress();
    if (preguntas.some(({ fecha }) => fecha.getTime() < since)) return whole;
  }
}

/** How far the first run goes back for claims. */
const FIRST_MS = 120 * 24 * HOUR;

/** Claims that changed since the last run, one by one: the list says only which. One that cannot be read is told, and the next run comes back to it. */
export async function syncReclamos({ db, fuente, atencion, run, asking, now }: Context): Promise<void> {
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
