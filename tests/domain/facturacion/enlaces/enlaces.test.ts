import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { LimitReached } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import { readAjustesFacturacion, saveAjustesFacturacion } from '~/domain/facturacion/cfdi/ajustes.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import {
  listEnvios,
  sendEnlaceByMail,
  sendEnlaceByMessage,
  listMensajesSinSalir,
} from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { createEnlaceFor, findEnlace, listEnlaces } from '~/domain/facturacion/enlaces/enlaces.server';
import { Puerta } from '~/domain/facturacion/publico/forms';
import { DEMASIADOS, NO_COINCIDE, openDoor, sendEnlaceToOwner } from '~/domain/facturacion/publico/puerta.server';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { entregas } from '~/domain/facturacion/emision/internal/entregas.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { fetchConversacion } from '~/domain/atencion/preguntas/conversacion.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { askSendLink } from '~/routes/ventas/ordenes/questions';
import { enqueue } from '~db/queue/catalog.server';
import {
  buildBorrador,
  buildClientes,
  buildPersona,
  buildVenta,
  REVISION,
  type Venta,
} from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { runJobs, runUntilSettled } from '../../../support/jobs';
import { linkSandbox, type SaleFacts } from '../../../support/mercadolibre';
import { statementsDuring } from '../../../support/statements';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let ana: Usuario;

beforeAll(async () => {
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  ana = await buildPersona(db);
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: ana.id });
  await linkSandbox(db, sandbox);
  await buildClientes(db);
  await runJobs();
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sql`delete from connection`.execute(db);
  await sql`delete from rate_limit`.execute(db);
});

/** A paid sale that the sandbox knows, as the sync brings it. */
async function sell(scenario = 'simple'): Promise<SaleFacts> {
  const facts = await sandbox.mercadolibre.newOrden<SaleFacts>(scenario, { sinAviso: true });
  await enqueue(db, 'ordenes.syncMl', { kind: 'sweep' });
  await runJobs();
  return facts;
}
const messagesOf = (numOrden: string) =>
  sandbox.mercadolibre.get<{ from: number; text: string }[]>(`/mensajes?numOrden=${numOrden}`);
const tokenIn = (text: string) => /\/facturacion\/([\w-]{43})/.exec(text)?.[1] ?? '';
const byMessage = (numero: string) => sendEnlaceByMessage(db, { numero, usuarioId: ana.id });

async function settled(effectId: string) {
  await runUntilSettled();
  return (await effectView(db, effectId))!;
}

test('staff create a link: its token is nowhere in the database', async () => {
  const venta = await buildVenta(db);
  const { url, venceEn } = await createEnlaceFor(db, venta.numOrden, ana.id);
  const token = tokenIn(url);
  expect(await findEnlace(db, token)).toMatchObject({ numOrden: venta.numOrden });
  expect(Math.round((venceEn.getTime() - Date.now()) / 86_400_000)).toBe(30);
  const { rows } = await sql<{
    dump: string;
  }>`select (select json_agg(e)::text from enlace e) || (select json_agg(b)::text from bitacora b) as dump`.execute(db);
  expect(rows[0]!.dump).not.toContain(token);
  expect(await listEnlaces(db, venta.numOrden)).toMatchObject([{ estado: 'vigente', creadoPor: 'Quien', usos: 0 }]);
});

test('by mail: the letter carries a living link, and the effect that carried it keeps it sealed', async () => {
  const venta = await buildVenta(db);
  await expect(sendEnlaceByMail(db, { numero: venta.numOrden, email: 'no', usuarioId: ana.id })).rejects.toThrow(
    'Email No Valido',
  );
  const id = await sendEnlaceByMail(db, { numero: venta.numOrden, email: 'cliente@correo.test', usuarioId: ana.id });
  expect(await settled(id)).toMatchObject({ state: 'done' });
  const [letter] = await sandbox.correo.inbox({ to: 'cliente@correo.test' });
  const token = tokenIn((await sandbox.correo.read(letter!.id)).text);
  expect(await findEnlace(db, token)).toMatchObject({ numOrden: venta.numOrden });
  const { request } = await db.selectFrom('effect').select('request').where('id', '=', id).executeTakeFirstOrThrow();
  expect(JSON.stringify(request)).not.toContain(token);
  expect(await listEnvios(db, venta.numOrden)).toMatchObject([{ por: 'correo', state: 'done' }]);
});

