import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Usuario } from '~/core/usuario';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectView, LIVE_STATES } from '~/platform/effects/effects.server';
import { resolveAsExisting } from '~/platform/effects/resolve.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { findEmisor, linkFacturacom, requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { pacKeys } from '~/domain/facturacion/cfdi/facturacom.server';
import { NewCfdi } from '~/integrations/facturacom/nouns';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { buildBorrador, buildClientes, buildPersona, buildVenta, REVISION } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { runJobsUntil } from '../../../support/jobs';
import { knowCuentaPac } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

/** Absent is believed after 2.7 s. */
process.env.EFFECT_PACE = '0.015';
const sandbox = await startTestSandbox();
const { db } = testDatabase();
let usuario: Usuario;

const link = async () => {
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  return linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: usuario.id });
};

beforeAll(async () => {
  usuario = await buildPersona(db, 'sa');
  await link();
  await buildClientes(db);
});
beforeEach(async () => {
  await sandbox.clear();
  await sandbox.facturacom.admiteRepetidos(false);
  await knowCuentaPac(db);
  await sql`delete from connection`.execute(db);
});

/** A sale whose stamp is accepted and has not left yet. */
async function accept() {
  const draft = await buildBorrador(db, await buildVenta(db), usuario);
  const id = await db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: usuario.id,
      now: new Date(),
    }),
  );
  const { ref, request } = await db
    .selectFrom('effect')
    .select(['ref', 'request'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, ref, cfdi: NewCfdi.parse((request as { cfdi: unknown }).cfdi) };
}

const stateOf = async (id: string) => (await effectView(db, id))!.state;
const until = (id: string, ...states: string[]) => runJobsUntil(async () => states.includes(await stateOf(id)));
const ended = async (id: string) => {
  await until(id, 'done', 'refused', 'manual');
  return (await effectView(db, id))!;
};
const facturaOf = (id: string) => db.selectFrom('factura').select('uuid').where('effectId', '=', id).executeTakeFirst();
const vigentes = async (ref: string) =>
  (await sandbox.facturacom.stamped()).filter(({ NumOrder, estado }) => NumOrder === ref && estado === 'vigente');
/** As a person at the PAC's own page would. */
const byHand = async () => createFacturacomWriter(await pacKeys(db));
const creates = async () =>
  (await sandbox.requests('facturacom', 5_000)).filter(({ path }) => path.endsWith('/cfdi40/create')).length;

async function capture(id: string, uuid: string) {
  await runJobsUntil(async () => ['unknown', 'manual'].includes(await stateOf(id)));
  await expect
    .poll(
      () =>
        db
          .transaction()
          .execute((trx) => resolveAsExisting(trx, EFFECTS, id, uuid, usuario.id))
          .then(
            () => 'captured',
            (error: Error) => error.message,
          ),
      { timeout: 10_000 },
    )
    .toBe('captured');
}

describe('what the PAC says it had already', () => {
  test("is the sale's own when it lives there under our reference", async () => {
    const { id, ref, cfdi } = await accept();
    const { uuid } = await (await byHand()).createCfdi(cfdi, ref);
    expect((await ended(id)).state).toBe('done');
    expect(await facturaOf(id)).toEqual({ uuid });
    expect(await vigentes(ref)).toHaveLength(1);
  });

  test('is for people when it was cancelled there', async () => {
    const { id, ref, cfdi } = await accept();
    const pac = await byHand();
    const { uid, uuid } = await pac.createCfdi(cfdi, ref);
    await pac.cancelCfdi(uid, { motivo: '02' });
    expect(await ended(id)).toMatchObject({
      state: 'manual',
      detail: `El CFDI ${uuid} de la orden ${ref} está cancelado en el PAC`,
    });
    expect(await facturaOf(id)).toBeUndefined();
  });

  test("is for people when it is another order's", async () => {
    const other = await accept();
    expect((await ended(other.id)).state).toBe('done');
    const { id, ref } = await accept();
    await sandbox.facturacom.failNext('refuse', { code: 'existe', message: other.ref, contains: ref });
    expect(await ended(id)).toMatchObject({
      state: 'manual',
      detail: expect.stringContaining(`es de la orden ${other.ref}`),
    });
    expect(await facturaOf(id)).toBeUndefined();
  });
});

