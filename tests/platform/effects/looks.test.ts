import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { pauseConnection } from '~/platform/connections/pause.server';
import { CONNECTIONS, type Clients } from '~/platform/connections/registry.server';
import { z } from 'zod';
import { parseKeyring } from '~/core/seal.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { CallSlots } from '~/platform/connections/slots.server';
import { defineEffect, effectCatalog, Mismatch } from '~/platform/effects/definition';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { dismissLateEvidence, mayHaveLanded, toldBy } from '~/platform/effects/late.server';
import {
  HUELLA_DE_DECISION,
  resolveAsAbsent,
  sendAgain,
  unresolved,
  withdrawEffect,
} from '~/platform/effects/resolve.server';
import { countSilencios, silencioDicho } from '~/platform/effects/silencios.server';
import { lookDue, runEffect, sweepEffects } from '~/platform/effects/runEffect.server';
import type { EffectRuntime } from '~/platform/effects/runtime';
import { Refused, Uncertain } from '~/integrations/errors';
import { buildPersona } from '../../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../../support/db';
import { luck } from '../../faults/support/scene';

/** A far side that may hold a call for longer than anyone waits for it. */
const far = {
  holds: false,
  there: false,
  looks: 0,
  looking: 0,
  lookMs: 0,
  mostAtOnce: 0,
  /** Everything that lives there under one reference. */
  vivos: new Array<string>(),
  /** Whether this look sees nothing at all. */
  blind: () => false,
};
const Request = z.object({ thing: z.string() });
const definition = defineEffect({
  type: 'test.tarde',
  label: 'Prueba',
  connection: 'facturacom',
  request: Request,
  evidence: z.object({ ref: z.string() }),
  key: ({ thing }) => thing,
  subjects: () => [],
  unclear: 'find',
  async send() {
    await Promise.resolve();
    throw far.holds ? new Uncertain('nadie contestó') : new Refused('dijo que no');
  },
  async find({ ref }) {
    far.looks += 1;
    if (far.blind()) throw new Uncertain('no se pudo mirar');
    far.mostAtOnce = Math.max(far.mostAtOnce, ++far.looking);
    await sleep(far.lookMs);
    far.looking -= 1;
    return far.there ? { ref } : 'absent';
  },
  confirm: (_call, { ref }) => Promise.resolve(ref),
  settle: () => Promise.resolve(),
});

const { db } = testDatabase();
const notHere = () => {
  throw new Error('not in this test');
};
const runtime: EffectRuntime = {
  db,
  catalog: effectCatalog([definition]),
  keyring: parseKeyring(`k1:${randomBytes(32).toString('base64')}`),
  slots: new CallSlots(),
  pace: 0.01,
  clients: () => Object.fromEntries(CONNECTIONS.all().map(({ as }) => [as, notHere])) as unknown as Clients,
};

beforeEach(() =>
  Object.assign(far, { holds: false, there: false, looks: 0, lookMs: 0, mostAtOnce: 0, vivos: [], blind: () => false }),
);

const accept = async () =>
  (await db.transaction().execute((trx) => acceptEffect(trx, definition, { request: { thing: randomUUID() } }))).id;
const stateOf = async (id: string) => (await effectView(db, id))!.state;
const nextLook = async (id: string) =>
  (await db.selectFrom('effect').select('lookAgainAt').where('id', '=', id).executeTakeFirstOrThrow()).lookAgainAt;
/** Time passes until its next look. */
const isDue = (id: string) =>
  sql`update effect set settled_at = settled_at - (look_again_at - now()), look_again_at = now() where id = ${id} and look_again_at > now()`.execute(
    db,
  );
/** The next look of an effect that has not ended. */
const isDueNow = (id: string) => sql`update effect set look_again_at = now() where id = ${id}`.execute(db);
const onBoard = async (id: string) => (await unresolved(db).select('effect.id').execute()).some((row) => row.id === id);

/** Sent, not answered, provably absent, sent again, and refused: while the first call is still on its way. */
async function refusedAfterDoubt() {
  const id = await accept();
  far.holds = true;
  await runEffect(runtime, id);
  far.holds = false;
  await expect
    .poll(
      async () => {
        await runEffect(runtime, id);
        return stateOf(id);
      },
      { timeout: 15_000, interval: 20 },
    )
    .toBe('refused');
  return id;
}

