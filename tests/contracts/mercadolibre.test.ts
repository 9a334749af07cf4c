import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { parseKeyring, sealedWith } from '~/core/seal.server';
import { openCredential, resealCredentials, saveCredential } from '~/platform/connections/credentials.server';
import { linkMercadolibre, openMercadolibre, startLink } from '~/domain/mercados/ml/cuenta.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { readJson } from '~/integrations/mercadolibre/answer';
import { Order, rowVersion, SearchPage, TokenAnswer, versionOf } from '~/integrations/mercadolibre/wire';
import pagada from '../domain/mercados/samples/pagada.json';
import { openTestDatabase, testDatabase } from '../support/db';
import { authorize, buildUsuario, linkSandbox, type OrderFacts, type SaleFacts } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const SELLER = '468123907';
const OWN_ORDER = /^\d{16}$/;

type TokenStats = { refreshes: number; exchanges: number; invalidGrants: number; living: number };
const tokenStats = () => sandbox.mercadolibre.get<TokenStats>('/token');
const expireTokens = () => sandbox.mercadolibre.post('/token', { expireNow: true });
const link = () =>
  db
    .selectFrom('credential')
    .select(['status', 'detail', 'version', 'leaseOwner'])
    .where('connection', '=', 'mercadolibre')
    .executeTakeFirstOrThrow();
const orderOf = async (scenario: string) =>
  (await sandbox.mercadolibre.get<OrderFacts[]>(`/ordenes?scenario=${scenario}&limit=1`))[0]!;

beforeEach(async () => {
  await sandbox.clear('mercadolibre');
  await db.deleteFrom('credential').execute();
  await db.deleteFrom('oauthState').execute();
});

test('reads everything a sale is made of', async () => {
  const ml = await linkSandbox(db, sandbox);
  expect(await ml.usersMe()).toEqual({
    id: SELLER,
    nickname: 'TRASTIENDA_CCTV_MX',
    site_id: 'MLM',
    tags: expect.arrayContaining(['normal']),
  });
  const fact = await orderOf('pack');
  const order = await ml.getOrder(fact.id);
  expect(order.doc).toMatchObject({ id: fact.id, pack_id: fact.packId, shipping: { id: fact.envioId } });
  expect(order.missing).toEqual([]);
  expect((await ml.getPack(fact.packId!)).orders.length).toBe(3);
  const shipment = await ml.getShipment(fact.envioId!);
  expect(shipment.doc).toMatchObject({ id: fact.envioId, mode: 'me2' });
  expect((await ml.getShipmentCosts(fact.envioId!)).senders?.[0]?.user_id).toBe(SELLER);
  expect(await ml.getShipmentOrders(fact.envioId!)).toHaveLength(3);
  expect(await ml.getOrderShipments(fact.id)).toEqual([{ id: fact.envioId, type: 'forward' }]);
  expect(await ml.getOrderShipments((await orderOf('envioAcordado')).id)).toEqual([]);
  const billed = (await ml.getOrder((await orderOf('b2b')).id)).doc.buyer!.billing_info!.id!;
  expect(billed).toMatch(/^\d{18}$/);
  expect((await ml.getBillingInfo(billed)).buyer?.billing_info?.identification?.type).toBe('RFC');
  expect((await ml.getPayment(order.doc.payments![0]!.id)).order).toEqual({ id: fact.id, type: 'mercadolibre' });
  const page = await ml.searchOrders({ from: new Date(Date.now() - 30 * 86_400_000), to: new Date() }, {}, 0);
  expect(page.orders).toHaveLength(50);
  expect(page.orders[0]).toEqual({ id: expect.stringMatching(OWN_ORDER), version: expect.any(Date) });
});

test('a partial answer says which blocks it lacks', async () => {
  const ml = await linkSandbox(db, sandbox);
  await sandbox.mercadolibre.post('/interruptores', { ordenesParciales: 1 });
  expect((await ml.getOrder((await orderOf('simple')).id)).missing).toEqual(['buyer', 'shipping']);
});