test('by message: the reason the marketplace has for it, once per sale', async () => {
  const { numOrden } = await sell();
  expect(await settled(await byMessage(numOrden))).toMatchObject({ state: 'done' });
  const sent = await messagesOf(numOrden);
  expect(sent).toHaveLength(1);
  expect(await findEnlace(db, tokenIn(sent[0]!.text))).toMatchObject({ numOrden });
  await expect(byMessage(numOrden)).rejects.toThrow('El enlace de esta venta ya se envió por mensaje.');
  expect(await listEnvios(db, numOrden)).toMatchObject([{ por: 'mensaje', state: 'done' }]);
});

test('where the buyer wrote first it is an answer, and a lost answer is looked up, never sent twice', async () => {
  const { numOrden } = await sell();
  await sandbox.mercadolibre.post('/mensajes', { numOrden, text: '¿Me pueden facturar?' });
  await sandbox.mercadolibre.failNext('hang-after-doing', { route: 'POST /messages', ms: 100 });
  expect(await settled(await byMessage(numOrden))).toMatchObject({ state: 'done' });
  expect((await messagesOf(numOrden)).filter(({ text }) => tokenIn(text) !== '')).toHaveLength(1);
});

test('two who ask at once: one message', async () => {
  const { numOrden } = await sell();
  const asked = await Promise.allSettled([byMessage(numOrden), byMessage(numOrden), byMessage(numOrden)]);
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await runUntilSettled();
  expect(await messagesOf(numOrden)).toHaveLength(1);
});

test('a conversation that is closed says why, and its link is withdrawn', async () => {
  const { numOrden } = await sell();
  await sandbox.mercadolibre.post('/mensajes', { numOrden, bloqueo: 'blocked_by_time' });
  const view = await settled(await byMessage(numOrden));
  expect(view.state).toBe('refused');
  expect((await listEnlaces(db, numOrden)).map(({ estado }) => estado)).toEqual(['revocado']);
  // Once it is open again, it may be tried again.
  await sandbox.mercadolibre.post('/mensajes', { numOrden, bloqueo: null });
  expect(await settled(await byMessage(numOrden))).toMatchObject({ state: 'done' });
});

const SELLER = 468123907;
const AGENTE = 3037204279;
const write = (body: Record<string, unknown>) => sandbox.mercadolibre.post('/mensajes', body);
const sentTo = async (numOrden: string) =>
  (await sandbox.mercadolibre.get<{ from: number; to: number }[]>(`/mensajes?numOrden=${numOrden}`))
    .filter(({ from }) => from === SELLER)
    .map(({ to }) => to);

test.each(['path', 'from'])(
  'where an agent answers for the buyer (told by its %s), the agent gets the message and the history says so',
  async (agente) => {
    const { numOrden, ordenes } = await sell();
    await write({ numOrden, agente, text: 'Hola, soy el asistente.' });
    expect(await fetchConversacion(db, 'ml', numOrden)).toMatchObject({
      conversacion: { con: 'agente', espera: false, mensajes: [{ de: 'agente' }] },
    });
    const venta = { numOrden, titulo: 'Cámara', market: 'ml' as const, comprador: 'COMPRA_TODO' };
    const conversacion = await fetchConversacion(db, 'ml', numOrden);
    expect(askSendLink({ ...venta, conversacion }).hechos).toContain(
      'Lo recibe el asistente de Mercado Libre, que contesta en lugar de COMPRA_TODO.',
    );
    expect(await settled(await byMessage(numOrden))).toMatchObject({ state: 'done' });
    expect(await sentTo(numOrden)).toEqual([AGENTE]);
    expect(await fetchConversacion(db, 'ml', numOrden)).toMatchObject({
      conversacion: { con: 'agente', espera: true },
    });
    const orden = await db
      .selectFrom('orden')
      .select('id')
      .where('marketId', '=', ordenes[0]!)
      .executeTakeFirstOrThrow();
    const historia = await readCronologia(db, (await readOrden(db, orden.id))!, EFFECTS);
    expect(historia.flatMap(({ detalle }) => detalle ?? []).join()).toContain(
      'Lo recibió el asistente de Mercado Libre',
    );
  },
);