test('what was done after a no, by a call that nobody answered, is found and shown', async () => {
  const id = await refusedAfterDoubt();
  expect((await nextLook(id))!.getTime()).toBeGreaterThan(Date.now());
  far.there = true;
  await runEffect(runtime, id);
  expect(await onBoard(id)).toBe(false);
  await isDue(id);
  expect(await sweepEffects(db)).toBeGreaterThan(0);
  await runEffect(runtime, id);
  expect(await onBoard(id)).toBe(true);
  expect(await stateOf(id)).toBe('refused');
});

test('it is looked for at 2 and 5 minutes, then every five to the hour, then at 6 and 24 hours, and no more', async () => {
  const id = await refusedAfterDoubt();
  await sql`delete from connection_breaker`.execute(db);
  far.looks = 0;
  const minutes: number[] = [];
  for (let next = await nextLook(id); next !== null; next = await nextLook(id)) {
    const { rows } = await sql<{ after: number }>`
      select extract(epoch from look_again_at - settled_at)::float8 / 60 as after from effect where id = ${id}`.execute(
      db,
    );
    minutes.push(Math.round(rows[0]!.after / runtime.pace));
    await isDue(id);
    await sql`update connection set tokens = 1000`.execute(db);
    await runEffect(runtime, id);
  }
  expect(minutes).toEqual([2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 360, 1_440]);
  expect(far.looks).toBe(minutes.length);
  expect(await onBoard(id)).toBe(false);
});

/** Sent, not answered, provably absent, and for people, since its kind is never repeated by itself. */
async function waitsForPeople() {
  const guarded = defineEffect({
    ...definition,
    mayRepeat: () => Promise.resolve('no se repite solo'),
    alive: () => Promise.resolve(far.vivos.map((uid) => ({ uid, uuid: uid, folio: uid }))),
    uidOf: ({ ref }) => ref,
  });
  const here = { ...runtime, catalog: effectCatalog([guarded]) };
  const id = await accept();
  far.holds = true;
  await runEffect(here, id);
  far.holds = false;
  const step = async () => {
    await runEffect(here, id);
    return stateOf(id);
  };
  await expect.poll(step, { timeout: 15_000, interval: 20 }).toBe('manual');
  return { id, here, step, ref: (await effectView(db, id))!.ref };
}

test('what waits for people is still looked for: what then appears ends their wait', async () => {
  const { id, step } = await waitsForPeople();
  expect(await onBoard(id)).toBe(true);
  await isDue(id);
  expect(await step(), 'not there yet').toBe('manual');
  far.there = true;
  await isDue(id);
  await step();
  await expect.poll(step, { timeout: 15_000, interval: 20 }).toBe('done');
  expect(await onBoard(id)).toBe(false);
  const { id: usuarioId } = await buildPersona(db, 'sa');
  await expect(resolveAsAbsent(runtime, id, usuarioId)).rejects.toThrow(/sí se hizo/);

  await sql`update effect set unknown_at = null, late_evidence = null where id <> ${id}`.execute(db);
  const [silencio] = await countSilencios(db);
  expect(silencio).toMatchObject({ connection: 'facturacom', n: 1, llegaron: 1 });
  expect(silencioDicho(silencio!).texto).toMatch(
    /^Sin respuesta en 30 días: 1\. De 100, 100 sí llegaron, la mitad en \d+ s/,
  );
});

test('a second one that lands after the first was found is told with both; what was answered is looked for once, a day later', async () => {
  const { id, step, here, ref } = await waitsForPeople();
  far.there = true;
  await isDue(id);
  await step();
  await expect.poll(step, { timeout: 15_000, interval: 20 }).toBe('done');
  expect((await nextLook(id))!.getTime() - Date.now()).toBeLessThan(2 * 60_000 * runtime.pace + 1_000);
  far.vivos = [ref];
  await isDue(id);
  await runEffect(here, id);
  expect(await onBoard(id), 'only ours').toBe(false);
  far.vivos = [ref, 'otra'];
  await isDue(id);
  await runEffect(here, id);
  const { lateEvidence } = await db
    .selectFrom('effect')
    .select('lateEvidence')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(lateEvidence).toMatchObject({ vigente: { folio: ref }, repetidas: [{ folio: 'otra' }] });
  expect(await onBoard(id)).toBe(true);
});

