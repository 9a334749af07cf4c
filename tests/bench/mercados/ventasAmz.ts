/** The first sync of a seller of Amazon with many sales, by the worker, with every answer at once: what is measured is the reading and the writing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { linkKeys } from '~/domain/operacion/linkCatalog.server';
import type { Db } from '~db/client.server';
import { CLIENT_ID, CLIENT_SECRET, SELLER_ID } from '../../sandbox/amazon';
import { rounded, type Figure } from '../figures';
import type { Bench } from './parts';

const DAYS = 100;
const DAY_MS = 86_400_000;
/** As many times faster than documented: nobody waits for a bucket. */
const AT_ONCE = 1_000_000;
const WITHIN_MS = 900_000;

export async function benchVentasAmz({ db, person, sandbox }: Bench, count: number): Promise<Figure[]> {
  const amz = sandbox.proveedor('amazon');
  await amz.post('/ritmo', { factor: AT_ONCE });
  for (let day = 0; day < DAYS; day++)
    await amz.post('/ventas', {
      escenario: day % 2 ? 'simple' : 'negocio',
      veces: Math.ceil(count / DAYS),
      creada: Date.now() - (day + 2) * DAY_MS,
    });
  const { refresh_token: refreshToken } = await amz.post<{ refresh_token: string }>('/autoautoriza', {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
  });
  await linkKeys(db, CONNECTIONS.of('amazon'), { sellerId: SELLER_ID, refreshToken }, person.id);
  const run = await ended(db);
  const seconds = (run.endedAt!.getTime() - run.startedAt.getTime()) / 1000;
  const { asked } = await amz.get<{ asked: Record<string, number> }>('/ritmo');
  return [
    {
      name: `mercados: first sync of ${run.written} sales of Amazon`,
      value: rounded(run.written / seconds, 1),
      unit: 'sales/s',
      aim: 150,
      atLeast: true,
      note: `${rounded(seconds, 1)} s, ${run.seen} rows seen, ${run.failed} failed, ${asked.searchOrders ?? 0} searches`,
    },
  ];
}

async function ended(db: Db) {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(250)) {
    const run = await db
      .selectFrom('syncRun')
      .selectAll()
      .where('source', '=', 'amazon')
      .where('kind', '=', 'sweep')
      .where('endedAt', 'is not', null)
      .orderBy('startedAt')
      .executeTakeFirst();
    if (run?.error) throw new Error(`the sync ended with: ${run.error}`);
    if (run) return run;
  }
  throw new Error('the sync of Amazon did not end');
}
