import { listFuentes } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';

/** Returns the sources of sales that people paused. */
export async function pausedSources(db: Db): Promise<string[]> {
  const asked = await Promise.all(
    listFuentes().map(async (fuente) => ((await fuente.isPaused(db)) ? [fuente.source] : [])),
  );
  return asked.flat();
}
