import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { effectView } from '~/platform/effects/effects.server';
import { resolveAsAbsent } from '~/platform/effects/resolve.server';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { generateGlobal, retryGlobal } from '~/domain/facturacion/mes/global.server';
import type { NewCfdi } from '~/integrations/facturacom/nouns';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { buildOrden } from '../../../support/builders/mes';
import { buildBorrador, buildVenta, REVISION } from '../../../support/builders/ventas';
import { ownerDatabase } from '../../../support/db';
import { passSend, runJobs, runJobsUntil } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

/** A global meets what the PAC already has before it stamps anything. Each test closes a month of its own. */
const { db, sandbox, sa } = await openPac({ publicoGeneral: true });
const now = () => new Date();

/** 'Generar Factura' of another minute than the last: one press, one batch. Its globals, in the order of their numbers. */
async function generar(mes: string, when = now()) {
  await sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);
  const lote = await generateGlobal(db, { mes, usuarioId: sa.id, now: when });
  return { lote, globales: await globalesOf(lote) };
}
const globalesOf = (lote: string) =>
  db.selectFrom('effect').select(['id', 'ref', 'state', 'reason']).where('batchId', '=', lote).orderBy('id').execute();
const vender = (mes: string, precio: string) => buildOrden(db, { fecha: `${mes}-10T18:00:00Z`, precio });
const claimsOf = (ordenIds: string[]) =>
  db.selectFrom('fiscalClaim').select(['ordenId', 'facturaId']).where('ordenId', 'in', ordenIds).execute();

/** Stamped at the PAC yesterday, its answer lost, and 'No existe' pressed on the board before anybody looked. */
async function perder(mes: string) {
  await sandbox.facturacom.failNext('reset-after-doing', { times: 1 });
  const { lote, globales } = await generar(mes, new Date(Date.now() - 86_400_000));
  const { id } = globales[0]!;
  await runJobsUntil(async () => (await effectView(db, id))!.state === 'unknown');
  await sql`update effect set unknown_at = now() - interval '11 minutes' where id = ${id}`.execute(db);
  await passSend(db, id);
  await resolveAsAbsent(effectRuntime(db), id, sa.id);
  return lote;
}

/** Living globals of a month at the PAC, each with the sales in it. */
async function alPac(mes: string) {
  const all = (await sandbox.facturacom.stamped()).filter(
    ({ NumOrder, estado }) => NumOrder.startsWith(`GLOBAL-${mes}`) && estado === 'vigente',
  );
  return Promise.all(
    all.map(async ({ NumOrder, UUID, uid, serie, folio }) => ({
      NumOrder,
      UUID,
      uid,
      folio: `${serie}-${folio}`,
      ventas: readCfdiXml(await sandbox.facturacom.xml(UUID)).conceptos.map(({ noIdentificacion }) => noIdentificacion),
    })),
  );
}

async function pacByHand() {
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  return createFacturacomWriter({ baseUrl: process.env.FACTURACOM_URL!, apiKey, secret: secretKey });
}

test('after a wrong «No existe» the month is generated again: the lost global is met and kept, and what sold since goes in another', async () => {
  const mes = '2026-01';
  const ventas = [await vender(mes, '470.00'), await vender(mes, '58.00')];
  await perder(mes);
  const nueva = await vender(mes, '232.00');
  const { lote } = await generar(mes);
  await settle();
  expect((await globalesOf(lote)).map(({ ref, state }) => [ref, state])).toEqual([
    [`GLOBAL-${mes}-1`, 'done'],
    [`GLOBAL-${mes}-2`, 'done'],
  ]);
  const pac = await alPac(mes);
  expect(pac.map(({ NumOrder, ventas: dentro }) => [NumOrder, dentro]).toSorted()).toEqual([
    [`GLOBAL-${mes}-1`, ventas.map(({ numOrden }) => numOrden)],
    [`GLOBAL-${mes}-2`, [nueva.numOrden]],
  ]);
  const facturas = await db
    .selectFrom('factura')
    .select(['id', 'uuid'])
    .where(
      'uuid',
      'in',
      pac.map(({ UUID }) => UUID),
    )
    .execute();
  expect(facturas).toHaveLength(2);
  expect((await claimsOf([...ventas, nueva].map(({ id }) => id))).map(({ facturaId }) => facturaId)).not.toContain(
    null,
  );
});