test.each([403, 429])(
  'a second message to an agent (%i there) waits for its answer here, and is told why',
  async (segundo) => {
    const { numOrden } = await sell();
    await write({ numOrden, agente: 'path', segundo, text: 'Hola.' });
    // Somebody answered the agent on the marketplace's own page.
    await write({ numOrden, nuestro: 'Con gusto.' });
    const view = await settled(await byMessage(numOrden));
    expect(view).toMatchObject({ state: 'refused', reason: expect.stringContaining('todavía no contesta') });
    expect(await sentTo(numOrden)).toEqual([AGENTE]);
    expect((await listMensajesSinSalir(db)).find((uno) => uno.numOrden === numOrden)?.temporal).toBe(true);
    await write({ numOrden, text: '¿En qué más le ayudo?' });
    expect(await settled(await byMessage(numOrden))).toMatchObject({ state: 'done' });
    expect(await sentTo(numOrden)).toEqual([AGENTE, AGENTE]);
  },
);

test('an agent that leaves, and one that comes, in the middle of a conversation', async () => {
  const left = await sell();
  await write({ numOrden: left.numOrden, text: '¿Me facturan?' });
  await write({ numOrden: left.numOrden, agente: 'from', text: 'Hola.' });
  await write({ numOrden: left.numOrden, agente: null });
  expect(await settled(await byMessage(left.numOrden))).toMatchObject({ state: 'done' });
  const [to] = await sentTo(left.numOrden);
  expect(to).not.toBe(AGENTE);

  const came = await sell();
  await write({ numOrden: came.numOrden, text: '¿Me facturan?' });
  await write({ numOrden: came.numOrden, agente: 'path' });
  const view = await settled(await byMessage(came.numOrden));
  expect(view).toMatchObject({ state: 'refused', reason: expect.stringContaining('todavía no dice quién') });
  expect(await sentTo(came.numOrden)).toEqual([]);
  await write({ numOrden: came.numOrden, text: 'Hola, soy el asistente.' });
  expect(await settled(await byMessage(came.numOrden))).toMatchObject({ state: 'done' });
  expect(await sentTo(came.numOrden)).toEqual([AGENTE]);
});

test.each([
  ['blocked_by_ai_assistant', 'ya no recibe mensajes', false],
  ['blocked_by_claim_change_open', 'cambio de producto abierto', true],
  ['blocked_by_claim_change_closed', 'terminó en un cambio', false],
])('a conversation closed by %s says so', async (bloqueo, dicho, temporal) => {
  const { numOrden } = await sell();
  await write({ numOrden, agente: 'path', text: 'Hola.', bloqueo });
  const view = await settled(await byMessage(numOrden));
  expect(view).toMatchObject({ state: 'refused', reason: expect.stringContaining(dicho) });
  expect((await listMensajesSinSalir(db)).find((uno) => uno.numOrden === numOrden)?.temporal).toBe(temporal);
});

test('«enviar al confirmarse el pago» writes to new paid sales, once, and only while it is on', async () => {
  const before = await sell();
  await enqueue(db, 'enlaces.send', {});
  await runJobs();
  expect(await messagesOf(before.numOrden)).toEqual([]);

  await saveAjustesFacturacion(db, { enlaceDias: 10, enlaceAutomatico: true, subirCfdiMl: false }, ana.id);
  await db
    .updateTable('ajuste')
    .set({ valor: JSON.stringify(new Date(Date.now() - 120_000).toISOString()) })
    .where('clave', '=', 'enlace_automatico')
    .execute();
  await db
    .updateTable('orden')
    .set({ fechaCierre: new Date(Date.now() - 3_600_000) })
    .where('numOrden', '=', before.numOrden)
    .execute();
  const { numOrden } = await sell();
  for (let at = 0; at < 2; at++) {
    await enqueue(db, 'enlaces.send', {});
    await runUntilSettled();
  }
  expect(await messagesOf(numOrden)).toHaveLength(1);
  expect(await messagesOf(before.numOrden)).toEqual([]);
  expect(await listEnlaces(db, numOrden)).toMatchObject([{ origen: 'automatico' }]);
  await saveAjustesFacturacion(db, { enlaceDias: 30, enlaceAutomatico: false, subirCfdiMl: false }, ana.id);
  expect(await readAjustesFacturacion(db)).toEqual({ enlaceDias: 30, enlaceAutomatico: null, subirCfdiMl: false });
});

