import { beforeEach, expect, test } from 'vitest';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { createAmazon, readOrder, type Ventana } from '~/integrations/amazon/client.server';
import { createLwa, isDeadGrant } from '~/integrations/amazon/lwa.server';
import { type Operacion, type Ritmo, SIN_RITMO } from '~/integrations/amazon/pace';
import type { Access } from '~/integrations/amazon/tokens';
import { CLIENT_ID, CLIENT_SECRET, APP_ID, MARKETPLACE_ID, SELLER_ID } from '../sandbox/amazon';
import { SWITCHES } from '../sandbox/amazon/switches';
import { startTestSandbox } from '../support/sandbox';

const FAST = 100_000;
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 230, ritmo: FAST } });
const amz = sandbox.proveedor('amazon');
const REDIRECT = 'http://127.0.0.1:3000/activacion';

type Hecho = { id: string; escenario: string; estado: string; canal: string; total: number };

const lwaWith = (clientSecret: string) =>
  createLwa({
    lwaUrl: `${sandbox.url}/amazon-lwa`,
    sellerUrl: `${sandbox.url}/amazon-seller`,
    appId: APP_ID,
    clientId: CLIENT_ID,
    clientSecret,
    redirectUri: REDIRECT,
  });
const lwa = lwaWith(CLIENT_SECRET);

/** Says yes at Seller Central's page, and hands back what its address carries. */
async function consent(address: string) {
  const response = await fetch(address, { method: 'POST', redirect: 'manual' });
  return new URL(response.headers.get('location')!).searchParams;
}

async function linked({ ritmo = SIN_RITMO }: { ritmo?: Ritmo } = {}) {
  const back = await consent(lwa.consentUrl('s1'));
  const permiso = await lwa.exchangeCode(back.get('spapi_oauth_code')!);
  let access: Access = { token: permiso.accessToken, sellerId: back.get('selling_partner_id')!, version: 1 };
  const rejected: string[] = [];
  const client = createAmazon({
    baseUrl: `${sandbox.url}/amazon`,
    ritmo,
    tokens: {
      current: () => Promise.resolve(access),
      async renew(seen) {
        const { accessToken } = await lwa.refresh(permiso.refreshToken!);
        access = { ...seen, token: accessToken, version: seen.version + 1 };
        return access;
      },
      reject: (_, reason) => Promise.resolve(void rejected.push(reason)),
    },
  });
  return { client, permiso, rejected, back };
}

const window = (): Ventana => ({ from: new Date(Date.now() - 200 * 86_400_000), to: new Date() });

async function pageThrough(client: ReturnType<typeof createAmazon>, { from, to } = window()) {
  const ids: string[] = [];
  let siguiente: string | null = null;
  do {
    const pagina = await client.searchOrders({ from, to }, siguiente);
    ids.push(...pagina.filas.map(({ id }) => id));
    siguiente = pagina.siguiente;
  } while (siguiente !== null);
  return ids;
}

const failed = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeEach(async () => {
  await sandbox.clear('amazon');
  await sandbox.reset('amazon');
});

test('a window is read to its end, each sale once, however its pages are made', async () => {
  const { client } = await linked();
  const all = new Set((await amz.get<Hecho[]>('/ventas')).map(({ id }) => id));
  for (const paginas of SWITCHES.paginas)
    for (const ultimaPagina of SWITCHES.ultimaPagina)
      for (const paginaVacia of SWITCHES.paginaVacia) {
        await amz.post('/interruptores', { paginas, ultimaPagina, paginaVacia });
        const ids = await pageThrough(client);
        expect(ids.length).toBe(all.size);
        expect(new Set(ids)).toEqual(all);
      }
});

test('a page token of another window is refused, and says nothing of the link', async () => {
  for (const tokenAjeno of SWITCHES.tokenAjeno) {
    await amz.post('/interruptores', { tokenAjeno });
    const { client, rejected } = await linked();
    const { siguiente } = await client.searchOrders(window());
    const other = { from: new Date(Date.now() - 9 * 86_400_000), to: new Date() };
    expect(await failed(client.searchOrders(other, siguiente))).toMatchObject({
      name: 'Refused',
      details: { status: Number(tokenAjeno) },
    });
    expect(rejected).toEqual([]);
  }
});