test('fails in one of the ways we can name, and knows how long to wait', async () => {
  const ml = await linkSandbox(db, sandbox);
  const { id } = await orderOf('simple');
  const failing = async (mode: string, options = {}) => {
    await sandbox.mercadolibre.failNext(mode, { route: `GET /orders/${id}`, ...options });
    return await ml.getOrder(id).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  for (const mode of ['429', '503', 'reset', 'reset-after-doing', '500-after-doing'])
    expect(await failing(mode), mode).toBeInstanceOf(Unavailable);
  for (const mode of ['html', 'refuse'])
    expect(await failing(mode), mode).toSatisfy(
      (error) => error instanceof UnexpectedShape || error instanceof Refused,
    );
  await expect(ml.getOrder('2000016999999999')).rejects.toMatchObject({
    name: 'Refused',
    details: { status: 403, code: 'not_owned_order' },
  });
  await expect(ml.getOrder('1')).rejects.toMatchObject({
    name: 'Refused',
    details: { status: 404, code: 'order_not_found' },
  });
});

test('the activation is bound to its person, its moment and its one use', async () => {
  const [one, other] = [await buildUsuario(db), await buildUsuario(db, 'admin')];
  const back = await authorize(sandbox, await startLink(db, one));
  expect(await linkMercadolibre(db, other, back)).toBe('vencida');
  expect(await linkMercadolibre(db, one, { ...back, state: 'inventado' })).toBe('vencida');
  expect(await linkMercadolibre(db, one, back)).toBe('lista');
  expect(await linkMercadolibre(db, one, back)).toBe('vencida');
  const late = await authorize(sandbox, await startLink(db, one));
  await db
    .updateTable('oauthState')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();
  expect(await linkMercadolibre(db, one, late)).toBe('vencida');
  expect(
    await linkMercadolibre(db, one, { ...(await authorize(sandbox, await startLink(db, one))), code: 'TG-falso' }),
  ).toBe('rechazada');
});

test('an account of another country is not linked', async () => {
  const usuario = await buildUsuario(db);
  await sandbox.mercadolibre.post('/interruptores', { sitio: 'MLA' });
  expect(await linkMercadolibre(db, usuario, await authorize(sandbox, await startLink(db, usuario)))).toBe('otroPais');
  await sandbox.mercadolibre.post('/interruptores', { sitio: 'MLM' });
  expect(await openCredential(db, 'mercadolibre')).toBeNull();
});

test('an application that demands PKCE is satisfied, and what goes through the browser opens nothing by itself', async () => {
  await sandbox.mercadolibre.post('/interruptores', { pkceObligatorio: true });
  const usuario = await buildUsuario(db);
  const address = new URL(await startLink(db, usuario));
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    code_challenge_method: 'S256',
    redirect_uri: 'http://trastienda.test/activacion',
  });
  expect(await linkMercadolibre(db, usuario, await authorize(sandbox, address.href))).toBe('lista');
  await sandbox.mercadolibre.post('/interruptores', { pkceObligatorio: false });
});

test('an expired token is renewed once and the call repeated', async () => {
  const ml = await linkSandbox(db, sandbox);
  const before = await tokenStats();
  await expireTokens();
  expect((await ml.usersMe()).id).toBe(SELLER);
  expect((await tokenStats()).refreshes).toBe(before.refreshes + 1);
  expect(await link()).toMatchObject({ status: 'linked', version: 2, leaseOwner: null });
});

test('twenty pools that meet one expired token renew it once', async () => {
  await linkSandbox(db, sandbox);
  const before = await tokenStats();
  const readers = Array.from({ length: 20 }, () => openMercadolibre(openTestDatabase(undefined, { max: 1 }).db));
  await expireTokens();
  const sellers = await Promise.all(readers.map((reader) => reader.usersMe()));
  expect(new Set(sellers.map(({ id }) => id))).toEqual(new Set([SELLER]));
  const after = await tokenStats();
  expect([after.refreshes - before.refreshes, after.invalidGrants - before.invalidGrants]).toEqual([1, 0]);
});

