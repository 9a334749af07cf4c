/** From an accepted factura to its stored CFDI, through the worker's own process, with a PAC that answers at once and with one of 300 ms. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { civilDay } from '~/core/time';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import type { DraftCliente } from '~/domain/facturacion/emision/draft';
import { lookUpCliente } from '~/domain/facturacion/emision/draftSteps.server';
import { openDraft, requireDraft, saveDraft } from '~/domain/facturacion/emision/draft.server';
import type { Db, Trx } from '~db/client.server';
import type { SandboxClient } from '../support/sandboxClient';
import { invoiceableNumbers } from './data';
import { rounded, spread, type Figure } from './figures';
import type { Person } from './place';

/** A customer the sandbox's PAC knows. */
const RFC = 'RAOF850412K20';
const CREATE = 'POST /v4/cfdi40/create';

type Bench = { db: Db; person: Person; sandbox: SandboxClient };

/** Steps 1 and 2 of the stepper, for so many sales; the customer is looked up once. */
async function prepareDrafts({ db, person }: Bench, count: number): Promise<string[]> {
  const usuario = { ...person, rol: 'sa' };
  const ids: string[] = [];
  let cliente: DraftCliente | null = null;
  for (const numOrden of await invoiceableNumbers(db, count)) {
    const id = await openDraft(db, numOrden, person.id);
    if (cliente) await saveDraft(db, await requireDraft(db, id, usuario), { cliente });
    else {
      await lookUpCliente(db, await requireDraft(db, id, usuario), RFC);
      cliente = (await requireDraft(db, id, usuario)).cliente;
    }
    ids.push(id);
  }
  if (ids.length < count) throw new Error(`only ${ids.length} of ${count} sales can be invoiced`);
  return ids;
}

async function accept(trx: Trx, { person }: Bench, draftId: string): Promise<string> {
  const draft = await requireDraft(trx, draftId, { ...person, rol: 'sa' });
  const now = new Date();
  return createFactura(trx, draft, {
    revision: { formaPago: '04', usoCfdi: 'G03', fecha: civilDay(now) },
    diferenciaAceptada: true,
    usuarioId: person.id,
    now,
  });
}

type Path = { id: string; accepted: Date; taken: Date; done: Date };

/** The instants of these stamps by PostgreSQL's own clock: commit of the accepting transaction, begin of the take, commit of the end. */
async function pathsOf(db: Db, ids: string[]): Promise<Path[]> {
  const { rows } = await sql<Path>`
    select e.id, pg_xact_commit_timestamp(b.xmin) as accepted, a.at as taken, pg_xact_commit_timestamp(e.xmin) as done
    from effect e join bitacora b on b.entidad = 'orden' and b.accion = 'facturar' and b.datos ->> 'efecto' = e.id::text
    join lateral (select at from effect_attempt a where a.effect_id = e.id order by a.id limit 1) a on true
    where e.id = any(${ids}::uuid[]) and e.state = 'done' order by accepted`.execute(db);
  return rows;
}

/** Until no effect is alive, or none of this kind. */
async function untilQuiet(
  db: Db,
  patience: number,
  { type, look = 10 }: { type?: string; look?: number } = {},
): Promise<void> {
  for (const end = Date.now() + patience; ; await sleep(look)) {
    const living = await db
      .selectFrom('effect')
      .select('id')
      .where('state', 'in', ['queued', 'sending', 'unknown'])
      .$if(type !== undefined, (alive) => alive.where('type', '=', type!))
      .executeTakeFirst();
    if (!living) return;
    if (Date.now() > end) throw new Error('effects are still under way');
  }
}

/** One after the other, each with its letter; the next begins when nothing is left of the one before. */
export async function benchStampPath(bench: Bench, rounds: number): Promise<Figure[]> {
  const { db, sandbox } = bench;
  const warmUp = 8;
  const drafts = await prepareDrafts(bench, rounds + warmUp);
  const ids: string[] = [];
  for (const draft of drafts) {
    ids.push(await db.transaction().execute((trx) => accept(trx, bench, draft)));
    await untilQuiet(db, 20_000);
  }
  const paths = (await pathsOf(db, ids)).slice(warmUp);
  const seen = await sandbox.requests('facturacom', 2_000);
  const own: number[] = [];
  const whole: number[] = [];
  const queued: number[] = [];
  for (const { accepted, taken, done } of paths) {
    const calls = seen.filter(({ at }) => at >= accepted.toISOString() && at < done.toISOString());
    const pac = calls.reduce((sum, { ms }) => sum + ms, 0);
    whole.push(done.getTime() - accepted.getTime());
    own.push(done.getTime() - accepted.getTime() - pac);
    queued.push(taken.getTime() - accepted.getTime());
  }
  const { value: pacP50 } = spread(whole.map((ms, n) => ms - own[n]!));
  return [
    {
      name: 'stamp: accepted to stored, own time',
      ...spread(own),
      unit: 'ms',
      aim: 60,
      note: `PAC's own ${pacP50} ms; until taken ${spread(queued).value} ms`,
    },
    { name: 'stamp: accepted to stored, whole', ...spread(whole), unit: 'ms' },
  ];
}

/** So many at once with a PAC of 300 ms, which takes five calls at a time: from the accepting commit to the last stored CFDI. */
export async function benchManyStamps(bench: Bench, count: number, where: 'create' | 'every call'): Promise<Figure[]> {
  const { db, sandbox } = bench;
  const drafts = await prepareDrafts(bench, count);
  const before = (await sandbox.facturacom.stamped()).length;
  if (where === 'create') await sandbox.facturacom.failNext('slow', { times: count * 2, ms: 300, route: CREATE });
  else await sandbox.latency('facturacom', 300);
  try {
    const ids = await db.transaction().execute(async (trx) => {
      const accepted: string[] = [];
      for (const draft of drafts) accepted.push(await accept(trx, bench, draft));
      return accepted;
    });
    await untilQuiet(db, 600_000, { type: 'cfdi.stamp', look: 200 });
    const paths = await pathsOf(db, ids);
    const seconds =
      (Math.max(...paths.map(({ done }) => done.getTime())) -
        Math.min(...paths.map(({ accepted }) => accepted.getTime()))) /
      1000;
    const stamped = (await sandbox.facturacom.stamped()).slice(before);
    const stored = await db
      .selectFrom('factura')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('effectId', 'in', ids)
      .executeTakeFirstOrThrow();
    const distinct = new Set(stamped.map(({ NumOrder }) => NumOrder)).size;
    const exact = stored.n === stamped.length && distinct === stamped.length;
    // Five at a time of 300 ms each are the floor; the aim of a shorter run is the same share over it.
    return [
      {
        name: `${count} stamps, PAC of 300 ms (${where})`,
        value: rounded(seconds, 1),
        unit: 's',
        aim: rounded((63 * count) / 1000, 1),
        note: `${rounded(count / seconds, 1)} per second; floor ${rounded((count / 5) * 0.3, 1)} s`,
      },
      {
        name: `${count} stamps (${where}): CFDI at the PAC and stored`,
        value: exact ? stamped.length : NaN,
        unit: 'CFDI',
        aim: count,
        exactly: true,
        note: exact ? undefined : `${stamped.length} at the PAC, ${distinct} orders, ${stored.n} stored`,
      },
    ];
  } finally {
    await sandbox.clear('facturacom');
    // Their letters: not what is measured, and nothing of them may reach into the next measure.
    await untilQuiet(db, 300_000, { look: 200 });
  }
}
