/** The first sync of a seller with many sales, by the worker, from the sandbox of Mercado Libre. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkMercadolibre, startLink } from '~/domain/mercados/ml/cuenta.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../support/sandboxClient';
import { rounded, type Figure } from './figures';
import type { Person } from './place';

const DAY_MS = 86_400_000;

export async function benchSync(
  { db, person, sandbox }: { db: Db; person: Person; sandbox: SandboxClient },
  count: number,
): Promise<Figure[]> {
  await sandbox.mercadolibre.post('/generar', { cantidad: count });
  await linkSeller(db, person, sandbox);
  const run = await sweepEnded(db);
  const seconds = (run.endedAt!.getTime() - run.startedAt.getTime()) / 1000;
  return [
    {
      name: `sync of ${run.written} orders`,
      value: rounded(run.written / seconds, 1),
      unit: 'orders/s',
      aim: 150,
      atLeast: true,
      note: `${rounded(seconds, 1)} s, ${run.seen} seen, ${run.failed} failed`,
    },
    ...(await benchIdleSweep(db)),
  ];
}

/**
 * What a sweep asks of the marketplace when nothing happened since the last one. It looks again at the two hours before: at those of an ordinary day, and at the
 * last two, into which the sandbox puts the newest changes of all its sales. A page of the search holds 50, and what took more than one page is paged twice.
 */
async function benchIdleSweep(db: Db): Promise<Figure[]> {
  const name = 'sync: a sweep when nothing happened';
  const [ordinary, last] = [await countSweep(db, new Date(Date.now() - DAY_MS)), await countSweep(db, new Date())];
  return [
    { name, value: ordinary.asked, unit: 'requests', aim: 2, note: ordinary.note },
    { name: `${name}, over the sales just made`, value: last.asked, unit: 'requests', note: last.note },
  ];
}

/** A sweep that got to this moment before, and has got to it again. It runs here, where nobody else asks anything: the worker has other jobs. */
async function countSweep(db: Db, moment: Date) {
  let asked = 0;
  const count = () => void asked++;
  subscribe('undici:request:create', count);
  const run = await syncVentas(db, fuenteOf('ml'), { kind: 'sweep', since: moment, now: () => moment });
  unsubscribe('undici:request:create', count);
  if (!run || run.failed > 0 || asked === 0) throw new Error(`the idle sweep ended as ${JSON.stringify(run)}`);
  return { asked, note: `${run.seen} seen, ${run.written} written` };
}

/** As people do; a sync of everything follows. */
export async function linkSeller(db: Db, person: Person, sandbox: SandboxClient): Promise<void> {
  const address = new URL(await startLink(db, person));
  const back = await sandbox.mercadolibre.post<{ code: string; state: string }>(
    '/authorize',
    Object.fromEntries(address.searchParams),
  );
  const ended = await linkMercadolibre(db, person, back);
  if (ended !== 'lista') throw new Error(`the link ended as ${ended}`);
}

/** The first sweep, once it ended well. */
export async function sweepEnded(db: Db) {
  for (const end = Date.now() + 900_000; Date.now() < end; await sleep(250)) {
    const run = await db
      .selectFrom('syncRun')
      .selectAll()
      .where('kind', '=', 'sweep')
      .where('endedAt', 'is not', null)
      .orderBy('startedAt')
      .executeTakeFirst();
    if (run?.error) throw new Error(`the sync ended with: ${run.error}`);
    if (run) return run;
  }
  throw new Error('the sync did not end');
}
