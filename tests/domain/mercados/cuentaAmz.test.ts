import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { amazonRitmo } from '~/domain/mercados/amz/internal/ritmo.server';
import { findCredential, openCredential } from '~/platform/connections/credentials.server';
import { readEventBridge } from '~/domain/mercados/amz/eventBridge.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { startOauth } from '~/platform/connections/oauth.server';
import { openAmazon } from '~/domain/mercados/amz/cuenta.server';
import { associateEventBridge, linkEventBridge } from '~/domain/mercados/amz/linkEventBridge.server';
import { closeSession, openSession } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';
import { saveAjustesFacturacion } from '~/domain/facturacion/cfdi/ajustes.server';
import { lineaOfFactura } from '~/domain/facturacion/cancelacion/internal/lineaFactura.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import { entregas as effects } from '~/domain/facturacion/emision/internal/entregas.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { requireDraft } from '~/domain/facturacion/emision/draft.server';
import { searchVenta } from '~/domain/facturacion/emision/invoiceVenta.server';
import { linkKeys } from '~/domain/operacion/linkCatalog.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { fuenteAmz } from '~/domain/mercados/amz/fuente.server';
import { listFreshness } from '~/domain/sync/freshness.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { loader } from '~/routes/files/activacion';
import { APP_ID, CLIENT_ID, CLIENT_SECRET } from '../../sandbox/amazon';
import { type AmazonFacts, consentAmazon } from '../../support/amazon';
import { buildBorrador, buildPersona, REVISION } from '../../support/builders/ventas';
import { testDatabase } from '../../support/db';
import { runJobs, runUntilSettled } from '../../support/jobs';
import { openEmisor } from '../../support/pac';
import { startTestSandbox } from '../../support/sandbox';

const FAST = 100_000;
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 38, ritmo: FAST },
});
process.env['AMAZON_EB_CUENTA'] = '111122223333';
const amz = sandbox.proveedor('amazon');
const { db } = testDatabase();
let sa: Usuario;

beforeAll(async () => {
  sa = await openEmisor(db, sandbox);
});
beforeEach(async () => {
  await sandbox.reset('amazon');
  await db.deleteFrom('credential').where('connection', '=', 'amazon').execute();
  for (const table of ['oauthState', 'syncCursor', 'syncRun', 'inbox'] as const) await db.deleteFrom(table).execute();
  await sql`delete from connection where kind like 'amazon%'`.execute(db);
});

/** Visits the address people are sent back to, and returns where it sends them. */
async function visit(query: URLSearchParams | Record<string, string>, usuario = sa, token?: string): Promise<string> {
  const request = new Request(`http://trastienda.test/activacion?${new URLSearchParams(query)}`);
  const args = { request, params: {}, context: { usuario, sesion: token && { token } } as unknown as AppLoadContext };
  const response = (await loader(args as LoaderFunctionArgs)) as Response;
  return response.headers.get('location')!;
}
const outcomeOf = async (query: URLSearchParams | Record<string, string>, usuario = sa, token?: string) =>
  new URL(await visit(query, usuario, token), 'http://x').searchParams.get('activacion');
const consent = async () => consentAmazon(await startOauth(db, 'amazon', sa));
const link = async () => expect(await outcomeOf(await consent())).toBe('amazonLista');
const facts = () => amz.get<AmazonFacts[]>('/ventas');
const sync = () => syncVentas(db, fuenteAmz, { kind: 'sweep' });
const ordenOf = (marketId: string) =>
  db.selectFrom('orden').selectAll().where('market', '=', 'amz').where('marketId', '=', marketId).executeTakeFirst();

/** The sale brought and invoiced; `entregar`: and handed to its buyer. */
async function stamp(sold: AmazonFacts, entregar = true) {
  await sync();
  await saveAjustesFacturacion(db, { enlaceDias: 10, enlaceAutomatico: false, subirCfdiMl: entregar }, sa.id);
  const { id } = (await ordenOf(sold.id))!;
  const borrador = await buildBorrador(db, { numOrden: sold.id, ordenIds: [id], total: String(sold.total) }, sa);
  const effectId = await db.transaction().execute((trx) =>
    createFactura(trx, borrador, {
      revision: borrador.revision ?? REVISION(),
      diferenciaAceptada: false,
      usuarioId: sa.id,
      now: new Date(),
    }),
  );
  await runUntilSettled({ connection: 'facturacom' });
  return await db
    .selectFrom('factura')
    .select(['id', 'numOrden', 'total', 'serie', 'folio'])
    .where('effectId', '=', effectId)
    .executeTakeFirstOrThrow();
}