test('after a no that was misread the number is asked for again: what is under it is kept, or waits for people when its sales are others', async () => {
  const mes = '2025-12';
  const venta = await vender(mes, '640.00');
  await sandbox.facturacom.failNext('refuse', { times: 1 });
  const {
    globales: [rechazada],
  } = await generar(mes);
  await settle();
  const { request } = await db
    .selectFrom('effect')
    .select('request')
    .where('id', '=', rechazada!.id)
    .executeTakeFirstOrThrow();
  const porMano = (ref: string) => pacByHand().then((pac) => pac.createCfdi((request as { cfdi: NewCfdi }).cfdi, ref));
  const { uuid } = await porMano(`GLOBAL-${mes}-1`);
  const { lote } = await generar(mes);
  await settle();
  expect(await globalesOf(lote)).toMatchObject([{ ref: `GLOBAL-${mes}-1`, state: 'done' }]);
  expect((await alPac(mes)).map(({ UUID }) => UUID)).toEqual([uuid]);

  const otra = await vender(mes, '640.00');
  await sandbox.facturacom.failNext('refuse', { times: 1 });
  await generar(mes);
  await settle();
  await porMano(`GLOBAL-${mes}-2`);
  const { lote: ultimo } = await generar(mes);
  await settle();
  expect(await globalesOf(ultimo)).toMatchObject([{ ref: `GLOBAL-${mes}-2`, state: 'manual' }]);
  expect((await alPac(mes)).map(({ ventas }) => ventas)).toEqual([[venta.numOrden], [venta.numOrden]]);
  expect(await claimsOf([otra.id])).toMatchObject([{ facturaId: null }]);
});

test('a lost global that is no longer what is asked stops everything with its folio, until somebody cancels it there', async () => {
  const mes = '2026-02';
  const [una, otra] = [await vender(mes, '470.00'), await vender(mes, '58.00')];
  const primero = await perder(mes);
  await db.updateTable('orden').set({ pagadoAbs: '471.00' }).where('id', '=', una.id).execute();
  const [perdida] = await alPac(mes);
  const segundo = await generar(mes);
  await settle();
  expect(await globalesOf(segundo.lote)).toMatchObject([
    {
      ref: `GLOBAL-${mes}-1`,
      state: 'refused',
      reason: `No se timbró: factura.com ya tiene vigente el CFDI ${perdida!.folio} por $528.00 con el número GLOBAL-${mes}-1, y no es lo que se pide ahora ($529.00). Cancélalo en factura.com y genera de nuevo.`,
    },
  ]);
  expect(await claimsOf([una.id, otra.id])).toEqual([]);
  // Tried again from the result of the first press it is met as well.
  await retryGlobal(db, { batchId: primero, mes, usuarioId: sa.id, now: now() });
  await settle();
  expect((await alPac(mes)).map(({ UUID }) => UUID)).toEqual([perdida!.UUID]);

  await (await pacByHand()).cancelCfdi(perdida!.uid, { motivo: '02' });
  const tercero = await generar(mes);
  await settle();
  expect((await globalesOf(tercero.lote))[0]).toMatchObject({
    state: 'refused',
    reason: expect.stringContaining('Genera de nuevo: las ventas toman el número siguiente.'),
  });
  await generar(mes);
  await settle();
  expect((await alPac(mes)).map(({ NumOrder, ventas }) => [NumOrder, ventas])).toEqual([
    [`GLOBAL-${mes}-2`, [una.numOrden, otra.numOrden]],
  ]);
});