test('a third one that lands after somebody saw to the second is told by itself, and the second is not told again', async () => {
  const { id, step, here, ref } = await waitsForPeople();
  const { id: usuarioId } = await buildPersona(db, 'sa');
  const told = async () => {
    await isDue(id);
    await runEffect(here, id);
    const row = await db
      .selectFrom('effect')
      .select(['lateEvidence', HUELLA_DE_DECISION.as('huella')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { folios: row.lateEvidence === null ? [] : toldBy(row.lateEvidence), huella: row.huella };
  };
  far.there = true;
  await isDue(id);
  await step();
  await expect.poll(step, { timeout: 15_000, interval: 20 }).toBe('done');
  far.vivos = [ref, 'otra'];
  const first = await told();
  expect(first.folios).toEqual(['otra']);
  expect(await told(), 'what stands on the board is not written anew').toEqual(first);
  await db.transaction().execute((trx) => dismissLateEvidence(trx, id, usuarioId));
  expect((await told()).folios).toEqual([]);
  far.vivos = [ref, 'otra', 'tercera'];
  expect((await told()).folios).toEqual(['tercera']);
  far.vivos = [ref, 'otra', 'tercera', 'cuarta'];
  expect((await told()).folios, 'beside the one that waits for somebody').toEqual(['tercera', 'cuarta']);
});

test('a kind that has no reference there tells what lives there after people said that it does not exist', async () => {
  const unnamed = defineEffect({
    ...definition,
    type: 'test.sinReferencia',
    unclear: 'ask',
    find: undefined,
    alive: () => Promise.resolve(far.vivos.map((uid) => ({ uid, uuid: uid, folio: uid }))),
  });
  const here = { ...runtime, catalog: effectCatalog([unnamed]) };
  const { id } = await db
    .transaction()
    .execute((trx) => acceptEffect(trx, unnamed, { request: { thing: randomUUID() } }));
  far.holds = true;
  await runEffect(here, id);
  await expect
    .poll(async () => (await runEffect(here, id), stateOf(id)), { timeout: 15_000, interval: 20 })
    .toBe('manual');
  far.vivos = ['factura 9'];
  await isDue(id);
  await runEffect(here, id);
  expect((await effectView(db, id))!.detail, 'beside the question').toContain('factura 9');
  await sql`update effect set sent_at = now() - interval '3 minutes' where id = ${id}`.execute(db);
  const { id: usuarioId } = await buildPersona(db, 'sa');
  await resolveAsAbsent(here, id, usuarioId);
  await isDue(id);
  await runEffect(here, id);
  expect(await onBoard(id)).toBe(true);
});

test('every kind of effect is looked for late, or says why not', () => {
  const silent = [...EFFECTS.values()].filter(({ find, alive, sinMirada }) => !find && !alive && !sinMirada);
  expect(silent.map(({ type }) => type)).toEqual([]);
});

test('what cannot be looked for, or was asked for again and done, comes to its last look too', async () => {
  const id = await refusedAfterDoubt();
  const { key } = await db.selectFrom('effect').select('key').where('id', '=', id).executeTakeFirstOrThrow();
  const again = (await db.transaction().execute((trx) => acceptEffect(trx, definition, { request: { thing: key } })))
    .id;
  await db.updateTable('effect').set({ state: 'done', settledAt: new Date() }).where('id', '=', again).execute();
  Object.assign(far, { looks: 0, there: true });
  for (let turn = 0; turn < 15; turn++) {
    expect(await nextLook(id)).not.toBe(null);
    await isDue(id);
    await runEffect(runtime, id);
  }
  expect([await nextLook(id), far.looks, await onBoard(id)]).toEqual([null, 0, false]);
});

/** What an effect waits for comes at once: all that was written of it is so much older. In milliseconds. */
async function passes(id: string): Promise<number> {
  return ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      const { rows } = await sql<{ ms: number }>`
        select greatest(0, extract(epoch from next_at - now()) * 1000)::float8 as ms from effect where id = ${id}`.execute(
        trx,
      );
      const ago = sql`${rows[0]!.ms}::float8 * interval '1 ms'`;
      await sql`set local trastienda.purga = 'effect_attempt'`.execute(trx);
      await sql`update effect_attempt set at = at - ${ago} where effect_id = ${id}`.execute(trx);
      await sql`update effect set next_at = next_at - ${ago}, sent_at = sent_at - ${ago}, unknown_at = unknown_at - ${ago}
        where id = ${id}`.execute(trx);
      return rows[0]!.ms;
    });
}

