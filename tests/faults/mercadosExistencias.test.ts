/**
 * Stock that moves at suppliers while calls are lost, cut, late or refused, two workers take turns and are killed in the middle, and all that is on sale is read meanwhile:
 * no value is told twice, none is lost, and none lands on top of a newer one.
 */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bringTodas } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { enqueue } from '~db/queue/catalog.server';
import { seedCatalogo } from '../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../support/db';
import { linkSandbox } from '../support/mercadolibre';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { startTestSandbox, type FailOptions } from '../support/sandbox';
import { luck, pause, report, seconds, times } from './support/scene';

/** A call gives up after 1 s, and absent is believed after 3.6 s. */
process.env.EFFECT_PACE = '0.02';
delete process.env.EFFECT_DEADLINE;
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
stopWorkersAtTheEnd();
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const next = luck(20261123);

const CAMBIOS = times(48, Number(process.env.FAULTS_EXISTENCIAS ?? 5_000));
const PUBLICACIONES = times(12, Math.min(250, CAMBIOS));
const MUERTES = times(1, 25);
const WITHIN_MS = times(240_000, 2_400_000);
/** Each value is another one: it says which change it came from. */
const PRIMERA = 1_000;
const PRECIO = 1_740;

const FAULTS: [mode: string, options?: FailOptions][] = [
  ['reset-after-doing'],
  ['500-after-doing'],
  ['half-answer'],
  ['html'],
  ['hang-after-doing', { ms: 1_200 }],
  // It is done after we gave up, while it is being looked for.
  ['slow', { ms: 1_200 }],
  ['429', { code: 'sinRetryAfter' }],
  ['503'],
  ['reset'],
  ['mantenimiento'],
  ['hang', { ms: 1_200 }],
  ['refuse', { message: 'item.available_quantity.invalid' }],
];
const MIRADAS = ['503', 'reset', 'html', 'half-answer', '429'];

type Lugar = { productoId: string; clave: string; dicho: number };
const claveDe = (n: number) => `MLM${3_000_000_000 + n}`;
let lugares: Lugar[];
let armadas = 0;

/** Listings that follow one supplier and stand as it has them: only stock moves. */
beforeAll(async () => {
  await linkSandbox(db, sandbox);
  await seedCatalogo(ownerDatabase().db, PUBLICACIONES * 5);
  const productos = await db
    .selectFrom('producto')
    .select(['id', 'idProveedor'])
    .where('proveedor', '=', 'ct')
    .where('ausenteDesde', 'is', null)
    .orderBy('idProveedor')
    .limit(PUBLICACIONES)
    .execute();
  await db
    .updateTable('oferta')
    .set({ precio: '1000', moneda: 'MXN', sinPrecio: null, existencia: 10, leidaEn: sql`now()` })
    .execute();
  await ml.post('/publicaciones', {
    cantidad: productos.length,
    skus: productos.map(({ idProveedor }) => `AMS|${idProveedor}|ct|X`),
  });
  for (let n = 0; n < productos.length; n++) await ml.post(`/publicaciones/${claveDe(n)}`, { price: PRECIO });
  await bringTodas(db, 'ml');
  await db.updateTable('publicacion').set({ autoSync: true }).where('clave', '>=', claveDe(0)).execute();
  lugares = productos.map(({ id }, n) => ({ productoId: id, clave: claveDe(n), dicho: 0 }));
}, 120_000);

async function mover(lugar: Lugar, at: number) {
  lugar.dicho = PRIMERA + at;
  // Each fault once, and then three that go through.
  const fault = FAULTS[at % (FAULTS.length + 3)];
  if (fault) {
    armadas++;
    await ml.failNext(fault[0], {
      ...fault[1],
      route: `PUT /items/${lugar.clave}`,
      contains: `"available_quantity":${lugar.dicho}}`,
    });
  }
  await db
    .updateTable('oferta')
    .set({ existencia: lugar.dicho, leidaEn: sql`clock_timestamp()` })
    .where('productoId', '=', lugar.productoId)
    .execute();
}

/** What waits for its time is due now: so many faults rest the connection, and neither its pace nor the patience of a refused wish is what is proven here. */
async function apurar() {
  await sql`delete from connection_breaker where ctid in (select ctid from connection_breaker for update skip locked)`.execute(
    db,
  );
  await sql`update connection set tokens = 'infinity', account_problem = null, account_since = null, account_until = null
    where ctid in (select ctid from connection for update skip locked)`.execute(db);
  await sql`update publicacion_pendiente set no_antes = now() where publicacion_id in (select publicacion_id from publicacion_pendiente where no_antes > now() for update skip locked)`.execute(
    db,
  );
  // What a killed worker held is let go, as its silence of some minutes does.
  await sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '3 seconds'))`.execute(db);
  await enqueue(db, 'publicaciones.seguir', {});
  await enqueue(db, 'effect.sweep', {});
}

async function quedan(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from publicacion_mirar) + (select count(*) from publicacion_pendiente)
      + (select count(*) from effect where state in ('queued', 'sending', 'unknown')) as n`.execute(db);
  return Number(rows[0]!.n);
}

