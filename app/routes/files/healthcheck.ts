import { sql } from 'kysely';
import { db } from '~db/shared.server';

/** A worker that beat within this time is alive. */
const HEARTBEAT_SECONDS = 30;

/** For whoever watches the product: 200 when web, database and a worker are there, 503 saying which is not. */
export async function loader() {
  const worker = await db()
    .selectFrom('workerHeartbeat')
    .select((eb) => eb.fn.countAll<number>().as('alive'))
    .where('beatAt', '>', sql<Date>`now() - make_interval(secs => ${HEARTBEAT_SECONDS})`)
    .executeTakeFirstOrThrow()
    .then(({ alive }) => (alive > 0 ? 'ok' : 'sin latido'), () => null);
  const state = { web: 'ok', database: worker === null ? 'sin respuesta' : 'ok', worker: worker ?? 'desconocido' };
  return Response.json(state, { status: worker === 'ok' ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}
