/** Notices of Mercado Libre at our door: how soon each is answered, and how fast their sales are stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atOnce } from '~/core/atOnce';
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../support/sandboxClient';
import { rounded, type Figure } from './figures';
import { linkSeller, sweepEnded } from './sync';
import type { Person, Web } from './place';

type Sale = { ordenes: string[] };
const SALES = 400;
const AT_ONCE = 8;
const STORM = 300;

export async function benchWebhooks(
  { db, person, sandbox }: { db: Db; person: Person; sandbox: SandboxClient },
  web: Web,
): Promise<Figure[]> {
  await linkSeller(db, person, sandbox);
  await sweepEnded(db);
  const door = `${web.url}/avisos/mercadolibre/${process.env.WEBHOOK_SECRETO}`;
  let named = 0;
  const post = async (topic: string, resource: string) => {
    const body = JSON.stringify({
      _id: `medida-${++named}`,
      topic,
      resource,
      user_id: 468123907,
      application_id: 5503910054140000,
      attempts: 1,
    });
    const began = performance.now();
    const answer = await fetch(door, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`the door answered ${answer.status}`);
    return performance.now() - began;
  };

  await post('orders_v2', '/orders/1');
  const { ventas } = await sandbox.mercadolibre.post<{ ventas: Sale[] }>('/ordenes', {
    scenario: 'simple',
    veces: SALES,
    sinAviso: true,
  });
  const ids = ventas.map(({ ordenes }) => ordenes[0]!);
  const shipments = await Promise.all(ids.map((id) => shipmentOf(sandbox, id)));
  const start = new Date().toISOString();
  const asked = async () =>
    (await sandbox.requests('mercadolibre', 5_000)).filter(({ at, path }) => at >= start && !path.includes('/control'));
  const notices = ids.flatMap((id, n) => [
    ['orders_v2', `/orders/${id}`],
    ['shipments', `/shipments/${shipments[n]!}`],
    ['orders_v2', `/orders/${id}`],
  ]) as [string, string][];
  const began = performance.now();
  const posting = atOnce(AT_ONCE, notices, ([topic, resource]) => post(topic, resource));
  for (const end = Date.now() + 120_000; ; await sleep(100)) {
    const { n } = await db
      .selectFrom('orden')
      .select(sql<number>`count(*)`.as('n'))
      .where('marketId', 'in', ids)
      .executeTakeFirstOrThrow();
    if (n === SALES) break;
    if (Date.now() > end) throw new Error(`only ${n} of ${SALES} sales arrived`);
  }
  const seconds = (performance.now() - began) / 1000;
  await posting;
  await idle(db);
  const calls = (await asked()).length;

  const storm = (await Promise.all(ids.slice(0, STORM).map((id) => post('orders_v2', `/orders/${id}`)))).sort(
    (a, b) => a - b,
  );
  await idle(db);
  const arrivals = await alone(db, sandbox, (id) => post('orders_v2', `/orders/${id}`));
  const at = (share: number) => rounded(storm[Math.min(storm.length - 1, Math.floor(storm.length * share))]!, 0);
  return [
    {
      name: `webhooks: ${SALES} sales, three notices each, ${AT_ONCE} at once`,
      value: rounded(SALES / seconds, 1),
      unit: 'sales/s',
      aim: 120,
      atLeast: true,
      note: `${rounded(seconds, 1)} s, ${rounded(calls / SALES, 1)} marketplace calls a sale`,
    },
    {
      name: `webhooks: ${STORM} at once, the slowest answer`,
      value: at(1),
      unit: 'ms',
      aim: 500,
      note: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    },
    {
      name: `webhooks: from a notice until its sale is here, the slowest of ${ALONE}`,
      value: rounded(arrivals.at(-1)!, 0),
      unit: 'ms',
      aim: 5_000,
      note: `median ${rounded(arrivals[Math.floor(ALONE / 2)]!, 0)} ms; aim of the median 2500 ms`,
    },
  ];
}

const ALONE = 20;

/** How long each of some sales takes to be here when nothing else comes in, the quickest first. */
async function alone(db: Db, sandbox: SandboxClient, tell: (id: string) => Promise<unknown>): Promise<number[]> {
  const { ventas } = await sandbox.mercadolibre.post<{ ventas: Sale[] }>('/ordenes', {
    scenario: 'simple',
    veces: ALONE,
    sinAviso: true,
  });
  const times: number[] = [];
  for (const { ordenes } of ventas) {
    const id = ordenes[0]!;
    const began = performance.now();
    await tell(id);
    for (;;) {
      const here = await db.selectFrom('orden').select('id').where('marketId', '=', id).executeTakeFirst();
      if (here) break;
      if (performance.now() - began > 60_000) throw new Error(`the sale ${id} did not arrive`);
      await sleep(10);
    }
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}

async function shipmentOf(sandbox: SandboxClient, id: string): Promise<string> {
  const [row] = await sandbox.mercadolibre.get<{ envioId: string }[]>(`/ordenes?numOrden=${id}&limit=1`);
  return row!.envioId;
}

async function idle(db: Db): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const waiting = await db
      .selectFrom('inbox')
      .select('id')
      .where('state', '=', 'pending')
      .where('attempts', '=', 0)
      .limit(1)
      .execute();
    if (waiting.length === 0) return;
  }
}