const WORKERS = 2;
/** Two of them, one of which is killed from time to time while something is on its way; another takes its place. */
async function matar(seguir: () => boolean): Promise<number> {
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => WorkerProcess.start()));
  let muertes = 0;
  while (seguir()) {
    await pause(times(150, 1_000) + next() * times(150, 4_000));
    const { sending } = await db
      .selectFrom('effect')
      .select(({ fn }) => fn.countAll<number>().as('sending'))
      .where('state', '=', 'sending')
      .executeTakeFirstOrThrow();
    if (muertes >= MUERTES || Number(sending) === 0) continue;
    const cual = muertes++ % WORKERS;
    await workers[cual]!.kill('SIGKILL');
    workers[cual] = await WorkerProcess.start();
  }
  await Promise.all(workers.map((worker) => worker.kill()));
  return muertes;
}

type Puestos = { cambios: { id: string; body: { available_quantity?: number } }[] };

test(
  `${CAMBIOS} changes of stock: no value doubled, none lost, none on top of a newer one`,
  { timeout: WITHIN_MS + 60_000 },
  async () => {
    const began = performance.now();
    let andan = true;
    const muertos = matar(() => andan);
    const hasta = async (pocos: number, ms: number) => {
      for (const end = performance.now() + ms; ; await pause(150)) {
        await apurar();
        if ((await quedan()) <= pocos) return;
        if (performance.now() > end) return;
      }
    };
    for (let at = 0; at < CAMBIOS;) {
      for (const lugar of lugares) if (at < CAMBIOS) await mover(lugar, at++);
      for (let n = 0; n < PUBLICACIONES / 4; n++)
        await ml.failNext(MIRADAS[Math.floor(next() * MIRADAS.length)]!, { route: 'GET /items' });
      await ml.post('/interruptores', { candadoMs: next() < 0.3 ? 40 : 0 });
      // Read whole meanwhile: what it was told before ours must not undo ours.
      await bringTodas(db, 'ml').catch((error: unknown) => error);
      // Some are still on their way when the next ones come.
      await hasta(PUBLICACIONES / 3, times(2_500, 60_000));
    }
    await ml.post('/interruptores', { candadoMs: 0 });
    await hasta(0, WITHIN_MS);
    andan = false;
    const muertes = await muertos;
    expect(await quedan()).toBe(0);

    const puestos = new Map<string, number[]>();
    for (const { id, body } of (await ml.get<Puestos>('/publicaciones')).cambios)
      puestos.set(id, [...(puestos.get(id) ?? []), body.available_quantity ?? 0]);
    const nuestras = new Map(
      (await db.selectFrom('publicacion').select(['clave', 'stock']).execute()).map(({ clave, stock }) => [
        clave,
        stock,
      ]),
    );
    const mal = { perdidas: [] as unknown[], repetidas: [] as unknown[], viejas: [] as unknown[] };
    for (const { clave, dicho } of lugares) {
      const { quantity } = await ml.get<{ quantity: number }>(`/publicaciones/${clave}`);
      const valores = puestos.get(clave) ?? [];
      if (quantity !== dicho || nuestras.get(clave) !== dicho)
        mal.perdidas.push({ clave, dicho, quantity, nuestra: nuestras.get(clave) });
      if (new Set(valores).size < valores.length) mal.repetidas.push({ clave, valores });
      if (valores.some((valor, at) => valor < (valores[at - 1] ?? 0))) mal.viejas.push({ clave, valores });
    }
    expect(mal).toEqual({ perdidas: [], repetidas: [], viejas: [] });
    const { rows: estados } = await sql<{ state: string; n: number }>`
      select state, count(*)::int as n from effect where type = 'ml.publicacion' group by 1`.execute(db);
    expect(estados.filter(({ state }) => state !== 'done' && state !== 'refused')).toEqual([]);
    const { faults } = (await (await fetch(`${sandbox.url}/control/fail`)).json()) as { faults: { route: string }[] };
    const fallidas = armadas - faults.filter(({ route }) => route.startsWith('PUT')).length;
    expect(fallidas).toBeGreaterThan(0);
    const llegadas = [...puestos.values()].reduce((sum, { length }) => sum + length, 0);
    report('existencias', {
      cambios: CAMBIOS,
      llegadas,
      'superadas antes de salir': CAMBIOS - llegadas,
      'llamadas con falla': fallidas,
      muertes,
      repetidas: mal.repetidas.length,
      perdidas: mal.perdidas.length,
      viejas: mal.viejas.length,
      tiempo: seconds(performance.now() - began),
    });
  },
);