test('a seller says yes, the sales of months arrive, and one of them is invoiced to the company that bought it', async () => {
  expect(await listFreshness(db)).toMatchObject([{ source: 'mercadolibre' }]);
  await link();
  await runJobs();
  const [, fresh] = await listFreshness(db);
  expect(fresh).toMatchObject({ source: 'amazon', state: 'alDia', error: null, sinLeer: 0 });
  const told = await facts();
  const kept = await db
    .selectFrom('orden')
    .select(['marketId', 'pagadoAbs', 'clase'])
    .where('market', '=', 'amz')
    .where('pagadoAbs', '>', sql<never>`0`)
    .execute();
  expect(Object.fromEntries(kept.map(({ marketId, pagadoAbs }) => [marketId, Number(String(pagadoAbs))]))).toEqual(
    Object.fromEntries(
      told
        .filter(({ escenario }) => !['pendiente', 'cancelada', 'reemplazo'].includes(escenario))
        .map(({ id, total, escenario }) => [
          id,
          // Half of it was given back.
          escenario === 'devueltaEnParte' ? expect.closeTo(total / 2, 0) : total,
        ]),
    ),
  );

  const sold = await amz.post<AmazonFacts>('/ventas', { escenario: 'negocio', cantidad: 3 });
  expect(await sync()).toMatchObject({ written: 1, error: null });
  const orden = (await ordenOf(sold.id))!;
  expect(orden).toMatchObject({ estatus: 'enPreparacion', clase: 'normal', envioPropio: true });
  const numOrden = sold.id;
  const draft = await requireDraft(db, await searchVenta(db, numOrden, sa.id), sa);
  expect(draft.articulos.map(({ nombre, cantidad }) => [nombre, cantidad])).toEqual([
    [expect.any(String), 3],
    ['Servicio de Paqueteria Nacional', 1],
  ]);
  expect(draft.cliente).toMatchObject({ rfc: 'EKU9003173C9' });
  const factura = await stamp(sold);
  expect(Number(String(factura.total))).toBe(sold.total);
  // The buyer gets it where Amazon lets us write, and gets it once.
  await runUntilSettled({ connection: 'amazon' });
  expect(await amz.get('/mensajes')).toEqual([
    { venta: sold.id, archivo: `${factura.serie}-${factura.folio}.pdf`, bytes: expect.any(Number), texto: '%PDF-' },
  ]);
  expect((await lineaOfFactura(db, factura.id)).map(({ texto }) => texto)).toContain(
    'Enviada al comprador por mensaje de Amazon',
  );

  // One that may not be sent says what to do; one whose message got no answer is for people.
  const otra = await stamp(await amz.post<AmazonFacts>('/ventas', { escenario: 'negocio' }), false);
  const entregas = () =>
    effectsAbout(db, ['factura', otra.id])
      .select(['state', 'reason'])
      .where('type', '=', 'amz.invoice')
      .orderBy('effect.id')
      .execute();
  const send = async () => {
    await db
      .transaction()
      .execute((trx) =>
        acceptEffect(trx, effects.require('amz'), { request: { facturaId: otra.id, numOrden: otra.numOrden } }),
      );
    await runUntilSettled({ connection: 'amazon' });
  };
  for (const mensajeFactura of ['noEsta', '403']) {
    await amz.post('/interruptores', { mensajeFactura });
    await send();
  }
  const no = { state: 'refused', reason: expect.stringContaining('compártele el enlace para descargarla') };
  expect(await entregas()).toEqual([no, no]);
  await amz.post('/interruptores', { mensajeFactura: 'permitido' });
  // A file that does not arrive was sent to nobody, and is simply left again.
  await amz.failNext('reset-after-doing', { route: 'POST /uploads/', times: 1 });
  await amz.failNext('hang-after-doing', { route: '/messages/invoice', contains: 'attachments', ms: 50 });
  await send();
  expect((await entregas()).at(-1)).toMatchObject({ state: 'manual' });
  expect(await amz.get('/mensajes')).toHaveLength(2);
}, 60_000);

test('what was kept of a sale is read two days later, and a refund weeks later', async () => {
  await link();
  const told = (await facts()).find(({ escenario }) => escenario === 'amazon')!;
  await sync();
  const { comision, ivaRetenido, isr, surtido } = told.cargos;
  expect(await ordenOf(told.id)).toMatchObject({ clase: 'normal', situacion: 'pagada' });
  const orden = (await ordenOf(told.id))!;
  expect([String(orden.comision), String(orden.retencion)]).toEqual([
    (comision / 100).toFixed(2),
    ((ivaRetenido + isr) / 100).toFixed(2),
  ]);
  const envio = await db.selectFrom('envio').select('costo').where('id', '=', orden.envioId).executeTakeFirstOrThrow();
  expect(String(envio.costo)).toBe((surtido / 100).toFixed(2));
  await amz.post(`/ventas/${told.id}/devuelve`, { parte: 1 });
  await amz.post('/retrasos', { horasTarde: 0 });
  await sql`update orden set revisar_en = now(), cargos_en = now() - interval '40 days' where market_id = ${told.id}`.execute(
    db,
  );
  await sync();
  expect(await ordenOf(told.id)).toMatchObject({ situacion: 'devuelta', clase: 'devuelta' });
  // A later look at its change alone does not forget what Finances told.
  await amz.post(`/ventas/${told.id}/toca`);
  await sync();
  expect(await ordenOf(told.id)).toMatchObject({ situacion: 'devuelta' });
});

