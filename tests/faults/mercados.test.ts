import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { fuenteAmz } from '~/domain/mercados/amz/fuente.server';
import type { Fuente } from '~/domain/mercados/mercado';
import { fuenteMl } from '~/domain/mercados/ml/fuente.server';
import { listUnread, retryUnread } from '~/domain/sync/inboxUnread.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { enqueue } from '~db/queue/catalog.server';
import { type AmazonFacts, linkSandboxAmazon } from '../support/amazon';
import { runJobs } from '../support/jobs';
import { linkSandbox, type OrderFacts } from '../support/mercadolibre';
import { testDatabase } from '../support/db';
import { buildPersona } from '../support/builders/ventas';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { startTestSandbox } from '../support/sandbox';
import { luck, pause, report, seconds, times } from './support/scene';

/** Sales of both marketplaces whose reading goes wrong in every way. Answers, publications and stock have files of their own beside this one. */
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 0, ritmo: 100_000 },
});
stopWorkersAtTheEnd();
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const SALES = times(14, 200);
let quien: string;

beforeAll(async () => {
  quien = (await buildPersona(db, 'sa')).id;
}, 60_000);

/** One sale as the far side knows it, in pesos. */
type Hecho = { id: string; total: string; cancelada: boolean };

type Mundo = {
  fuente: Fuente;
  link(): Promise<void>;
  sell(count: number): Promise<void>;
  facts(): Promise<Hecho[]>;
  /** Somebody touches, pays or cancels some of them. */
  stir(ids: string[], next: () => number): Promise<void>;
  /** A way of telling that may change from one look to the next. */
  moods: Record<string, unknown>[];
  calm: Record<string, unknown>;
  /** Where its sales are searched and read. */
  search: string;
  read: string;
  revoke(): Promise<void>;
  /** A no to one resource that says nothing of the link. */
  deny(id: string): Promise<void>;
};

const MERCADO_LIBRE: Mundo = {
  fuente: fuenteMl,
  link: async () => void (await linkSandbox(db, sandbox)),
  sell: async (cantidad) => void (await sandbox.mercadolibre.post('/generar', { cantidad })),
  facts: async () =>
    (await sandbox.mercadolibre.get<OrderFacts[]>('/ordenes')).map(({ id, total, status }) => ({
      id,
      total: Money.ofJsonNumber(total).toString(),
      cancelada: status === 'cancelled',
    })),
  async stir(ids, next) {
    for (const id of ids)
      await sandbox.mercadolibre.post(`/ordenes/${id}/${next() < 0.25 ? 'cancelar' : 'actualizar'}`, {});
  },
  moods: [
    { totalErroneo: 3 },
    { ordenesParciales: 4 },
    { pagosVacios: 4 },
    { descuentos404: true },
    { vistaObjetoRetirada: true },
  ],
  calm: {
    totalErroneo: 0,
    ordenesParciales: 0,
    pagosVacios: 0,
    descuentos404: false,
    vistaObjetoRetirada: false,
    noEsTuyo: '',
  },
  search: 'GET /orders/search',
  read: 'GET /orders/2',
  revoke: async () => void (await sandbox.mercadolibre.post('/token', { revoke: true })),
  deny: async (id) => void (await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: `/orders/${id}` })),
};

const SIN_PRECIO = ['PENDING', 'CANCELLED'];
const ESCENARIOS = [
  'simple',
  'amazon',
  'dosPiezas',
  'variosArticulos',
  'negocio',
  'promocion',
  'envioCobrado',
  'porEnviar',
  'pendiente',
  'cancelada',
];
const AMAZON: Mundo = {
  fuente: fuenteAmz,
  link: () => linkSandboxAmazon(db, sandbox, quien),
  async sell(count) {
    for (let n = 0; n < count; n++)
      await amz.post('/ventas', {
        escenario: ESCENARIOS[n % ESCENARIOS.length],
        creada: Date.now() - (n + 24) * 3_600_000,
      });
  },
  facts: async () =>
    (await amz.get<AmazonFacts[]>('/ventas')).map(({ id, productos, estado }) => ({
      id,
      total: Money.ofJsonNumber(SIN_PRECIO.includes(estado) ? 0 : productos).toString(),
      cancelada: estado === 'CANCELLED',
    })),
  async stir(ids, next) {
    const known = new Map((await amz.get<AmazonFacts[]>('/ventas')).map(({ id, estado }) => [id, estado]));
    for (const id of ids) {
      const how = known.get(id) === 'PENDING' ? 'paga' : next() < 0.25 ? 'cancela' : 'toca';
      await amz.post(`/ventas/${id}/${how}`);
    }
  },
  moods: [
    { paginas: 'porPosicion', ultimaPagina: 'tokenVacio' },
    { camposNuevos: 'si', milisegundos: 'con' },
    { palabras: 'minusculas' },
    { precio: 'bruto', descuento: 'positivo' },
    { paginaVacia: 'si', personas: 'faltan' },
    { lineaDeImpuesto: 'falta', centavo: 'sobra' },
  ],
  calm: {
    paginas: 'porFila',
    ultimaPagina: 'sinToken',
    camposNuevos: 'no',
    milisegundos: 'sin',
    palabras: 'comoSeDocumentan',
    precio: 'neto',
    descuento: 'negativo',
    paginaVacia: 'no',
    personas: 'llegan',
    lineaDeImpuesto: 'llega',
    centavo: 'exacto',
  },
  search: 'GET /orders/2026-01-01/orders',
  read: 'GET /orders/2026-01-01/orders/70',
  revoke: async () => void (await amz.post('/lwa', { revoke: true })),
  deny: () => Promise.resolve(),
};