test('every sale is understood whichever way an unconfirmed fact turns out', async () => {
  const { client } = await linked();
  const facts = await amz.get<Hecho[]>('/ventas');
  const one = (escenario: string) => facts.find((fact) => fact.escenario === escenario)!;
  const some = ['negocio', 'envioGratis', 'pendiente', 'cancelada', 'parcial', 'regalo'].map(one);
  for (const [name, options] of Object.entries(SWITCHES).filter(([switched]) => switched !== 'limiteDeFichas'))
    for (const option of options) {
      await amz.post('/interruptores', { [name]: option });
      const refused = await Promise.all(
        some.map(({ id }) => failed(client.getOrder(id).then((raw) => expect(readOrder(raw).orderId).toBe(id)))),
      );
      for (const error of refused)
        if (name === 'personas' && option === '403') expect(error).toBeInstanceOf(Refused);
        else expect(error, `${name}=${option}`).toBeUndefined();
      await amz.post('/interruptores', { [name]: options[0] });
    }
});

test('what was charged is read through empty pages, and with its parts missing', async () => {
  const { client } = await linked();
  const { id } = (await amz.get<Hecho[]>('/ventas')).find(({ escenario }) => escenario === 'devuelta')!;
  for (const facts of [{}, { paginaVacia: 'si' }, { palabraDeEstado: 'falta' }, { desgloses: 'nulos' }]) {
    await amz.post('/interruptores', facts);
    const found = await client.transactionsOf(id);
    expect(found.map(({ transactionType }) => transactionType)).toEqual(['SHIPMENT', 'REFUND']);
    expect(found[0]!.totalAmount!.isNegative()).toBe(false);
    expect(found[1]!.totalAmount!.isNegative()).toBe(true);
  }
  expect(await client.participations()).toEqual([
    { marketplaceId: MARKETPLACE_ID, tienda: 'Demo Tienda', participa: true },
  ]);
});

test('a token that ended is renewed once; a permission that ended breaks the link; a no to one resource does not', async () => {
  const { client, rejected } = await linked();
  await amz.post('/lwa', { expireNow: true });
  expect((await client.searchOrders(window())).filas.length).toBe(100);
  expect(await amz.get('/lwa')).toMatchObject({ refreshes: 1 });
  await amz.post('/interruptores', { personas: '403' });
  expect(await failed(client.searchOrders(window()))).toMatchObject({
    name: 'Refused',
    details: { status: 403, code: 'AccessDeniedException' },
  });
  expect(await failed(client.getOrder('701-9999999-9999999'))).toBeInstanceOf(Refused);
  expect(rejected).toEqual([]);
  for (const revocado of SWITCHES.revocado) {
    await amz.post('/interruptores', { revocado });
    await amz.post('/lwa', { revoke: true });
    expect(isDeadGrant(await failed(client.searchOrders(window()))), revocado).toBe(true);
  }
});

test('a token refused fresh from its renewal breaks the link', async () => {
  const { client, rejected } = await linked();
  await amz.post('/lwa', { expireNow: true, bornDead: true });
  expect(await failed(client.searchOrders(window()))).toMatchObject({
    name: 'Unavailable',
    details: { account: true },
  });
  expect(rejected).toHaveLength(1);
});

test('a rotated secret is a matter of our keys and not of the permission, which works again with the new one', async () => {
  const { permiso } = await linked();
  await amz.post('/lwa', { secret: 'otro-secreto' });
  const error = await failed(lwa.refresh(permiso.refreshToken!));
  expect(error).toMatchObject({ name: 'Unavailable', details: { account: true } });
  expect(isDeadGrant(error)).toBe(false);
  const again = await lwaWith('otro-secreto').refresh(permiso.refreshToken!);
  expect(again.refreshToken).toBe(permiso.refreshToken);
  await amz.post('/interruptores', { refresco: 'otro' });
  expect((await lwaWith('otro-secreto').refresh(permiso.refreshToken!)).refreshToken).not.toBe(permiso.refreshToken);
  await amz.post('/interruptores', { limiteDeFichas: 'si' });
  expect(await failed(lwaWith('otro-secreto').refresh(permiso.refreshToken!))).toBeInstanceOf(Unavailable);
});

