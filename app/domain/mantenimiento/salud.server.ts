import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** A worker that beat within this time is alive. */
const HEARTBEAT_SECONDS = 30;

export type Salud = { sana: boolean; web: 'ok'; database: 'ok' | 'sin respuesta'; worker: 'ok' | 'sin latido' | 'desconocido' };

/** What the product needs to do its work: this process, the database, and a worker. */
export async function readSalud(db: Db): Promise<Salud> {
  const beating = db
    .selectFrom('workerHeartbeat')
    .select((eb) => eb.fn.countAll<number>().as('alive'))
    .where('beatAt', '>', sql<Date>`now() - make_interval(secs => ${HEARTBEAT_SECONDS})`)
    .executeTakeFirstOrThrow();
  const alive = await beating.then((row) => row.alive, () => null);
  if (alive === null) return { sana: false, web: 'ok', database: 'sin respuesta', worker: 'desconocido' };
  return { sana: alive > 0, web: 'ok', database: 'ok', worker: alive > 0 ? 'ok' : 'sin latido' };
}