test('the consent that begins at Seller Central comes back linked; a strange address is not followed', async () => {
  const page = await (await fetch(`${sandbox.url}/amazon-seller/apps/manage`)).text();
  const begun = new URL(/href="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')).searchParams;
  expect(await outcomeOf(await consentAmazon(await visit(begun)))).toBe('amazonLista');
  expect(await openCredential(db, 'amazon')).toMatchObject({ status: 'linked', label: 'Demo Tienda' });
  begun.set('amazon_callback_uri', 'https://amazon.test/apps/authorize/confirm/1');
  expect(await outcomeOf(begun)).toBe('direccionAjena');
});

test('a state serves once, and only whoever began', async () => {
  const other = await buildPersona(db, 'admin');
  expect(await outcomeOf(await consent(), other)).toBe('amazonVencida');
  const back = await consent();
  expect(await outcomeOf(back)).toBe('amazonLista');
  expect(await outcomeOf(back)).toBe('amazonVencida');
  back.delete('state');
  expect(await outcomeOf(back)).toBe('amazonVencida');
  back.set('state', 'x');
  back.set('selling_partner_id', '<b>'.repeat(50));
  expect(await outcomeOf(back)).toBe('amazonVencida');
});

test('an activation belongs to the session where it began, and ends with it', async () => {
  const [here, there] = await db
    .transaction()
    .execute(async (trx) => [await openSession(trx, sa, false), await openSession(trx, sa, false)] as const);
  const begun = await consentAmazon(await startOauth(db, 'amazon', { id: sa.id, sesion: here }));
  expect(await outcomeOf(begun, sa, there)).toBe('amazonVencida');
  expect(await outcomeOf(begun)).toBe('amazonVencida');
  expect(await outcomeOf(begun, sa, here)).toBe('amazonLista');
  await startOauth(db, 'amazon', { id: sa.id, sesion: there });
  await closeSession(db, there);
  expect(await db.selectFrom('oauthState').select('connection').execute()).toEqual([]);
});

test('the return of a channel without a screen is said and written down, and nothing of it is kept', async () => {
  expect(await outcomeOf({ shop_id: '9'.repeat(300), code: 'c', state: 's' })).toBe('tercerCanal');
  const line = await db
    .selectFrom('bitacora')
    .select(['accion', 'datos', 'usuarioId'])
    .where('entidadId', '=', 'tercerCanal')
    .executeTakeFirstOrThrow();
  expect(line).toEqual({ accion: 'regresar', datos: { tienda: '9'.repeat(80) }, usuarioId: sa.id });
  expect(await findCredential(db, 'amazon')).toBeNull();
});

test('a return without data, or with tokens in its address, says what it is and keeps nothing', async () => {
  expect(await outcomeOf({})).toBe('sinDatos');
  expect(await outcomeOf({ token_type: 'bearer', access_token: 'x' })).toBe('conLlaves');
  expect(await findCredential(db, 'amazon')).toBeNull();
});

test('a token of the developer console links as well; one that is not known is refused in words', async () => {
  const { refresh_token } = await amz.post<{ refresh_token: string }>('/autoautoriza', {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
  });
  const side = CONNECTIONS.of('amazon');
  const keys = (refreshToken: string) => ({ sellerId: 'A1DEMOTIENDA01', refreshToken });
  await expect(linkKeys(db, side, keys('Atzr|otro'), sa.id)).rejects.toThrow('Amazon no reconoce ese token');
  await linkKeys(db, side, keys(refresh_token), sa.id);
  expect(await findCredential(db, 'amazon')).toMatchObject({ status: 'linked', account: 'A1DEMOTIENDA01' });
  expect((await sync())!.error).toBeNull();
});

test('what ends by itself is told a month before, and after', async () => {
  await link();
  const warned = () => CONDICIONES.find(({ clave }) => clave === 'llavesPorVencer')!.mira(db);
  expect(await warned()).toBeNull();
  const since = (days: number) =>
    sql`update credential set linked_at = now() - make_interval(days => ${days}) where connection = 'amazon'`.execute(
      db,
    );
  await since(340);
  expect(await warned()).toMatchObject({ nivel: 'aviso', texto: expect.stringMatching(/^El permiso de Amazon vence/) });
  await since(370);
  expect(await warned()).toMatchObject({
    nivel: 'grave',
    texto: expect.stringMatching(/^El permiso de Amazon venció/),
  });
});

test('the marks of the account say what is linked, and how it tells its prices', async () => {
  const side = CONNECTIONS.of('amazon');
  expect((await side.seen!(db)).map(({ tono, texto }) => `${tono} ${texto}`)).toEqual([
    'neutro stsToken: no vinculado',
    'neutro access_token: no vinculado',
    'neutro access_token_restringido: no vinculado',
    'neutro EBConfig: no vinculado',
  ]);
  await link();
  await sync();
  const seen = (await side.seen!(db)).map(({ tono, texto }) => `${tono} ${texto}`);
  expect(seen.slice(0, 5)).toEqual([
    'ok stsToken: vinculado',
    'ok access_token: vinculado',
    'ok access_token_restringido: vinculado',
    'neutro EBConfig: no vinculado',
    'ok Los precios llegan sin IVA y suman el total.',
  ]);
});

test('an event bridge is linked once, whatever got lost, and carries nothing until somebody associates its bus', async () => {
  await link();
  const pide = async () => {
    await db.transaction().execute((trx) => linkEventBridge(trx, sa.id));
    await runUntilSettled({ connection: 'amazon' });
  };
  const marca = async () =>
    (await CONNECTIONS.of('amazon').seen!(db)).find(({ texto }) => texto.startsWith('EBConfig'))!.texto;
  await amz.post('/interruptores', { notificaciones: '403' });
  await pide();
  expect(await readEventBridge(db)).toEqual({ nameResource: null, arn: null, suscripciones: 0 });
  await amz.post('/interruptores', { notificaciones: 'permitidas', hermanoNulo: 'si' });
  await amz.failNext('reset-after-doing', { route: 'POST /notifications/v1/destinations', times: 1 });
  await pide();
  await pide();
  const there = await amz.get<{ destinations: unknown[]; subscriptions: unknown[] }>('/notificaciones');
  expect([there.destinations.length, there.subscriptions.length]).toEqual([1, 2]);
  const nameResource = `aws.partner/sellingpartnerapi.amazon.com/111122223333/${APP_ID}`;
  expect(await readEventBridge(db)).toEqual({ nameResource, arn: null, suscripciones: 2 });
  expect(await marca()).toBe('EBConfig: no vinculado');
  const asocia = (name: string) =>
    db.transaction().execute((trx) => associateEventBridge(trx, { nameResource: name }, sa.id));
  await expect(asocia('aws.partner/otra')).rejects.toThrow(Stale);
  await asocia(nameResource);
  const arn = `arn:aws:events:us-east-1:111122223333:event-bus/${nameResource}`;
  expect(await readEventBridge(db)).toEqual({ nameResource, arn, suscripciones: 2 });
  expect(await marca()).toBe('EBConfig: vinculado');
  // The very same source keeps its bus.
  await pide();
  expect(await readEventBridge(db)).toEqual({ nameResource, arn, suscripciones: 2 });
});

test('a token is renewed once for all who ask, and a permission that ended breaks the link', async () => {
  await link();
  await amz.post('/lwa', { expireNow: true });
  const id = (await facts())[0]!.id;
  await Promise.all([openAmazon(db).getOrder(id), openAmazon(db).getOrder(id), openAmazon(db).getOrder(id)]);
  expect(await amz.get('/lwa')).toMatchObject({ refreshes: 1 });
  await amz.post('/lwa', { revoke: true });
  await sync();
  expect(await findCredential(db, 'amazon')).toMatchObject({ status: 'broken' });
  expect(await sync()).toBeNull();
});

test('the limit of an operation is shared; what Amazon refuses empties it, and opens no breaker', async () => {
  const [one, other] = [amazonRitmo(db, 'persona'), amazonRitmo(db, 'persona')];
  one.told('confirmShipment', 0.01);
  for (let n = 0; n < 5; n++) await Promise.all([one.take('confirmShipment'), other.take('confirmShipment')]);
  await expect(one.take('confirmShipment')).rejects.toThrow('ritmo máximo');
  await one.take('getOrder');
  await other.spent('getOrder');
  one.told('getOrder', 0.01);
  await expect(one.take('getOrder')).rejects.toThrow('ritmo máximo');
  one.told('getOrder', 100);
  expect((await sql`select from connection_breaker where kind like 'amazon%'`.execute(db)).rows).toEqual([]);
});
