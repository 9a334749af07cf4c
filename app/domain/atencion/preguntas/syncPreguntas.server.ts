import type { Asking, Fuente } from '~/domain/mercados/mercado';
import type { Atencion } from '~/domain/mercados/atencion';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { readCursor, moveCursor, type SyncRun } from '~/platform/syncRuns.server';
import { bringPregunta, waitedBefore, nombresOf, savePreguntas } from './preguntas.server';

/** Each run looks again at the questions of this while before the run before it. */
const OVERLAP_MS = 2 * 3_600_000;
/** Most questions that one run asks for by their number. */
const MOST_AGAIN = 200;

type Context = { db: Db; fuente: Fuente; atencion: Atencion; run: SyncRun; asking: Asking; now: () => Date };

/**
 * Brings the questions whose notice never came: all that wait for an answer, then those that are new since the last run. A question that waits here and no
 * longer waits at the marketplace is read by its number. The first run brings every earlier question too, so that their answers can be suggested. A failure
 * of the account ends the run; a question that cannot be read is told in the run and holds no other back.
 */
async function syncPreguntas(context: Context): Promise<void> {
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

/** Reads and writes pages until one reaches back before `since`. Returns whether every page was read whole. */
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

/** The verbs with which preguntas take what the sync engine brings (`Takers` of `domain/sync`). */
export const preguntasTaker = { bring: bringPregunta, sync: syncPreguntas };