test('a code serves once', async () => {
  const { back } = await linked();
  expect([back.get('state'), back.get('selling_partner_id')]).toEqual(['s1', SELLER_ID]);
  expect(isDeadGrant(await failed(lwa.exchangeCode(back.get('spapi_oauth_code')!)))).toBe(true);
});

test('too many calls say for how long to wait, and whoever shares the limit is told', async () => {
  for (const limite of SWITCHES.limite) {
    await amz.post('/interruptores', { limite });
    await amz.post('/ritmo', { factor: 0.1 });
    const told: [Operacion, number][] = [];
    const spent: Operacion[] = [];
    const ritmo: Ritmo = {
      take: () => Promise.resolve(),
      told: (...limit) => void told.push(limit),
      spent: (operacion) => Promise.resolve(void spent.push(operacion)),
    };
    const { client } = await linked({ ritmo });
    let error: unknown;
    for (let n = 0; n < 4 && error === undefined; n++) error = await failed(client.searchOrders(window()));
    expect(error).toBeInstanceOf(Unavailable);
    const { retryAfterMs } = (error as Unavailable).details;
    expect(Math.round(retryAfterMs! / 1000)).toBe(limite === 'conEncabezado' ? 1786 : 179);
    expect(told[0]![1]).toBeCloseTo(0.00056);
    expect(spent).toEqual(['searchOrders']);
    await sandbox.reset('amazon');
  }
});

test('fails in one of the ways we can name', async () => {
  const { client, rejected } = await linked();
  const { id } = (await amz.get<Hecho[]>('/ventas'))[0]!;
  const failing = async (mode: string) => {
    await amz.failNext(mode, { route: id });
    return await failed(client.getOrder(id));
  };
  for (const mode of ['429', '503', 'reset', 'reset-after-doing', '500-after-doing'])
    expect(await failing(mode), mode).toBeInstanceOf(Unavailable);
  expect(await failing('html')).toBeInstanceOf(UnexpectedShape);
  expect(await failing('refuse')).toBeInstanceOf(Refused);
  expect(rejected).toEqual([]);
});

test('the consent that begins at Seller Central goes on at Amazon and nowhere else', async () => {
  const listed = await (await fetch(`${sandbox.url}/amazon-seller/apps/manage`)).text();
  const begun = new URL(/href="([^"]+)"/.exec(listed)![1]!.replaceAll('&amp;', '&')).searchParams;
  const to = lwa.confirmUrl(begun.get('amazon_callback_uri')!, begun.get('amazon_state')!, 's2')!;
  const back = await consent(to);
  expect(back.get('state')).toBe('s2');
  expect((await lwa.exchangeCode(back.get('spapi_oauth_code')!)).refreshToken).toMatch(/^Atzr\|/);
  expect((await fetch(to)).status).toBe(400);
  const real = 'https://amazon.com/apps/authorize/confirm/amzn1.sp.solution.1';
  expect(lwa.confirmUrl(real, 'a&b', 's')).toBe(
    `${real}?redirect_uri=${encodeURIComponent(REDIRECT)}&amazon_state=a%26b&state=s`,
  );
  for (const strange of [
    'https://amazon.com.evil.test/apps/authorize/confirm/1',
    'https://evilamazon.com/apps/authorize/confirm/1',
    'http://amazon.com/apps/authorize/confirm/1',
    'https://amazon.com@evil.test/apps/authorize/confirm/1',
    'https://amazon.com/otra',
    'javascript:alert(1)',
    '',
  ])
    expect(lwa.confirmUrl(strange, 'a', 's'), strange).toBeUndefined();
});