test('a refusal that passes is tried again by itself; until then the sale is pending, with its reason', async () => {
  await saveAjustesFacturacion(db, { enlaceDias: 10, enlaceAutomatico: true, subirCfdiMl: false }, ana.id);
  await db
    .updateTable('ajuste')
    .set({ valor: JSON.stringify(new Date(Date.now() - 120_000).toISOString()) })
    .where('clave', '=', 'enlace_automatico')
    .execute();
  const send = async () => {
    await enqueue(db, 'enlaces.send', {});
    await runUntilSettled();
  };
  const [claimed, old] = [await sell(), await sell()];
  await sandbox.mercadolibre.post('/mensajes', { numOrden: claimed.numOrden, bloqueo: 'blocked_by_claim' });
  await sandbox.mercadolibre.post('/mensajes', { numOrden: old.numOrden, bloqueo: 'blocked_by_time' });
  await send();
  const sinSalir = async () =>
    (await listMensajesSinSalir(db))
      .filter(({ numOrden }) => [claimed.numOrden, old.numOrden].includes(numOrden))
      .toSorted((a, b) => Number(a.temporal) - Number(b.temporal));
  expect(await sinSalir()).toMatchObject([
    {
      numOrden: old.numOrden,
      automatico: true,
      temporal: false,
      motivo: expect.stringContaining('pasaron más de 30 días') as string,
    },
    {
      numOrden: claimed.numOrden,
      automatico: true,
      temporal: true,
      motivo: expect.stringContaining('reclamo abierto') as string,
    },
  ]);

  await sandbox.mercadolibre.post('/mensajes', { numOrden: claimed.numOrden, bloqueo: null });
  await sandbox.mercadolibre.post('/mensajes', { numOrden: old.numOrden, bloqueo: null });
  await send();
  expect(await messagesOf(claimed.numOrden)).toEqual([]);
  await sql`update effect set settled_at = settled_at - interval '7 hours' where type = 'enlace.message' and state = 'refused'`.execute(
    db,
  );
  await send();
  expect(await messagesOf(claimed.numOrden)).toHaveLength(1);
  expect(await messagesOf(old.numOrden)).toEqual([]);
  expect((await sinSalir()).map(({ numOrden }) => numOrden)).toEqual([old.numOrden]);
  // Another way of reaching the customer ends it.
  await createEnlaceFor(db, old.numOrden, ana.id);
  expect(await sinSalir()).toEqual([]);
  await saveAjustesFacturacion(db, { enlaceDias: 30, enlaceAutomatico: false, subirCfdiMl: false }, ana.id);
});

const heldAt = async (numOrden: string) =>
  (await sandbox.mercadolibre.get<string[]>(`/documentos?numOrden=${numOrden}`)).sort();

async function stamp(facts: SaleFacts) {
  const draft = await buildBorrador(db, { numOrden: facts.numOrden, ordenIds: [], total: '' } satisfies Venta, ana);
  const id = await db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: true, usuarioId: ana.id, now: new Date() }),
    );
  expect(await settled(id)).toMatchObject({ state: 'done', reason: null });
  return db
    .selectFrom('factura')
    .select(['id', 'serie', 'folio'])
    .where('numOrden', '=', facts.numOrden)
    .executeTakeFirstOrThrow();
}