test('by its schedule a send that nobody answered is known for what it was within 240 s, though one look in three sees nothing', async () => {
  const next = luck(20261123);
  const known: number[] = [];
  for (let run = 0; run < 20; run++) {
    const id = await accept();
    Object.assign(far, { holds: true, blind: () => next() < 1 / 3 });
    await runEffect({ ...runtime, pace: 1 }, id);
    far.holds = false;
    let waited = 0;
    const since = performance.now();
    while ((await stateOf(id)) === 'unknown') {
      // Its own waits are what is measured, not what other runs used up.
      await sql`delete from connection_breaker`.execute(db);
      await sql`update connection set tokens = 1000`.execute(db);
      waited += await passes(id);
      await runEffect({ ...runtime, pace: 1 }, id);
    }
    known.push((waited + performance.now() - since) / 1_000);
  }
  known.sort((a, b) => a - b);
  expect(known[0]).toBeGreaterThanOrEqual(180);
  expect(known[Math.ceil(known.length * 0.95) - 1]).toBeLessThanOrEqual(240);
});

test('nobody waits for a look longer than until absent can be proven', async () => {
  const id = await accept();
  far.holds = true;
  await runEffect(runtime, id);
  await sql`update effect set finds = 7, next_at = now() where id = ${id}`.execute(db);
  await runEffect(runtime, id);
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from next_at - now()) * 1000)::float8 as ms from effect where id = ${id}`.execute(db);
  // Its step would be five minutes.
  expect(rows[0]!.ms).toBeLessThanOrEqual(180_000 * runtime.pace + 20);
});

test('of a kind that cannot be looked for nothing is watched', async () => {
  const blind = defineEffect({ ...definition, type: 'test.aciegas', unclear: 'repeat', find: undefined });
  const here = { ...runtime, catalog: effectCatalog([blind]) };
  const { id } = await db
    .transaction()
    .execute((trx) => acceptEffect(trx, blind, { request: { thing: randomUUID() } }));
  far.holds = true;
  await runEffect(here, id);
  far.holds = false;
  await expect
    .poll(
      async () => {
        await runEffect(here, id);
        return stateOf(id);
      },
      { timeout: 15_000, interval: 20 },
    )
    .toBe('refused');
  expect(await nextLook(id)).toBe(null);
});

test('a look that gets no leave is put off in its row, and leaves no job behind', async () => {
  const id = await refusedAfterDoubt();
  await isDue(id);
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  const jobs = async () =>
    (
      await sql<{ n: number }>`
        select count(*)::int as n from graphile_worker.jobs where task_identifier = 'effect.facturacom'`.execute(db)
    ).rows[0]!.n;
  const [before, looks] = [await jobs(), far.looks];
  await runEffect(runtime, id);
  expect([(await nextLook(id))!.getTime() > Date.now(), await jobs(), far.looks]).toEqual([true, before, looks]);
  await sql`delete from connection`.execute(db);
});

test('late looks at a far side are made together, the next at their moment, and one that fails holds up none', async () => {
  const [one, other] = [await refusedAfterDoubt(), await refusedAfterDoubt()];
  const unknown = { ...definition, type: 'test.olvidado' };
  const { id: forgotten } = await db
    .transaction()
    .execute((trx) => acceptEffect(trx, unknown, { request: { thing: randomUUID() } }));
  await sql`update effect set state = 'refused', settled_at = now(), look_again_at = now() where id = ${forgotten}`.execute(
    db,
  );
  await sql`update connection set tokens = 1000`.execute(db);
  for (const id of [one, other]) await isDue(id);
  far.there = true;
  await lookDue(runtime, 'facturacom', AbortSignal.abort());
  expect([await onBoard(one), await onBoard(other)], 'a worker that stops begins none').toEqual([false, false]);
  await lookDue(runtime, 'facturacom', new AbortController().signal);
  expect([await onBoard(one), await onBoard(other)]).toEqual([true, true]);
  expect((await nextLook(forgotten))!.getTime()).toBeGreaterThan(Date.now() + 60_000);
  const { rows } = await sql<{ atTime: boolean }>`
    select abs(extract(epoch from run_at - (select min(look_again_at) from effect where connection = 'facturacom'))) < 1 as at_time
    from graphile_worker.jobs where task_identifier = 'effects.lookLate'`.execute(db);
  expect(rows).toEqual([{ atTime: true }]);
});

test('two that live there under one reference are told, though none of them can be named', async () => {
  const id = await refusedAfterDoubt();
  const two = defineEffect({ ...definition, find: () => Promise.reject(new Mismatch(['hay 2 vigentes'])) });
  await isDue(id);
  await runEffect({ ...runtime, catalog: effectCatalog([two]) }, id);
  expect(await onBoard(id)).toBe(true);
  await db.transaction().execute(async (trx) => dismissLateEvidence(trx, id, (await buildPersona(db, 'sa')).id));
  await isDue(id);
  await runEffect({ ...runtime, catalog: effectCatalog([two]) }, id);
  expect(await onBoard(id), 'somebody saw to them').toBe(false);
});

test('what lands while two wait for a decision joins them, and the decision is about all of them', async () => {
  const vivosOf = (...names: string[]) => names.map((name) => ({ uid: name, uuid: name, folio: name }));
  const alive = (...names: string[]) =>
    defineEffect({
      ...definition,
      find: () =>
        Promise.reject(new Mismatch([`hay ${names.length}: ${names.join(', ')}`], undefined, vivosOf(...names))),
    });
  const at = (...names: string[]): EffectRuntime => ({ ...runtime, catalog: effectCatalog([alive(...names)]) });
  const told = async (id: string) => {
    const { lateEvidence, detail, state } = await db
      .selectFrom('effect')
      .select(['lateEvidence', 'detail', 'state'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return [state, detail, toldBy(lateEvidence)];
  };
  const id = await accept();
  far.holds = true;
  await runEffect(at('A', 'B'), id);
  await expect
    .poll(
      async () => {
        await runEffect(at('A', 'B'), id);
        return told(id);
      },
      { timeout: 15_000, interval: 20 },
    )
    .toEqual(['manual', 'hay 2: A, B', ['A', 'B']]);
  await isDueNow(id);
  await runEffect(at('A', 'B', 'C'), id);
  expect(await told(id)).toEqual(['manual', 'hay 3: A, B, C', ['A', 'B', 'C']]);
  // One of them was cancelled there: what was told stays told.
  await isDueNow(id);
  await runEffect(at('A', 'C'), id);
  expect(await told(id)).toEqual(['manual', 'hay 3: A, B, C', ['A', 'B', 'C']]);
});

test('while a late answer waits on the board, whoever sends under its reference looks first', async () => {
  const id = await refusedAfterDoubt();
  const { ref } = (await effectView(db, id))!;
  far.there = true;
  await isDue(id);
  await runEffect(runtime, id);
  await sql`update effect set look_again_at = null where id = ${id}`.execute(db);
  expect(await mayHaveLanded(db, { id: randomUUID(), ref })).toBe(true);
  expect(await mayHaveLanded(db, { id, ref })).toBe(false);
});

test('what is taken back after a call that nobody answered is looked for as well', async () => {
  const id = await accept();
  far.holds = true;
  await runEffect(runtime, id);
  // Proven absent and about to be sent again.
  await db
    .updateTable('effect')
    .set({ state: 'queued', leaseOwner: null, leaseUntil: null })
    .where('id', '=', id)
    .execute();
  const { id: usuarioId } = await buildPersona(db, 'sa');
  await db.transaction().execute((trx) => withdrawEffect(trx, runtime.catalog, id, usuarioId));
  expect(await nextLook(id)).not.toBe(null);
});

test('what is sent again and again and never answered stays on the board, and «No existe» is not taken right after it was sent', async () => {
  const id = await accept();
  far.holds = true;
  await runEffect(runtime, id);
  await sql`update effect set unknown_at = now() - interval '11 minutes' where id = ${id}`.execute(db);
  const sends = async () =>
    (await db.selectFrom('effect').select('sends').where('id', '=', id).executeTakeFirstOrThrow()).sends;
  await expect
    .poll(
      async () => {
        await sql`delete from connection`.execute(db);
        await runEffect(runtime, id);
        return [(await sends()) > 1, await stateOf(id)];
      },
      { timeout: 15_000, interval: 20 },
    )
    .toEqual([true, 'unknown']);
  expect(await onBoard(id)).toBe(true);
  const { id: usuarioId } = await buildPersona(db, 'sa');
  // The second send is another one than the first: both are held back.
  const press = (pace: number) =>
    db.transaction().execute(async (trx) => {
      await trx.updateTable('effect').set({ state: 'manual' }).where('id', '=', id).execute();
      const repeats = defineEffect({ ...definition, mayRepeat: () => Promise.resolve(true as const) });
      await sendAgain(trx, effectCatalog([repeats]), id, usuarioId, { pace });
    });
  await sql`update effect set sent_at = now(), lease_owner = null, lease_until = null where id = ${id}`.execute(db);
  await expect(press(1)).rejects.toThrow(/Se acaba de enviar/);
  await sql`update effect set sent_at = now(), lease_owner = null, lease_until = null where id = ${id}`.execute(db);
  await expect(resolveAsAbsent({ ...runtime, pace: 1 }, id, usuarioId)).rejects.toThrow(/Se acaba de enviar/);
  await sql`update effect set sent_at = now() - interval '3 minutes' where id = ${id}`.execute(db);
  await resolveAsAbsent({ ...runtime, pace: 1 }, id, usuarioId);
  expect(await stateOf(id)).toBe('cancelled');
});

test('leave to repeat gets old while a repeat waits: it is asked for again, and a far side that would not notice by now gets no second send', async () => {
  let asked = 0;
  let notices = true;
  const guarded = defineEffect({
    ...definition,
    mayRepeat: () => (asked++, Promise.resolve(notices || 'ya no rechaza repetidas')),
  });
  const here = { ...runtime, catalog: effectCatalog([guarded]) };
  /** Sent once, not answered, provably absent, and queued to be sent again. */
  const repeats = async () => {
    const id = await accept();
    Object.assign(far, { holds: true });
    await runEffect(here, id);
    far.holds = false;
    const step = async () => {
      await runEffect(here, id);
      return stateOf(id);
    };
    await expect.poll(step, { timeout: 15_000, interval: 20 }).toBe('queued');
    return id;
  };
  const sent = async (id: string) =>
    (
      await db
        .selectFrom('effectAttempt')
        .select('outcome')
        .where('effectId', '=', id)
        .where('kind', '=', 'send')
        .where('phase', '=', 'ended')
        .orderBy('id')
        .execute()
    ).map(({ outcome }) => outcome);

  const soon = await repeats();
  expect(asked).toBe(1);
  await runEffect({ ...here, pace: 1 }, soon);
  expect([asked, await sent(soon)], 'leave of a moment ago').toEqual([1, ['unclear', 'refused']]);

  const late = await repeats();
  await sleep(10_000 * runtime.pace);
  await runEffect(here, late);
  expect([asked, await sent(late)], 'asked again, and may').toEqual([3, ['unclear', 'refused']]);

  const changed = await repeats();
  notices = false;
  await sleep(10_000 * runtime.pace);
  await runEffect(here, changed);
  expect([await stateOf(changed), await sent(changed)]).toEqual(['manual', ['unclear', 'not-sent']]);
  expect(await onBoard(changed)).toBe(true);
  // A person who asks is not asked back.
  const { id: usuarioId } = await buildPersona(db, 'sa');
  await sql`update effect set sent_at = now() - interval '3 minutes' where id = ${changed}`.execute(db);
  await db.transaction().execute((trx) => sendAgain(trx, effectCatalog([guarded]), changed, usuarioId));
  await sleep(10_000 * runtime.pace);
  await runEffect(here, changed);
  expect([asked, (await sent(changed)).length]).toEqual([5, 3]);
});

test('a no to the only call there was is the end of it', async () => {
  const id = await accept();
  await runEffect(runtime, id);
  expect(await stateOf(id)).toBe('refused');
});

test('a look that takes longer than a lease is not begun again beside itself, and comes to an end', async () => {
  const id = await accept();
  Object.assign(far, { holds: true, there: true });
  await runEffect(runtime, id);
  // A lease is 450 ms here.
  far.lookMs = 1_500;
  await sql`update effect set next_at = now() where id = ${id}`.execute(db);
  const others: Promise<void>[] = [];
  const sweep = setInterval(() => others.push(runEffect({ ...runtime, slots: new CallSlots() }, id)), 100);
  await runEffect(runtime, id);
  clearInterval(sweep);
  await Promise.all(others);
  expect([await stateOf(id), far.looks, far.mostAtOnce]).toEqual(['done', 1, 1]);
});
