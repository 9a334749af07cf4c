import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** A worker that beat within this time is alive. */
const HEARTBEAT_SECONDS = 30;

export type Salud = { web: 'ok'; database: 'ok' | 'sin respuesta'; worker: 'ok' | 'sin latido' | 'desconocido' };

/** Whoever asks is the web, so that part is there; without a database nobody knows about the worker. */
export async function readSalud(db: Db): Promise<Salud> {
  const alive = await db
    .selectFrom('workerHeartbeat')
    .select((eb) => eb.fn.countAll<number>().as('alive'))
    .where('beatAt', '>', sql<Date>`now() - make_interval(secs => ${HEARTBEAT_SECONDS})`)
    .executeTakeFirstOrThrow()
    .then((row) => row.alive, () => null);
  return { web: 'ok', database: alive === null ? 'sin respuesta' : 'ok', worker: alive === null ? 'desconocido' : alive > 0 ? 'ok' : 'sin latido' };
}