test('what an earlier request left at the PAC after it had been given up is taken, and no other is stamped beside it', async () => {
  await sandbox.facturacom.admiteRepetidos(true);
  const venta = await buildVenta(db);
  const request = async () => {
    const draft = await buildBorrador(db, venta, usuario);
    return db.transaction().execute((trx) =>
      createFactura(trx, draft, {
        revision: REVISION(),
        diferenciaAceptada: false,
        usuarioId: usuario.id,
        now: new Date(),
      }),
    );
  };
  const given = await request();
  const { ref, request: frozen } = await db
    .selectFrom('effect')
    .select(['ref', 'request'])
    .where('id', '=', given)
    .executeTakeFirstOrThrow();
  // Its first call is on its way when the second is refused: it arrives once nobody waits for it.
  await db
    .updateTable('effect')
    .set({ state: 'refused', settledAt: new Date(), lookAgainAt: new Date(Date.now() + 60_000) })
    .where('id', '=', given)
    .execute();
  await db.deleteFrom('fiscalClaim').where('effectId', '=', given).execute();
  await db.deleteFrom('facturaDraft').where('effectId', '=', given).execute();
  const { uuid } = await (await byHand()).createCfdi(NewCfdi.parse((frozen as { cfdi: unknown }).cfdi), ref);
  const again = await request();
  expect((await ended(again)).state).toBe('done');
  expect(await facturaOf(again)).toEqual({ uuid });
  expect(await vigentes(ref)).toHaveLength(1);
});

describe('«Sí existe»', () => {
  /** Stamped, and neither the answer nor a list came back. */
  async function stampUnseen() {
    const accepted = await accept();
    await sandbox.facturacom.failNext('reset-after-doing');
    await sandbox.facturacom.failNext('503', { times: 500, route: '/v4/cfdi/list' });
    await until(accepted.id, 'unknown');
    return accepted;
  }
  const seeAgain = async () => {
    await sandbox.clear();
    await sql`delete from connection`.execute(db);
  };

  test('with one made by hand, while ours lives too, is for people until one of the two is cancelled', async () => {
    const { id, ref, cfdi } = await stampUnseen();
    const pac = await byHand();
    const { uuid } = await pac.createCfdi(cfdi, '');
    await capture(id, uuid);
    await seeAgain();
    const [ours] = await vigentes(ref);
    expect(await ended(id)).toMatchObject({
      state: 'manual',
      detail: expect.stringContaining(`el PAC tiene vigente el ${ours!.UUID} con la orden ${ref}`),
    });
    expect(await facturaOf(id)).toBeUndefined();
    await pac.cancelCfdi(ours!.uid, { motivo: '02' });
    await capture(id, uuid);
    expect((await ended(id)).state).toBe('done');
    expect(await facturaOf(id)).toEqual({ uuid });
  });

  test('with one of two that live under our number is for people too', async () => {
    await sandbox.facturacom.admiteRepetidos(true);
    const { id, ref, cfdi } = await stampUnseen();
    const { uuid } = await (await byHand()).createCfdi(cfdi, ref);
    await capture(id, uuid);
    await seeAgain();
    expect(await ended(id)).toMatchObject({
      state: 'manual',
      detail: expect.stringMatching(`^El PAC tiene 2 CFDI vigentes con la orden ${ref}: F-\\d+ y F-\\d+$`),
    });
  });

  test('waits while the list cannot be read', async () => {
    const { id, ref } = await stampUnseen();
    const [ours] = await vigentes(ref);
    await capture(id, ours!.UUID);
    await runJobsUntil(
      async () =>
        (await db.selectFrom('effect').select('finds').where('id', '=', id).executeTakeFirstOrThrow()).finds >= 3,
    );
    expect(await stateOf(id)).toBe('unknown');
    await seeAgain();
    expect((await ended(id)).state).toBe('done');
  });
});