const FAULTS = ['429', '503', 'reset', 'half-answer', 'html', 'reset-after-doing', '500-after-doing'] as const;
/** The clock of this machine may be behind the marketplace's or ahead of it. */
const SKEW_MS = [0, -10 * 60_000, 10 * 60_000];

const kept = async ({ market }: Fuente) => {
  const rows = await db
    .selectFrom('orden')
    .select(['marketId', 'total', 'clase'])
    .where('market', '=', market)
    .execute();
  return rows
    .map(({ marketId, total, clase }) => ({ id: marketId, total: String(total), cancelada: clase === 'cancelada' }))
    .sort(byId);
};
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** Everything that waits for its time is due now. */
const dueNow = async () => {
  await sql`update inbox set next_at = now() where state = 'pending'`.execute(db);
  await sql`update orden set revisar_en = now() where revisar_en is not null`.execute(db);
  await sql`delete from connection`.execute(db);
};

/** What a killed worker held is let go, as its silence of some minutes does. */
async function buryDead() {
  await sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs where locked_by is not null))`.execute(db);
  await sql`update inbox set taken_until = null`.execute(db);
}

/** What waits in the inbox is asked for. */
async function readAgain() {
  await dueNow();
  await enqueue(db, 'inbox.sweep', {});
  await runJobs();
}

async function bothered(mundo: Mundo, seed: number) {
  const { fuente, link, sell, facts, stir, moods, calm, search, read, revoke, deny } = mundo;
  const api = fuente.source as 'mercadolibre' | 'amazon';
  const far = api === 'amazon' ? amz : sandbox.mercadolibre;
  const fail = (mode: string, options: Record<string, unknown>) =>
    api === 'amazon' ? amz.failNext(mode, options) : sandbox.mercadolibre.failNext(mode, options);
  const next = luck(seed);
  const sync = async (skew = 0) => {
    for (const kind of fuente.kinds)
      await syncVentas(db, fuente, { kind, now: () => new Date(Date.now() + skew) }).catch((error: unknown) => error);
  };
  const began = performance.now();
  await link();
  await sell(SALES);
  const ids = (await facts()).map(({ id }) => id);
  const some = (n: number) => Array.from({ length: n }, () => ids[Math.floor(next() * ids.length)]!);

  const rounds = times(4, FAULTS.length * 3);
  for (let round = 0; round < rounds; round++) {
    await far.post('/interruptores', { ...calm, ...moods[round % moods.length] });
    const mode = FAULTS[round % FAULTS.length]!;
    const soon = mode === '429' ? { code: 'sinRetryAfter' } : {};
    await fail(mode, { route: round % 2 ? search : read, times: 1, ms: 50, ...soon });
    await fail(mode, { route: read, times: 2, ms: 50, ...soon });
    await deny(some(1)[0]!);
    await Promise.all([sync(SKEW_MS[round % SKEW_MS.length]), stir(some(4), next)]);
    await sandbox.clear(api);
    await dueNow();
  }

  // The link is taken away in the middle, and given again.
  await revoke();
  await stir(some(3), next);
  await sync();
  await link();

  // A worker that is killed while it reads leaves the rest to the next one.
  await far.post('/interruptores', calm);
  await stir(ids.slice(0, Math.ceil(ids.length / 2)), next);
  await sandbox.latency(api, 15);
  const first = await WorkerProcess.start();
  await enqueue(db, 'ventas.sync', { market: fuente.market, kind: 'sweep' });
  await pause(400 + next() * 400);
  await first.kill('SIGKILL');
  await buryDead();
  await sandbox.latency(api, 0);
  return { next, ids, sync, ms: performance.now() - began };
}

/** Until nothing is news any more: the inbox and the sweeps have all they can have. */
async function settle(sync: () => Promise<unknown>) {
  for (let n = 0; n < 3; n++) {
    await dueNow();
    await sync();
    await readAgain();
  }
}

test.each([
  ['Mercado Libre', MERCADO_LIBRE, 11],
  ['Amazon', AMAZON, 23],
] as const)(
  'sales of %s that are read through every fault are listed once each, with their money',
  { timeout: 900_000 },
  async (name, mundo, seed) => {
    const { ids, sync, ms } = await bothered(mundo, seed);
    await settle(sync);
    // What was refused too often waits for a person.
    await retryUnread(db, quien);
    await settle(sync);
    expect(await kept(mundo.fuente)).toEqual((await mundo.facts()).sort(byId));
    expect((await listUnread(db, 100, mundo.fuente.source)).length).toBe(0);
    report(`ventas de ${name} leídas con fallas`, { ventas: ids.length, tiempo: seconds(ms) });
  },
);

test('a sale that cannot be understood waits in ‘Sin leer’ with its reason, and comes when it is asked for again', async () => {
  const [{ id }] = (await AMAZON.facts()) as [Hecho];
  await amz.post(`/ventas/${id}/rompe`);
  await syncVentas(db, fuenteAmz, { kind: 'sweep' });
  for (let n = 0; n < 12; n++) await readAgain();
  const unread = await listUnread(db, 100, 'amazon');
  expect(unread).toEqual([expect.objectContaining({ error: expect.stringContaining('orderItems') })]);
  await amz.post(`/ventas/${id}/rompe`, { rota: false });
  await retryUnread(db, quien);
  await readAgain();
  expect(await listUnread(db, 100, 'amazon')).toEqual([]);
  expect(await kept(fuenteAmz)).toEqual((await AMAZON.facts()).sort(byId));
}, 120_000);
