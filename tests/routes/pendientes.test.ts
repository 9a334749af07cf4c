import { randomUUID } from 'node:crypto';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import { effectView, REF_TAKEN } from '~/platform/effects/effects.server';
import { idsAboutAny } from '~/platform/effects/subjects.server';
import { action, loader } from '~/routes/operacion/pendientes/pendientes';
import { acceptFacturas } from '../faults/support/scene';
import { openEmisor, setPace } from '../support/pac';
import { testDatabase } from '../support/db';
import { passSend, runJobsUntil } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';

setPace(0.02);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
let quien: Usuario;

beforeAll(async () => {
  quien = await openEmisor(db, sandbox, 'admin');
});
beforeEach(async () => {
  await sandbox.clear();
  await forgetFailures(db, 'correo');
  await forgetFailures(db, 'facturacom');
});

function args(path: string, body?: Record<string, string>, usuario = quien): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/admin/pendientes${path}`,
    body ? { method: 'POST', body: new URLSearchParams(body) } : undefined,
  );
  return { request, params: {}, context: { usuario } as unknown as AppLoadContext };
}
const acceptOne = async () => (await acceptFacturas(db, quien, 1))[0]!;
const stateOf = async (id: string) => (await effectView(db, id))!.state;
const failedLooks = async (effectId: string) => {
  const looks = await db
    .selectFrom('effectAttempt')
    .select('id')
    .where('effectId', '=', effectId)
    .where('kind', '=', 'find')
    .where('outcome', '=', 'unclear')
    .execute();
  return looks.length;
};
/** A press on the board as it stands. */
const decide = async (body: Record<string, string>, usuario = quien) =>
  action(args('', { huella: (await board(body.effectId!))?.huella ?? '', ...body }, usuario));
const board = async (id: string) => (await loader(args(`?ver=${id}`))).abierta;

/** A stamp that was made, whose answer was lost and that no look has found for eleven minutes. */
async function lostStamp(mode = 'reset-after-doing') {
  await sandbox.facturacom.failNext(mode);
  await sandbox.facturacom.failNext('503', { times: 100, route: '/v4/cfdi/list' });
  const { effectId, venta } = await acceptOne();
  await runJobsUntil(async () => (await stateOf(effectId)) === 'unknown');
  await sql`update effect set unknown_at = now() - interval '11 minutes' where id = ${effectId}`.execute(db);
  return { effectId, numOrden: venta.numOrden };
}

test(
  'a stamp whose answer was lost shows what is known, and the UUID that a person reads at the PAC ends it once it is checked',
  { timeout: 60_000 },
  async () => {
    const { effectId, numOrden } = await lostStamp();
    expect(await board(effectId)).toMatchObject({
      que: 'Timbrado de factura',
      conexion: 'factura.com',
      says: 'uuid',
      seBusca: true,
      state: 'unknown',
      asunto: { texto: `Orden ${numOrden}`, pantalla: expect.stringMatching(/^ordenes\?ver=/) },
      total: '99.00',
    });
    expect((await loader(args(`?ver=${effectId}`))).intentos).not.toEqual([]);
    // Nothing was answered, so nothing is shown as an answer.
    expect((await loader(args(`?ver=${effectId}`))).dudosa).toBeNull();
    // Nor is what a look met that failed.
    await runJobsUntil(async () => (await failedLooks(effectId)) > 0);
    expect((await loader(args(`?ver=${effectId}`))).dudosa).toBeNull();

    const uuid = (await sandbox.facturacom.stamped()).find(({ NumOrder }) => NumOrder.includes(numOrden))!.UUID;
    const say = { effectId, intent: 'existe', uuid: uuid.toLowerCase() };
    expect(await decide({ ...say, uuid: '123' })).toMatchObject({ init: { status: 422 } });
    expect(await decide(say)).toMatchObject({ data: { confirmar: { titulo: 'Sí existe' } } });
    await expect(decide({ ...say, confirmado: '1' }, { ...quien, rol: 'cont' })).rejects.toThrow(NotAllowed);

    await sandbox.clear();
    await forgetFailures(db, 'facturacom');
    await decide({ ...say, confirmado: '1' });
    await runJobsUntil(async () => (await stateOf(effectId)) === 'done');
    expect(await db.selectFrom('factura').select('uuid').where('effectId', '=', effectId).execute()).toEqual([
      { uuid },
    ]);
    expect(await board(effectId)).toBeNull();
  },
);

test('an answer that nobody understood stands on the board as it came', { timeout: 60_000 }, async () => {
  const { effectId } = await lostStamp('html');
  expect((await loader(args(`?ver=${effectId}`))).dudosa).toMatchObject({
    lado: 'factura.com',
    respuesta: expect.stringMatching(/<html/i),
  });
});

test(
  'the UUID of another sale is compared and not believed; looking again finds the right one',
  { timeout: 60_000 },
  async () => {
    const { effectId: other } = await acceptOne();
    await runJobsUntil(async () => (await stateOf(other)) === 'done');
    const { uuid } = await db
      .selectFrom('factura')
      .select('uuid')
      .where('effectId', '=', other)
      .executeTakeFirstOrThrow();
    const { effectId } = await lostStamp();
    await sandbox.clear();
    await forgetFailures(db, 'facturacom');
    const { huella: vieja } = (await board(effectId))!;
    await decide({ effectId, intent: 'existe', uuid, confirmado: '1' });
    await runJobsUntil(async () => (await stateOf(effectId)) === 'manual');
    expect((await board(effectId))!.reason).toBe('Lo que hay del otro lado no es lo que se pidió.');
    // Who still looks at a board of before decides nothing.
    const tarde = await decide({ effectId, intent: 'noExiste', huella: vieja, confirmado: '1' });
    expect(tarde).toMatchObject({
      data: {
        titulo: 'Aviso',
        choque: { cambios: [{ campo: 'Lo que se sabe' }], marcas: { huella: expect.any(String) } },
      },
      init: { status: 422 },
    });
    expect(await stateOf(effectId)).toBe('manual');

    await decide({ effectId, intent: 'otraVez' });
    await runJobsUntil(async () => (await stateOf(effectId)) === 'done');
    expect((await sandbox.facturacom.stamped()).filter(({ UUID }) => UUID === uuid)).toHaveLength(1);
  },
);

test(
  'a stamp that was cancelled at the PAC itself gives its sale back, under a number that is free',
  { timeout: 60_000 },
  async () => {
    const { effectId, numOrden } = await lostStamp();
    const first = (await sandbox.facturacom.stamped()).find(({ NumOrder }) => NumOrder.includes(numOrden))!;
    await sandbox.clear();
    await forgetFailures(db, 'facturacom');
    await sandbox.facturacom.cancelMode('at-once');
    await (
      await effectRuntime(db)
        .clients(() => undefined)
        .pac()
    ).cancelCfdi(first.uid, { motivo: '02' });
    await decide({ effectId, intent: 'otraVez' });
    await runJobsUntil(async () => (await stateOf(effectId)) === 'manual');
    expect((await board(effectId))!.detail).toContain('está cancelado en el PAC');
    await sql`update effect set sent_at = now() where id = ${effectId}`.execute(db);
    expect(await board(effectId)).toMatchObject({ decideDesde: expect.any(Date) });
    const pronto = await decide({ effectId, intent: 'noExiste', confirmado: '1' });
    expect(JSON.stringify(pronto)).toMatch(/todavía puede llegar. Decide desde las \d/);
    expect(await stateOf(effectId)).toBe('manual');
    await passSend(db, effectId);
    expect(await board(effectId)).toMatchObject({ decideDesde: null });
    await decide({ effectId, intent: 'noExiste', confirmado: '1' });
    expect(await stateOf(effectId)).toBe('cancelled');
    const { ref } = await db.selectFrom('effect').select('ref').where('id', '=', effectId).executeTakeFirstOrThrow();
    const { generation } = (
      await sql<{
        generation: number;
      }>`select count(*)::int as generation from effect where type = 'cfdi.stamp' and id in (${idsAboutAny([laVenta('ml', numOrden)])}) and ${REF_TAKEN}`.execute(
        db,
      )
    ).rows[0]!;
    expect([ref, generation]).toEqual([first.NumOrder, 1]);
  },
);

test('a letter nobody can be sure of ends by a person’s word, whatever it carried', { timeout: 60_000 }, async () => {
  await sandbox.correo.failNext('reset-after-doing', { times: 1_000 });
  const { effectId } = await acceptOne();
  const letter = () =>
    db
      .selectFrom('effect')
      .select(['id', 'state'])
      .where('type', '=', 'factura.mail')
      .orderBy('createdAt', 'desc')
      .executeTakeFirst();
  await runJobsUntil(async () => (await stateOf(effectId)) === 'done' && (await letter())?.state === 'manual');
  const { id } = (await letter())!;
  expect(await board(id)).toMatchObject({
    que: 'Correo con la factura',
    says: 'done',
    seBusca: false,
    asunto: { texto: expect.stringMatching(/^Factura F-\d+$/) },
    emails: expect.stringContaining('@'),
  });
  await decide({ effectId: id, intent: 'hecho', confirmado: '1' });
  await sandbox.clear();
  await runJobsUntil(async () => (await stateOf(id)) === 'done');
});

test('of more than a screen holds the oldest are seen, all are counted, and whatever a story leads to opens', async () => {
  const { id } = await db
    .insertInto('effect')
    .values({
      type: 'factura.mail',
      key: 'factura:la última',
      ref: 'la última',
      connection: 'correo',
      request: '{}',
      requestHash: Buffer.alloc(32),
      state: 'manual',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const before = await loader(args(''));
  expect(before.total).toBe(before.filas.length);
  await sql`insert into effect (type, key, ref, connection, request, request_hash, state, created_at)
    select 'factura.mail', 'factura:' || n, 'anterior ' || n, 'correo', '{}', ''::bytea, 'manual', now() - interval '1 day' from generate_series(1, 100) n`.execute(
    db,
  );
  const seen = await loader(args(`?ver=${id}`));
  expect(seen.filas).toHaveLength(100);
  expect(seen.filas.map((fila) => fila.id)).not.toContain(id);
  expect(seen.total).toBe(before.total + 100);
  expect(seen.abierta).toMatchObject({ id, que: 'Correo con la factura' });
  expect(seen.resuelta).toBe(false);
  expect(await loader(args('?ver=no-es-un-id'))).toMatchObject({ abierta: null, resuelta: false });
  expect(await loader(args(`?ver=${randomUUID()}`))).toMatchObject({ abierta: null, resuelta: true });
  await db.deleteFrom('effect').where('type', '=', 'factura.mail').where('state', '=', 'manual').execute();
});