test('a list that the plan does not give is never an absence: the lost stamp is not sent again, even to a PAC that admits repeated numbers', async () => {
  await sandbox.facturacom.admiteRepetidos(true);
  const { id, ref } = await accept();
  await sandbox.facturacom.failNext('reset-after-doing');
  for (const route of ['/v4/cfdi/list', '/v1/invoices'])
    await sandbox.facturacom.failNext('refuse', {
      times: 500,
      route,
      message: 'Tu plan no cuenta con acceso a la consulta de CFDI',
    });
  const looked = () =>
    db
      .selectFrom('effect')
      .select(['state', sql<boolean>`finds > 4 and unknown_at < now() - interval '3.5 seconds'`.as('enough')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  await runJobsUntil(async () => {
    const { state, enough } = await looked();
    return enough || (state !== 'unknown' && state !== 'queued' && state !== 'sending');
  }, 30_000);
  expect([await stateOf(id), await vigentes(ref)]).toMatchObject(['unknown', [{ NumOrder: ref }]]);
  await sandbox.clear();
  await sql`delete from connection`.execute(db);
  expect((await ended(id)).state).toBe('done');
  expect(await vigentes(ref)).toHaveLength(1);
}, 60_000);

describe('a no in words nobody knows', () => {
  test('that came after the stamp was made ends with that stamp', async () => {
    const { id, ref } = await accept();
    await sandbox.facturacom.failNext('no-after-doing', { message: 'Ocurrió un error inesperado' });
    expect((await ended(id)).state).toBe('done');
    expect(await vigentes(ref)).toHaveLength(1);
  });

  test('is told once the stamp is proven absent, and the PAC is not asked for the same again', async () => {
    const { id, ref } = await accept();
    const before = await creates();
    await sandbox.facturacom.failNext('refuse', { times: 5, message: 'Palabras que nadie conoce' });
    await until(id, 'unknown');
    expect(await ended(id)).toMatchObject({ state: 'refused', reason: 'Palabras que nadie conoce' });
    expect([(await creates()) - before, await vigentes(ref)]).toEqual([1, []]);
    expect(await db.selectFrom('fiscalClaim').select('ordenId').where('effectId', '=', id).execute()).toEqual([]);
  });

  test('of a PAC in trouble is asked again once the stamp is proven absent', async () => {
    const { id, ref } = await accept();
    await sandbox.facturacom.failNext('refuse', { message: '504 - Gateway Time-out' });
    expect((await ended(id)).state).toBe('done');
    expect(await vigentes(ref)).toHaveLength(1);
  });
});

describe('another company', () => {
  const linkedAs = (rfc: string) =>
    sql`update ajuste set valor = jsonb_set(valor::jsonb, '{rfc}', to_jsonb(${rfc}::text)) where clave = 'emisor'`.execute(
      db,
    );
  const live = async () =>
    (
      await db
        .selectFrom('effect')
        .select('id')
        .where('connection', '=', 'facturacom')
        .where('state', 'in', LIVE_STATES)
        .execute()
    ).length;
  const settleAll = () =>
    sql`update effect set state = 'cancelled', settled_at = now(), lease_owner = null, lease_until = null where connection = 'facturacom' and state in ('manual', 'unknown', 'queued')`.execute(
      db,
    );

  test('is not linked while something of this one is under way; the same company always is', async () => {
    await settleAll();
    await accept();
    await linkedAs('XIA190128J61');
    await expect(link()).rejects.toMatchObject({
      titulo: 'Error de actualización.',
      message: expect.stringContaining(
        'Esas llaves son de EKU9003173C9 y hay 1 solicitud de XIA190128J61 sin terminar',
      ),
    });
    expect((await findEmisor(db))!.rfc).toBe('XIA190128J61');
    await accept();
    // Counted before: a refusal that nobody awaits yet is an error of the run.
    const abiertas = await live();
    await expect(link()).rejects.toThrow(
      `hay ${abiertas} solicitudes de XIA190128J61 sin terminar en factura.com. Espera a que terminen o decídelas en Pendientes`,
    );
    await linkedAs('EKU9003173C9');
    expect((await link()).rfc).toBe('EKU9003173C9');
    await settleAll();
    await linkedAs('XIA190128J61');
    expect((await link()).rfc).toBe('EKU9003173C9');
  });

  test('waits for what is being accepted in the name of this one', async () => {
    await settleAll();
    await linkedAs('XIA190128J61');
    let accepted!: () => void;
    const written = new Promise<void>((resolve) => (accepted = resolve));
    let begun!: () => void;
    const required = new Promise<void>((resolve) => (begun = resolve));
    const accepting = db.transaction().execute(async (trx) => {
      await requireEmisor(trx);
      begun();
      await written;
      await trx
        .insertInto('effect')
        .values({
          type: 'cfdi.stamp',
          key: 'orden:ml:x',
          ref: 'x',
          connection: 'facturacom',
          request: '{}',
          requestHash: Buffer.alloc(32),
        })
        .execute();
    });
    await required;
    const linking = link().then(
      () => 'linked',
      (error: Error) => error.message,
    );
    expect(await Promise.race([linking, new Promise((resolve) => setTimeout(() => resolve('waits'), 1_500))])).toBe(
      'waits',
    );
    accepted();
    await accepting;
    expect(await linking).toContain('hay 1 solicitud de XIA190128J61');
    await settleAll();
    await link();
  });

  test('on a stamped CFDI is an alarm', async () => {
    const { id } = await accept();
    await linkedAs('XIA190128J61');
    expect(await ended(id)).toMatchObject({
      state: 'manual',
      detail: 'RFC del emisor: se timbró «EKU9003173C9» y se pidió «XIA190128J61»',
    });
    await linkedAs('EKU9003173C9');
  });
});