test(
  'the stamped CFDI reaches its sale, takes the place of another one, and a lost answer leaves one of each',
  { timeout: 90_000 },
  async () => {
    await saveAjustesFacturacion(db, { enlaceDias: 30, enlaceAutomatico: false, subirCfdiMl: true }, ana.id);
    const first = await sell();
    const { id, serie, folio } = await stamp(first);
    const mine = [`${serie}-${folio}.pdf`, `${serie}-${folio}.xml`];
    expect(await heldAt(first.numOrden)).toEqual(mine);

    // Again: it is there already, and stays.
    const again = await db
      .transaction()
      .execute((trx) =>
        acceptEffect(trx, entregas.require('ml'), { request: { facturaId: id, numOrden: first.numOrden } }),
      );
    expect(await settled(again.id)).toMatchObject({ state: 'done' });
    expect(await heldAt(first.numOrden)).toEqual(mine);

    const second = await sell();
    await sandbox.mercadolibre.failNext('hang-after-doing', { route: 'fiscal_documents', ms: 100 });
    const other = await stamp(second);
    const effect = await db
      .selectFrom('effect')
      .select('id')
      .where('type', '=', 'ml.fiscalDocument')
      .where('key', '=', `factura:${other.id}`)
      .executeTakeFirstOrThrow();
    expect(await settled(effect.id)).toMatchObject({ state: 'done' });
    expect(await heldAt(second.numOrden)).toEqual([
      `${other.serie}-${other.folio}.pdf`,
      `${other.serie}-${other.folio}.xml`,
    ]);

    // What somebody else left there gives way: one of each kind is all that a sale holds.
    await db.updateTable('factura').set({ folio: 900_001 }).where('id', '=', other.id).execute();
    const replaced = await db
      .transaction()
      .execute((trx) =>
        acceptEffect(trx, entregas.require('ml'), { request: { facturaId: other.id, numOrden: second.numOrden } }),
      );
    expect(await settled(replaced.id)).toMatchObject({ state: 'done' });
    expect(await heldAt(second.numOrden)).toEqual(['F-900001.pdf', 'F-900001.xml']);
    await saveAjustesFacturacion(db, { enlaceDias: 30, enlaceAutomatico: false, subirCfdiMl: false }, ana.id);
  },
);

test('the home opens to who knows number and amount; every failure reads the same; attempts have an end', async () => {
  const venta = await buildVenta(db, { precios: ['1298.00', '45.50'] });
  const other = await buildVenta(db);
  const open = async (numOrden: string, monto: string, ip = '10.2.0.1') =>
    openDoor(db, { ...Puerta.parse({ numOrden, monto }), ip });
  for (const monto of ['1343.50', '1,343.50', '$1343.5'])
    expect(await findEnlace(db, await open(venta.numOrden, monto))).toMatchObject({ numOrden: venta.numOrden });
  const [, second] = await db
    .selectFrom('orden')
    .select('marketId')
    .where('numOrden', '=', venta.numOrden)
    .orderBy('marketId', 'desc')
    .execute();
  expect(await findEnlace(db, await open(second!.marketId, '1343.50'))).toMatchObject({ numOrden: venta.numOrden });

  await sql`delete from rate_limit`.execute(db);
  for (const [numero, monto] of [
    [venta.numOrden, '1298.00'],
    ['999999', '1343.50'],
    [other.numOrden, '0'],
  ] as const) {
    await expect(open(numero, monto)).rejects.toThrow(NO_COINCIDE);
  }
  // The same work for a number that exists and for one that does not.
  const failed = (numero: string) => statementsDuring(() => open(numero, '7.77', '10.5.0.1').catch(() => undefined));
  const unknown = await failed('900000');
  expect(unknown.length).toBeGreaterThan(0);
  expect(await failed(venta.numOrden)).toEqual(unknown);
  await sql`delete from rate_limit`.execute(db);
  // Those who know it do not use up the count of their sale, nor that of their address.
  for (let at = 0; at < 25; at++) await open(other.numOrden, other.total, '10.3.0.50');
  for (let at = 0; at < 8; at++)
    await expect(open(other.numOrden, '1.00', `10.3.0.${at}`)).rejects.toThrow(NO_COINCIDE);
  await expect(open(other.numOrden, other.total, '10.3.0.99')).rejects.toThrow(DEMASIADOS);
  for (let at = 0; at < 20; at++) await expect(open(`880000${at}`, '1.00', '10.4.0.1')).rejects.toThrow(NO_COINCIDE);
  const refused = await open(venta.numOrden, '1343.50', '10.4.0.1').catch((error: unknown) => error as LimitReached);
  expect(refused).toMatchObject({
    name: 'LimitReached',
    message: DEMASIADOS,
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 3_600),
  });
  expect(await findEnlace(db, await open(venta.numOrden, '1343.50', '10.4.0.2'))).toBeDefined();
});