test('processes that meet one expired token renew it once', { timeout: 180_000 }, async () => {
  await linkSandbox(db, sandbox);
  const before = await tokenStats();
  const children = Array.from({ length: process.env.FAULTS === 'long' ? 20 : 4 }, () =>
    spawn(process.execPath, ['--import', 'tsx', 'tests/support/processes/askSeller.ts'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: process.env,
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  await db
    .updateTable('credential')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();
  await expireTokens();
  const answers = await Promise.all(
    children.map(async (child) => {
      const answer = once(child.stdout, 'data');
      child.stdin.write('ya\n');
      return String((await answer)[0]).trim();
    }),
  );
  expect(answers).toEqual(children.map(() => SELLER));
  const after = await tokenStats();
  expect([after.refreshes - before.refreshes, after.invalidGrants - before.invalidGrants]).toEqual([1, 0]);
});

test('a renewal whose answer was lost breaks the link, and says why', async () => {
  const ml = await linkSandbox(db, sandbox);
  await expireTokens();
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'POST /oauth/token' });
  await expect(ml.usersMe()).rejects.toMatchObject({ name: 'Unavailable', details: { account: true } });
  expect(await link()).toMatchObject({
    status: 'broken',
    detail: 'Mercado Libre dio por terminado el permiso. Vuelve a activar la cuenta.',
    version: 1,
    leaseOwner: null,
  });
  await expect(ml.usersMe()).rejects.toMatchObject({ details: { account: true } });
});

test('a renewal that never arrived is tried once more and leaves the link whole', async () => {
  const ml = await linkSandbox(db, sandbox);
  await expireTokens();
  await sandbox.mercadolibre.failNext('reset', { route: 'POST /oauth/token' });
  expect((await ml.usersMe()).id).toBe(SELLER);
  await expireTokens();
  await sandbox.mercadolibre.failNext('429', { route: 'POST /oauth/token' });
  await expect(ml.usersMe()).rejects.toMatchObject({ name: 'Unavailable', details: { status: 429 } });
  expect(await link()).toMatchObject({ status: 'linked', leaseOwner: null });
  expect((await ml.usersMe()).id).toBe(SELLER);
});

test('a seller who takes the permission back is told so on the screen, and a new activation mends it', async () => {
  const ml = await linkSandbox(db, sandbox);
  await sandbox.mercadolibre.post('/token', { revoke: true });
  await expect(ml.usersMe()).rejects.toBeInstanceOf(Unavailable);
  expect((await link()).status).toBe('broken');
  const usuario = await buildUsuario(db);
  expect(await linkMercadolibre(db, usuario, await authorize(sandbox, await startLink(db, usuario)))).toBe('lista');
  expect((await openMercadolibre(db).usersMe()).id).toBe(SELLER);
});

test('a 401 of one resource is the no of that resource, after one renewal; the link stays whole', async () => {
  const ml = await linkSandbox(db, sandbox);
  const [one, other] = await sandbox.mercadolibre.get<OrderFacts[]>('/ordenes?limit=2');
  const before = await tokenStats();
  await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: `/orders/${one!.id}` });
  for (let n = 0; n < 3; n++)
    await expect(ml.getOrder(one!.id)).rejects.toMatchObject({ name: 'Refused', details: { status: 401 } });
  expect((await ml.getOrder(other!.id)).doc.id).toBe(other!.id);
  expect(await link()).toMatchObject({ status: 'linked', detail: null });
  expect((await tokenStats()).refreshes - before.refreshes).toBe(1);
  await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: '' });
});

