import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { clockSkewMs } from '~db/clock.server';
import { listCondiciones } from './condiciones.server';
import { readEspacio } from './internal/disco.server';

/** A worker whose last beat is younger than this is alive. */
const HEARTBEAT_SECONDS = 30;
/** A database that takes longer than this does not answer. */
const ANSWER_MS = 3_000;

type Salud = {
  sana: boolean;
  web: 'ok';
  database: 'ok' | 'sin respuesta';
  worker: 'ok' | 'sin latido' | 'desconocido';
};

/**
 * State of each part that the product needs: this process, the database, and a worker. The details are read while there is a database, for who may
 * see them.
 */
export async function readSalud(
  db: Db,
  mayLookInside: () => Promise<boolean>,
): Promise<Salud & { detalles?: Detalles }> {
  const salud = await readPartes(db);
  return salud.database === 'ok' && (await mayLookInside()) ? { ...salud, detalles: await readDetalles(db) } : salud;
}

async function readPartes(db: Db): Promise<Salud> {
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_MS, null).unref());
  const beating = db
    .selectFrom('workerHeartbeat')
    .select((eb) => eb.fn.countAll<number>().as('alive'))
    .where('beatAt', '>', sql<Date>`now() - make_interval(secs => ${HEARTBEAT_SECONDS})`)
    .executeTakeFirstOrThrow();
  const alive = await Promise.race([
    beating.then(
      (row) => row.alive,
      () => null,
    ),
    tooLate,
  ]);
  if (alive === null) return { sana: false, web: 'ok', database: 'sin respuesta', worker: 'desconocido' };
  return { sana: alive > 0, web: 'ok', database: 'ok', worker: alive > 0 ? 'ok' : 'sin latido' };
}

type Detalles = {
  discoLibreMb: number | null;
  relojAdelantoMs: number;
  avisos: { clave: string; nivel: string; desde: Date }[];
};

/** Further states for a monitor. Texts and counts are left out, since they would end in the monitor's logs. */
async function readDetalles(db: Db): Promise<Detalles> {
  const [{ libreMb }, relojAdelantoMs, condiciones] = await Promise.all([
    readEspacio(),
    clockSkewMs(db),
    listCondiciones(db),
  ]);
  return {
    discoLibreMb: libreMb,
    relojAdelantoMs,
    avisos: condiciones.map(({ clave, nivel, desde }) => ({ clave, nivel, desde })),
  };
}
