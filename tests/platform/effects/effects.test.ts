import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CONNECTIONS, type Clients } from '~/platform/connections/registry.server';
import { z } from 'zod';
import { parseKeyring, unseal } from '~/core/seal.server';
import { CallSlots } from '~/platform/connections/slots.server';
import { defineEffect, effectCatalog, Mismatch } from '~/platform/effects/definition';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { dismissLateEvidence } from '~/platform/effects/late.server';
import {
  lookAgain,
  resolveAsAbsent,
  resolveAsExisting,
  unresolved,
  withdrawEffect,
} from '~/platform/effects/resolve.server';
import { runEffect, sweepEffects } from '~/platform/effects/runEffect.server';
import type { EffectRuntime } from '~/platform/effects/runtime';
import { Refused, Unavailable, Uncertain } from '~/integrations/errors';
import { exchange } from '~/integrations/http.server';
import { testDatabase } from '../../support/db';
import { passSend } from '../../support/jobs';

/** A far side of our own: it registers what it does by reference and answers as badly as it is told. */
type Mode = 'ok' | 'refuse' | 'account' | 'unavailable' | 'reset-before' | 'reset-after' | 'hang-after' | '500-after';
const far = { done: [] as string[], next: [] as Mode[], posts: 0, looks: 0, lookDown: false };
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((req, res) => {
    const ref = new URL(req.url!, 'http://x').searchParams.get('ref')!;
    if (req.method === 'GET') {
      far.looks += 1;
      if (far.lookDown) return res.destroy();
      return res.end(JSON.stringify({ found: far.done.includes(ref) }));
    }
    far.posts += 1;
    const mode = far.next.shift() ?? 'ok';
    if (mode === 'refuse') return res.writeHead(400).end('no');
    if (mode === 'account') return res.writeHead(401).end('no');
    if (mode === 'unavailable') return res.writeHead(503).end('later');
    if (mode === 'reset-before') return res.destroy();
    if (far.done.includes(ref)) return res.writeHead(409).end('exists');
    far.done.push(ref);
    if (mode === 'reset-after') return res.destroy();
    if (mode === 'hang-after') return;
    if (mode === '500-after') return res.writeHead(500).end('oops');
    return res.end(JSON.stringify({ ref }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const { db } = testDatabase();
const keyring = parseKeyring(`k1:${randomBytes(32).toString('base64')}`);
const Request = z.object({ thing: z.string(), wrong: z.boolean().default(false) });

const define = (unclear: 'find' | 'repeat' | 'ask', type = `test.${unclear}`) =>
  defineEffect({
    type,
    label: 'Prueba',
    connection: 'facturacom',
    request: Request,
    evidence: z.object({ ref: z.string() }),
    stands: (_call, { ref }) => Promise.resolve(far.done.includes(ref)),
    byHand: { says: 'uuid', evidence: (uuid) => ({ ref: uuid }) },
    key: (request) => request.thing,
    subjects: ({ thing }) => [['orden', thing]],
    unclear,
    async send({ ref }) {
      const answer = await exchange({
        side: { name: 'prueba', root: url },
        method: 'POST',
        url: `${url}?ref=${ref}`,
        timeoutMs: 300,
        trace: (at) => traces.push(at.url),
      });
      if (answer.status === 400) throw new Refused('dijo \0que no', { status: 400, code: 'X\u00001' });
      if (answer.status === 401) throw new Refused('llaves malas', { status: 401, account: true });
      if (answer.status === 503) throw new Unavailable('luego', { status: 503 });
      if (answer.status === 409) return { ref };
      if (answer.status !== 200) throw new Uncertain('quién sabe', { status: answer.status });
      return { ref };
    },
    async find({ ref }, known) {
      if (known) return known;
      const answer = await exchange({
        side: { name: 'prueba', root: url },
        method: 'GET',
        url: `${url}?ref=${ref}`,
        timeoutMs: 300,
      });
      return (JSON.parse(answer.body.toString()) as { found: boolean }).found ? { ref } : 'absent';
    },
    async confirm({ request }, evidence) {
      if (request.wrong) throw new Mismatch(['el total es otro']);
      return evidence;
    },
    async settle(trx, effect, result) {
      await trx
        .insertInto('ajuste')
        .values({ clave: `settled:${effect.id}`, valor: JSON.stringify(result) })
        .execute();
    },
    async release(trx, effect) {
      await trx
        .insertInto('ajuste')
        .values({ clave: `released:${effect.id}`, valor: '{}' })
        .execute();
    },
  });

const traces: string[] = [];
const notHere = () => {
  throw new Error('not in this test');
};
const noClients = Object.fromEntries(CONNECTIONS.all().map(({ as }) => [as, notHere])) as unknown as Clients;
const finding = define('find');
const repeating = define('repeat');
const asking = define('ask');
const catalog = effectCatalog([finding, repeating, asking]);

/** A send may wait 100 ms here: a loaded machine needs that much between two lines. */
const runtime = (pace = 0.005): EffectRuntime => ({
  db,
  catalog,
  keyring,
  pace,
  slots: new CallSlots(),
  clients: () => noClients,
});

beforeEach(async () => {
  Object.assign(far, { done: [], next: [], posts: 0, looks: 0, lookDown: false });
  await sql`delete from connection`.execute(db);
});

const accept = (definition = finding, request: z.input<typeof Request> = { thing: randomUUID() }) =>
  db.transaction().execute((trx) => acceptEffect(trx, definition, { request: Request.parse(request) }));

async function runUntilSettled(id: string, at = runtime(), { ms = 15_000, everyMs = 5 } = {}) {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    const view = (await effectView(db, id))!;
    if (['done', 'refused', 'cancelled', 'manual'].includes(view.state)) return view;
    await runEffect(at, id);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return (await effectView(db, id))!;
}

const settledRows = async (id: string) =>
  (
    await db
      .selectFrom('ajuste')
      .select('clave')
      .where('clave', 'in', [`settled:${id}`, `released:${id}`])
      .execute()
  ).map(({ clave }) => clave.split(':')[0]);

test('a call that answers is done once and written once', async () => {
  const { id } = await accept();
  expect((await runUntilSettled(id)).state).toBe('done');
  expect(far.posts).toBe(1);
  expect(await settledRows(id)).toEqual(['settled']);
});

test('asking twice for the same thing finds the living effect', async () => {
  const thing = randomUUID();
  const all = await Promise.all(Array.from({ length: 20 }, () => accept(finding, { thing })));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(all.filter(({ created }) => created)).toHaveLength(1);
});

test('twenty runners that meet on one effect send it once', async () => {
  const { id } = await accept();
  await Promise.all(Array.from({ length: 20 }, () => runEffect(runtime(1), id)));
  expect(far.posts).toBe(1);
  expect((await effectView(db, id))!.state).toBe('done');
});

test.each(['reset-after', 'hang-after', '500-after'] as const)('%s is looked up and never sent twice', async (mode) => {
  far.next = [mode];
  const { id } = await accept();
  expect((await runUntilSettled(id)).state).toBe('done');
  expect(far.posts).toBe(1);
  expect(far.looks).toBeGreaterThan(0);
});

test('a connection cut before anything happened is sent again only after it is provably absent', async () => {
  far.next = ['reset-before'];
  const { id } = await accept();
  expect((await runUntilSettled(id)).state).toBe('done');
  expect(far.looks).toBeGreaterThanOrEqual(3);
  expect(far.posts).toBe(2);
  expect(far.done).toHaveLength(1);
});

test('while the far side cannot be asked, an unclear call stays unclear', async () => {
  far.next = ['reset-after'];
  far.lookDown = true;
  const { id } = await accept();
  const view = await runUntilSettled(id, runtime(), { ms: 700 });
  expect(view.state).toBe('unknown');
  expect(far.posts).toBe(1);
});

test('a clear no ends it, whatever bytes its words carry, gives back what it held, and frees the key', async () => {
  far.next = ['refuse'];
  const thing = randomUUID();
  const { id } = await accept(finding, { thing });
  const view = await runUntilSettled(id);
  expect(view).toMatchObject({ state: 'refused', reason: 'dijo que no', detail: 'X1' });
  expect(await settledRows(id)).toEqual(['released']);
  expect((await accept(finding, { thing })).created).toBe(true);
});

test('what surely was not sent is sent later', async () => {
  far.next = ['unavailable', 'unavailable'];
  const { id } = await accept();
  expect((await runUntilSettled(id)).state).toBe('done');
  expect(far.posts).toBe(3);
  expect(far.looks).toBe(0);
});

test('a problem with our account pauses the connection and loses nothing', async () => {
  far.next = ['account'];
  const { id } = await accept();
  await runEffect(runtime(1), id);
  expect((await effectView(db, id))!).toMatchObject({ state: 'queued', reason: 'llaves malas' });
  const other = await accept();
  await runEffect(runtime(1), other.id);
  expect((await effectView(db, other.id))!.state).toBe('queued');
  expect(far.posts).toBe(1);
});

test('the fifth failure in a row opens the breaker', async () => {
  far.next = Array.from({ length: 6 }, () => 'unavailable' as const);
  for (let i = 0; i < 5; i++) await runEffect(runtime(1), (await accept()).id);
  await runEffect(runtime(1), (await accept()).id);
  expect(far.posts).toBe(5);
});

test('a process that dies while sending leaves it to be looked up', async () => {
  const { id } = await accept();
  await sql`update effect set state = 'sending', sends = 1, lease_owner = 'dead', lease_until = now() - interval '1 second' where id = ${id}`.execute(
    db,
  );
  const { ref } = (await effectView(db, id))!;
  far.done.push(ref);
  expect((await runUntilSettled(id)).state).toBe('done');
  expect(far.posts).toBe(0);
});

test('who lost the lease writes nothing', async () => {
  const { id } = await accept();
  const slow = runEffect(runtime(1), id);
  far.next = ['ok'];
  await sql`update effect set lease_owner = 'another' where id = ${id} and state = 'sending'`.execute(db);
  await slow;
  const view = (await effectView(db, id))!;
  const rows = await settledRows(id);
  expect(view.state === 'done' ? rows : []).toEqual(view.state === 'done' ? ['settled'] : []);
});

test('what may be repeated is repeated three times at most, then people see it', async () => {
  far.next = ['reset-before', 'reset-before', 'reset-before', 'reset-before'];
  const { id } = await accept(repeating);
  expect((await runUntilSettled(id)).state).toBe('manual');
  expect(far.posts).toBe(3);
});

test('a call that we built wrong never left: it ends with our own fault in words, and is no doubt', async () => {
  const bad = { 'an address': 'no es una dirección', 'a header': url };
  for (const [what, address] of Object.entries(bad)) {
    const wrong = defineEffect({
      ...finding,
      async send({ ref }) {
        const headers: Record<string, string> = what === 'a header' ? { 'x-nota': 'dos\nlíneas' } : {};
        await exchange({ side: { name: 'prueba', root: url }, method: 'POST', url: address, headers });
        return { ref };
      },
    });
    const { id } = await accept(wrong);
    const view = await runUntilSettled(id, { ...runtime(), catalog: effectCatalog([wrong]) });
    expect(view, what).toMatchObject({ state: 'refused', reason: expect.stringContaining('No se envió nada') });
    expect(await settledRows(id), what).toEqual(['released']);
  }
  expect(far.posts).toBe(0);
});

test('an answer that is too large came all the same: its status is told, and no cut connection', async () => {
  const huge = exchange({ side: { name: 'prueba', root: url }, method: 'GET', url: `${url}?ref=x`, maxBytes: 3 });
  await expect(huge).rejects.toMatchObject({ name: 'UnexpectedShape', details: { status: 200 } });
});

test('what may never be repeated goes to people at the first doubt', async () => {
  far.next = ['reset-after'];
  const { id } = await accept(asking);
  expect((await runUntilSettled(id)).state).toBe('manual');
  expect(far.posts).toBe(1);
  expect((await unresolved(db).selectAll().execute()).map((row) => row.id)).toContain(id);
});

test('another thing than what was asked is an alarm, not a retry', async () => {
  const { id } = await accept(finding, { thing: randomUUID(), wrong: true });
  expect(await runUntilSettled(id)).toMatchObject({ state: 'manual', detail: 'el total es otro' });
  expect(far.posts).toBe(1);
});

test('people decide: «Sí existe» is checked, «No existe» frees the key, both are audited', async () => {
  const usuarioId = (
    await sql<{ id: string }>`
    insert into usuario (usuario, nombre, apellidos, email, rol, password_hash) values (${randomUUID()}, 'a', 'b', 'c@d.mx', 'sa', '') returning id`.execute(
      db,
    )
  ).rows[0]!.id;
  far.next = ['reset-after', 'reset-after'];
  const first = await accept(asking);
  await runUntilSettled(first.id);
  const { ref } = (await effectView(db, first.id))!;
  await db.transaction().execute((trx) => resolveAsExisting(trx, catalog, first.id, ref, usuarioId));
  expect((await runUntilSettled(first.id)).state).toBe('done');
  expect(far.posts).toBe(1);

  const thing = randomUUID();
  const second = await accept(asking, { thing });
  await runUntilSettled(second.id);
  await passSend(db, second.id);
  await resolveAsAbsent(runtime(), second.id, usuarioId);
  expect((await effectView(db, second.id))!.state).toBe('cancelled');
  expect(await settledRows(second.id)).toEqual(['released']);
  expect((await accept(asking, { thing })).created).toBe(true);
  const audited = await db
    .selectFrom('bitacora')
    .select('accion')
    .where('entidad', '=', 'effect')
    .where('usuarioId', '=', usuarioId)
    .execute();
  expect(audited.map(({ accion }) => accion).sort()).toEqual(['No existe', 'Sí existe']);
});

test('people ask to look again: what somebody captured is forgotten, and what is there by now is found', async () => {
  const usuarioId = (await db.selectFrom('usuario').select('id').executeTakeFirstOrThrow()).id;
  const { id } = await accept(finding, { thing: randomUUID(), wrong: true });
  await runUntilSettled(id);
  await db.transaction().execute((trx) => resolveAsExisting(trx, catalog, id, 'otra', usuarioId));
  await runUntilSettled(id);
  expect(far.looks).toBe(0);
  await db.transaction().execute((trx) => lookAgain(trx, id, usuarioId));
  expect(await runUntilSettled(id)).toMatchObject({ state: 'manual', detail: 'el total es otro' });
  expect(far.looks).toBe(1);
  expect(far.posts).toBe(1);
});

test('looks that could not look do not count as looks that found nothing', async () => {
  far.next = ['reset-before'];
  const { id } = await accept();
  await runEffect(runtime(), id);
  far.lookDown = true;
  for (const end = Date.now() + 15_000; Date.now() < end;) {
    await sql`delete from connection`.execute(db);
    await sql`update effect set next_at = now() where id = ${id}`.execute(db);
    await runEffect(runtime(), id);
    const { finds, old } = (
      await sql<{
        finds: number;
        old: boolean;
      }>`select finds, unknown_at < now() - interval '1 second' as old from effect where id = ${id}`.execute(db)
    ).rows[0]!;
    if (finds >= 3 && old) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  Object.assign(far, { lookDown: false, looks: 0 });
  await sql`delete from connection`.execute(db);
  // Not oftener than the connection's rate gives leave.
  expect((await runUntilSettled(id, runtime(), { everyMs: 40 })).state).toBe('done');
  expect(far.looks).toBeGreaterThanOrEqual(3);
});

test('«No existe» is not taken of what somebody has just found, nor of what the far side named and still holds', async () => {
  const usuarioId = (await db.selectFrom('usuario').select('id').executeTakeFirstOrThrow()).id;
  const { id } = await accept(finding, { thing: randomUUID(), wrong: true });
  const { ref, result } = await runUntilSettled(id);
  expect(result).toEqual({ ref });
  await expect(resolveAsAbsent(runtime(), id, usuarioId)).rejects.toThrow(/sigue vigente/);
  await db.transaction().execute((trx) => resolveAsExisting(trx, catalog, id, ref, usuarioId));
  far.done = [];
  await expect(resolveAsAbsent(runtime(), id, usuarioId)).rejects.toThrow(/ya no espera/);
  await runUntilSettled(id);
  await passSend(db, id);
  await resolveAsAbsent(runtime(), id, usuarioId);
  expect((await effectView(db, id))!.state).toBe('cancelled');
});

test('an answer that comes when people have decided otherwise is shown until somebody has seen to it', async () => {
  const usuarioId = (await db.selectFrom('usuario').select('id').executeTakeFirstOrThrow()).id;
  const { id } = await accept();
  // The process froze beyond its lease while it read back what was done: meanwhile somebody decided.
  const frozen = defineEffect({
    ...finding,
    confirm: async (_call, evidence) => {
      await sql`update effect set state = 'manual', lease_owner = null, lease_until = null where id = ${id}`.execute(
        db,
      );
      await passSend(db, id);
      await resolveAsAbsent(runtime(), id, usuarioId);
      return evidence;
    },
  });
  await runEffect({ ...runtime(), catalog: effectCatalog([frozen]) }, id);
  expect(far.done).toHaveLength(1);
  const waits = async () => (await unresolved(db).select('effect.id').execute()).some((row) => row.id === id);
  expect(await waits()).toBe(true);
  await db.transaction().execute((trx) => dismissLateEvidence(trx, id, usuarioId));
  expect(await waits()).toBe(false);
});

test('what our own database says is asked before a turn is taken, so no turn stands empty for it', async () => {
  const { id } = await accept();
  const at = { ...runtime(1), slots: new CallSlots() };
  const { atOnce } = CONNECTIONS.of('facturacom').budget;
  const held = await Promise.all(Array.from({ length: atOnce }, () => at.slots.call('facturacom')));
  let asked!: () => void;
  const ready = new Promise<void>((resolve) => (asked = resolve));
  const running = runEffect(
    { ...at, catalog: effectCatalog([defineEffect({ ...finding, ready: () => Promise.resolve(asked()) })]) },
    id,
  );
  await ready;
  expect(far.posts).toBe(0);
  held[0]!();
  await running;
  expect(far.posts).toBe(1);
  expect((await effectView(db, id))!.state).toBe('done');
});

test('a no of our own database is a no, and nothing leaves', async () => {
  const { id } = await accept();
  const refusing = defineEffect({ ...finding, ready: () => Promise.reject(new Refused('ya no')) });
  await runEffect({ ...runtime(), catalog: effectCatalog([refusing]) }, id);
  expect((await effectView(db, id))!.state).toBe('refused');
  expect(far.posts).toBe(0);
});

test('what nobody can stand for is not taken for done by a word', async () => {
  const usuarioId = (await db.selectFrom('usuario').select('id').executeTakeFirstOrThrow()).id;
  far.next = ['reset-after'];
  const { id } = await accept(asking);
  await runUntilSettled(id);
  await expect(db.transaction().execute((trx) => resolveAsExisting(trx, catalog, id, null, usuarioId))).rejects.toThrow(
    /no se puede dar por hecha/,
  );
});

test('what has not left yet can be taken back', async () => {
  const usuarioId = (await db.selectFrom('usuario').select('id').executeTakeFirstOrThrow()).id;
  const { id } = await accept();
  await db.transaction().execute((trx) => withdrawEffect(trx, catalog, id, usuarioId));
  await runEffect(runtime(), id);
  expect(far.posts).toBe(0);
  expect((await effectView(db, id))!.state).toBe('cancelled');
});

test('the request of an accepted effect cannot be changed, nor can a settled one come back', async () => {
  const { id } = await accept();
  await expect(sql`update effect set request = '{"thing":"other"}' where id = ${id}`.execute(db)).rejects.toThrow(
    /no cambia/,
  );
  await runUntilSettled(id);
  await expect(sql`update effect set state = 'queued', settled_at = null where id = ${id}`.execute(db)).rejects.toThrow(
    /no cambia de estado/,
  );
  await expect(sql`delete from effect_attempt`.execute(db)).rejects.toThrow(/permission denied/);
});

test('the sweep finds what a lost job left behind', async () => {
  const { id } = await accept();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  expect(await sweepEffects(db)).toBeGreaterThan(0);
  const { rows } = await sql<{ key: string }>`select key from graphile_worker._private_jobs`.execute(db);
  expect(rows.map(({ key }) => key)).toContain(`effect.facturacom:${id}`);
});

test('what is unclear is looked for before anything new is sent, and sent before it once it is proven absent', async () => {
  const jobOf = async (id: string) => {
    const { rows } = await sql<{
      priority: number;
    }>`select priority from graphile_worker._private_jobs where key = ${`effect.facturacom:${id}`}`.execute(db);
    return rows[0]?.priority;
  };
  const goesFirst = async () => {
    const [first, second] = [await jobOf(id), await jobOf(newer.id)];
    return first !== undefined && second !== undefined && first < second;
  };
  far.next = ['reset-before'];
  const { id } = await accept();
  await runEffect(runtime(), id);
  const newer = await accept();
  expect((await effectView(db, id))!.state).toBe('unknown');
  expect(await goesFirst()).toBe(true);

  await sql`delete from graphile_worker._private_jobs`.execute(db);
  // Its wait may not be over yet.
  await expect
    .poll(async () => {
      await sweepEffects(db);
      return goesFirst();
    })
    .toBe(true);

  await expect
    .poll(async () => {
      await runEffect(runtime(), id);
      return (await effectView(db, id))!.state;
    })
    .toBe('queued');
  expect(await goesFirst()).toBe(true);
});

test('bodies of attempts are sealed', async () => {
  const sealing = defineEffect({
    ...define('find', 'test.sealed'),
    async send({ ref, clients }) {
      void clients;
      return { ref };
    },
  });
  const at: EffectRuntime = { ...runtime(), catalog: effectCatalog([sealing]) };
  let record: ((url: string) => void) | undefined;
  at.clients = (trace) => {
    record = (target) =>
      trace({ method: 'POST', url: target, requestBody: 'RFC secreto', status: 200, responseBody: '' });
    record('http://pac');
    return noClients;
  };
  const { id } = await accept(sealing);
  await runUntilSettled(id, at);
  const { sealed } = await db
    .selectFrom('effectAttempt')
    .select('sealed')
    .where('effectId', '=', id)
    .where('phase', '=', 'ended')
    .executeTakeFirstOrThrow();
  expect(sealed!.toString('latin1')).not.toContain('secreto');
  expect(unseal(keyring, sealed!, `effect:${id}`).toString()).toContain('RFC secreto');
});