test('a blocked application stops at the first answer, says the way out, and leaves token and link alone', async () => {
  const ml = await linkSandbox(db, sandbox);
  const one = await orderOf('simple');
  const before = await tokenStats();
  await sandbox.mercadolibre.post('/interruptores', { aplicacionBloqueada: true });
  await expect(ml.getOrder(one.id)).rejects.toMatchObject({
    name: 'Unavailable',
    message: expect.stringContaining('Mis aplicaciones'),
    details: { account: true },
  });
  expect((await tokenStats()).refreshes - before.refreshes).toBe(0);
  expect((await link()).status).toBe('linked');
  await sandbox.mercadolibre.post('/interruptores', { aplicacionBloqueada: false });
  expect((await ml.getOrder(one.id)).doc.id).toBe(one.id);
});

test('when the owner of the account is refused too, the link is broken', async () => {
  const ml = await linkSandbox(db, sandbox);
  const one = await orderOf('simple');
  await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: '/' });
  await expect(ml.getOrder(one.id)).rejects.toMatchObject({ name: 'Unavailable', details: { account: true } });
  expect((await link()).status).toBe('broken');
  await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: '' });
});

test('a byte order mark, a strange content type, and numbers that come as text are read', () => {
  const body = Buffer.from(
    '\ufeff{"paging":{"total":"1"},"results":[{"id":"2000016200010001","date_last_updated":"ayer","last_updated":"2026-11-03T09:37:21.000-0400"}]}',
  );
  const json = readJson({ status: 200, headers: new Headers({ 'content-type': 'text/plain' }), body }, 'orders/search');
  const page = SearchPage.parse(json);
  expect([page.paging.total, page.results.map(rowVersion)]).toEqual([1, [new Date('2026-11-03T13:37:21.000Z')]]);
  expect(TokenAnswer.parse({ access_token: 'a', expires_in: '10800', user_id: '7' }).expires_in).toBe(10800);
  expect(
    Order.parse({ ...pagada, order_items: [{ ...pagada.order_items[0], quantity: '2' }] }).order_items[0]!.quantity,
  ).toBe(2);
  expect(
    versionOf(Order.parse({ ...pagada, last_updated: undefined, date_last_updated: undefined })).toISOString(),
  ).toBe('2026-11-03T13:37:12.000Z');
});

test('credentials are unreadable at rest, and a new key takes over while both live', async () => {
  const [old, young] = ['vieja', 'nueva'].map((id, n) => `${id}:${Buffer.alloc(32, n + 1).toString('base64')}`) as [
    string,
    string,
  ];
  await saveCredential(
    db,
    'facturacom',
    { account: 'EKU9003173C9', secrets: { apiKey: 'llave-visible', secret: 'secreto-visible' } },
    parseKeyring(old),
  );
  const sealed = async () =>
    (
      await db
        .selectFrom('credential')
        .select('sealed')
        .where('connection', '=', 'facturacom')
        .executeTakeFirstOrThrow()
    ).sealed;
  expect((await sealed()).toString('latin1')).not.toContain('visible');
  const both = parseKeyring(`${young},${old}`);
  expect((await openCredential(db, 'facturacom', both))!.secrets).toEqual({
    apiKey: 'llave-visible',
    secret: 'secreto-visible',
  });
  expect([await resealCredentials(db, both), await resealCredentials(db, both)]).toEqual([1, 0]);
  expect(sealedWith(await sealed())).toBe('nueva');
  expect((await openCredential(db, 'facturacom', parseKeyring(young)))!.secrets.apiKey).toBe('llave-visible');
  await expect(openCredential(db, 'facturacom', parseKeyring(old))).rejects.toThrow('no hay llave');
});

test('new sales and their facts are told by the control page', async () => {
  const ml = await linkSandbox(db, sandbox);
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('packEnvioCobrado', { sinAviso: true });
  expect((await ml.getPack(sale.packId!)).orders.map(({ id }) => id)).toEqual(sale.ordenes);
});