test('a sale of a lost global is in no other, though its number is not asked for', async () => {
  const mes = '2026-03';
  const venta = await vender(mes, '580.00');
  await perder(mes);
  const [perdida] = await alPac(mes);
  // Our own books have lost the number too.
  const { db: owner } = ownerDatabase();
  await sql`alter table effect disable trigger user`.execute(owner);
  await sql`update effect set key = 'global:2000-01:1' where key = ${`global:${mes}:1`}`.execute(db);
  await db.deleteFrom('globalNumero').where('mes', '=', mes).execute();
  await sql`alter table effect enable trigger user`.execute(owner);
  await vender(mes, '20.00');
  await sql`with retirada as (
      insert into effect (type, key, ref, connection, request, request_hash, state, settled_at) values ('cfdi.global', ${`global:${mes}:7`}, 'retirada', 'facturacom', '{}', '', 'done', now()) returning id)
    insert into global_numero (effect_id, mes, numero) select id, ${mes}, 7 from retirada`.execute(db);
  const { lote } = await generar(mes);
  await settle();
  expect(await globalesOf(lote)).toMatchObject([
    {
      ref: `GLOBAL-${mes}-8`,
      state: 'refused',
      reason: `No se timbró: factura.com ya tiene vigente el CFDI ${perdida!.folio} (GLOBAL-${mes}-1) con la venta ${venta.numOrden}, y Trastienda no lo tiene. Cancélalo en factura.com y genera de nuevo.`,
    },
  ]);
  expect(await alPac(mes)).toHaveLength(1);
});

test('a CFDI that somebody made at the PAC for one of the sales stops the global and is named; without it the month is closed', async () => {
  const mes = '2026-04';
  const [venta, otra] = [await vender(mes, '290.00'), await vender(mes, '116.00')];
  const { cfdi } = await requestOfOther();
  const { uid } = await (await pacByHand()).createCfdi(cfdi, `${venta.numOrden}-2`);
  const { lote } = await generar(mes);
  await settle();
  const [global] = await globalesOf(lote);
  expect(global).toMatchObject({
    state: 'refused',
    reason: expect.stringMatching(
      new RegExp(
        `^No se timbró: factura\\.com tiene vigente el CFDI F-\\d+ de la venta ${venta.numOrden}, y Trastienda no lo tiene\\.`,
      ),
    ),
  });
  expect(await claimsOf([venta.id, otra.id])).toEqual([]);
  expect(await alPac(mes)).toEqual([]);
  await (await pacByHand()).cancelCfdi(uid, { motivo: '02' });
  await retryGlobal(db, { batchId: lote, mes, usuarioId: sa.id, now: now() });
  await settle();
  expect((await alPac(mes)).map(({ NumOrder, ventas }) => [NumOrder, ventas])).toEqual([
    [`GLOBAL-${mes}-1`, [venta.numOrden, otra.numOrden]],
  ]);
});

test.each(['503', 'refuse', 'html'])(
  'a list that cannot be read (%s) stamps nothing, says why and is read again later',
  async (mode) => {
    const mes = { 503: '2026-05', refuse: '2026-06', html: '2026-07' }[mode]!;
    const venta = await vender(mes, '350.00');
    await sandbox.facturacom.failNext(mode, {
      times: 2,
      route: '/v4/cfdi/list',
      ...(mode === 'refuse' && { message: 'Tu plan no cuenta con acceso a la consulta de CFDI' }),
    });
    const {
      globales: [global],
    } = await generar(mes);
    await runJobs();
    expect(await effectView(db, global!.id)).toMatchObject({
      state: 'queued',
      reason: expect.stringMatching(
        /^No se timbró todavía: falta leer lo que factura\.com ya tiene timbrado \(.+\)\. Se intenta de nuevo solo\.$/,
      ),
    });
    expect(await alPac(mes)).toEqual([]);
    expect(await claimsOf([venta.id])).toMatchObject([{ facturaId: null }]);
    await sandbox.clear();
    await settle();
    expect((await alPac(mes)).map(({ ventas }) => ventas)).toEqual([[venta.numOrden]]);
  },
);

/** What was asked for another sale, to be stamped by hand. */
async function requestOfOther(): Promise<{ cfdi: NewCfdi }> {
  const draft = await buildBorrador(db, await buildVenta(db), sa);
  const id = await db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
    );
  await settle();
  const { request } = await db.selectFrom('effect').select('request').where('id', '=', id).executeTakeFirstOrThrow();
  return request as { cfdi: NewCfdi };
}
