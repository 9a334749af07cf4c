import { gathering } from '~/core/gather';
import { groupBy } from '~/core/groupBy';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { receiveNotices, type Recibido } from './inbox.server';

/** The notices of one change come within moments of each other. */
const WORK_AFTER_MS = 800;

type Llegado = Recibido & { db: Db; source: string };

/** Keeps notices that come at once in one statement. */
const keep = gathering<Llegado>(async (llegados) => {
  for (const [source, suyos] of groupBy(llegados, (llegado) => llegado.source))
    await receiveNotices(suyos[0]!.db, source, suyos);
});

/**
 * Keeps a notice that came in, and resolves once it is stored. The job that works on notices is asked for once in a while and never within an answer;
 * the sweep of each minute finds the rest.
 */
export async function takeIn(db: Db, source: string, recibido: Recibido): Promise<void> {
  await keep({ ...recibido, db, source });
  askForWork(db);
}

let asked = false;
function askForWork(db: Db) {
  if (asked) return;
  asked = true;
  setTimeout(() => {
    asked = false;
    enqueue(db, 'inbox.drain', {}).catch((error: unknown) => log.warn('bandeja sin avisar', { error: String(error) }));
  }, WORK_AFTER_MS).unref();
}