test('the numbers of a cart share one count; a full one never shuts the owner out', async () => {
  const { numOrden } = await sell();
  const rows = await db.selectFrom('orden').select('marketId').where('numOrden', '=', numOrden).execute();
  await db.updateTable('orden').set({ numOrden: '2000999900000001' }).where('numOrden', '=', numOrden).execute();
  const names = ['2000999900000001', rows[0]!.marketId];
  const open = (numero: string, at: number) => openDoor(db, { numOrden: numero, monto: '0.01', ip: `10.6.0.${at}` });
  for (let at = 0; at < 8; at++) await expect(open(names[at % 2]!, at)).rejects.toThrow(NO_COINCIDE);
  for (const numero of names) await expect(open(numero, 9)).rejects.toThrow(DEMASIADOS);
  await db.updateTable('orden').set({ numOrden }).where('numOrden', '=', names[0]!).execute();

  const ask = (numero: string, ip = '10.7.0.1') => sendEnlaceToOwner(db, { numOrden: numero, ip });
  // Told the same for a sale that has it already and for a number that is nobody's.
  for (const numero of [numOrden, numOrden, '2000999900000009']) await expect(ask(numero)).resolves.toBeUndefined();
  await runUntilSettled();
  const sent = await messagesOf(numOrden);
  expect(sent).toHaveLength(1);
  expect(await findEnlace(db, tokenIn(sent[0]!.text))).toMatchObject({ numOrden });
  for (let at = 0; at < 2; at++) await ask('2000999900000009');
  await expect(ask(numOrden)).rejects.toThrow(DEMASIADOS);
});

test('any amount the buyer may have before their eyes opens: whole, one payment, with interest, less a refund', async () => {
  const { numOrden } = await buildVenta(db, { precios: ['1000.00'] });
  const payment = (id: number, status: string, amount: number, interest: number, refunded = 0) => ({
    id,
    status,
    transaction_amount: amount,
    shipping_cost: 0,
    total_paid_amount: amount + interest,
    transaction_amount_refunded: refunded,
  });
  const payments = [
    payment(1, 'approved', 700, 84.5),
    payment(2, 'approved', 400, 0, 150),
    payment(3, 'rejected', 333, 0),
  ];
  // 950.00 of products that stand, and 50.00 that were paid at the shipment of the cart.
  await db
    .updateTable('orden')
    .set({ datos: JSON.stringify({ payments }) })
    .where('numOrden', '=', numOrden)
    .execute();
  const open = (monto: string) => openDoor(db, { numOrden, monto, ip: '10.8.0.1' });
  for (const monto of ['1000.00', '1150.00', '1234.50', '1084.50', '700.00', '784.50', '400.00', '250.00'])
    expect(await findEnlace(db, await open(monto)), monto).toMatchObject({ numOrden });
  for (const monto of ['333.00', '150.00', '0.00', '50.00'])
    await expect(open(monto), monto).rejects.toThrow(NO_COINCIDE);
});

test('number and amount as people write them; what is malformed is an error of its field', () => {
  for (const text of [
    '#2000003508897196',
    ' 2000 0035 0889 7196',
    'Venta #2000003508897196',
    'No. 2000-0035-0889-7196',
  ])
    expect(Puerta.parse({ numOrden: text, monto: '$ 799 MXN' })).toEqual({
      numOrden: '2000003508897196',
      monto: '799.00',
    });
  expect(Puerta.parse({ numOrden: '701–1234567–7654321', monto: '799,00' })).toEqual({
    numOrden: '701-1234567-7654321',
    monto: '799.00',
  });
  for (const [numOrden, monto, campo] of [
    ["'; --", '1', 'numOrden'],
    ['12', '1', 'numOrden'],
    ['9'.repeat(41), '1', 'numOrden'],
    ['2000003508897196', 'mucho', 'monto'],
    ['2000003508897196', '1.234', 'monto'],
  ] as const) {
    const { error } = Puerta.safeParse({ numOrden, monto });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([campo]);
  }
});
