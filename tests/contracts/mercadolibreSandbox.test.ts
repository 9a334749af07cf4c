/** The impostor of Mercado Libre keeps the rules of the real one. Everything over HTTP, as the product's client sees it. */
import { createHash } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Faults } from '../sandbox/faults';
import { CLIENT_ID, CLIENT_SECRET, createMercadolibre, FOREIGN_ORDER_ID, SCENARIOS, SELLER_ID, type MercadolibreOptions } from '../sandbox/mercadolibre';
import { createServer, RequestLog } from '../sandbox/server';
import { createStore, type DiskStore } from '../sandbox/store';

const ANCHOR = '2026-11-20T18:20:00.000Z';
const REDIRECT = 'http://127.0.0.1:3000/activacion';

interface Facts {
  id: string;
  packId: string | null;
  numOrden: string;
  scenario: string;
  status: string;
  clase: string;
  fecha: string;
  total: number;
  envio: number;
  envioId: string | null;
  pagos: { id: string; tipo: string; estado: string; operacion: string; monto: number }[];
  datosFiscales: string;
  rfc: string | null;
}
interface NewSale {
  numOrden: string;
  ordenes: string[];
  packId: string | null;
  total: number;
  productos: number;
  envio: number;
  facturable: boolean;
  rfc: string | null;
}
interface OrderJson {
  id: number;
  status: string;
  date_closed: string;
  last_updated: string;
  date_last_updated: string;
  pack_id: number | null;
  total_amount: number;
  paid_amount: number;
  shipping: { id: number | null };
  tags: string[];
  static_tags?: string[];
  buyer: { billing_info?: { id: string } };
  order_items: { quantity: number; unit_price: number | null; sale_fee: number | null }[];
  payments: { id: number; status: string; operation_type: string; transaction_amount: number; shipping_cost: number }[];
  cancel_detail: { code: string } | null;
}
interface SearchJson {
  paging: { total: number; offset: number; limit: number };
  results: OrderJson[];
}
interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  user_id: number;
  error?: string;
}

const running: { server: Server; close?: () => void | Promise<void> }[] = [];
afterAll(async () => {
  for (const { server, close } of running) {
    server.closeAllConnections();
    await Promise.all([new Promise((resolve) => server.close(resolve)), close?.()]);
  }
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function start(options: Partial<MercadolibreOptions> = {}, store: DiskStore = createStore(undefined, 'mercadolibre')) {
  const service = createMercadolibre({ store, baseUrl: () => '', webhookUrl: () => undefined, appUrl: () => undefined, anchor: ANCHOR, ...options });
  store.attach(service);
  const server = createServer([service], {}, new Faults(), new RequestLog());
  running.push({ server, close: service.close?.bind(service) });
  const url = await listen(server);
  let access = '';

  const control = async <T>(method: 'GET' | 'POST', path: string, body?: unknown) => {
    const response = await fetch(`${url}/control/mercadolibre${path}`, { method, body: body === undefined ? undefined : JSON.stringify(body) });
    expect(response.status, `${method} ${path}`).toBe(200);
    return (await response.json()) as T;
  };
  const token = async (form: Record<string, string>) => {
    const response = await fetch(`${url}/mercadolibre/oauth/token`, { method: 'POST', body: new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...form }) });
    return { status: response.status, body: (await response.json()) as Tokens };
  };
  const code = async (extra: Record<string, string> = {}) => (await control<{ code: string }>('POST', '/authorize', { client_id: CLIENT_ID, redirect_uri: REDIRECT, ...extra })).code;
  const link = async () => {
    const { body } = await token({ grant_type: 'authorization_code', code: await code(), redirect_uri: REDIRECT });
    access = body.access_token;
    return body;
  };
  const raw = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers: { authorization: `Bearer ${access}`, ...headers } });
  const get = async <T>(path: string, headers?: Record<string, string>) => {
    const response = await raw(path, headers);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };
  const search = (query: Record<string, string | number>) =>
    get<SearchJson>(`/mercadolibre/orders/search?${new URLSearchParams({ seller: String(SELLER_ID), ...Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) })}`);
  return { url, control, token, code, link, raw, get, search, service, order: (id: number | string) => get<OrderJson>(`/mercadolibre/orders/${id}`) };
}

type Running = Awaited<ReturnType<typeof start>>;
const cents = (pesos: number) => Math.round(pesos * 100);

let ml: Running;
let facts: Facts[];
beforeAll(async () => {
  ml = await start();
  await ml.link();
  facts = await ml.control<Facts[]>('GET', '/ordenes');
});
const of = (scenario: string) => facts.filter((order) => order.scenario === scenario);

describe('authorization', () => {
  test('the page sends back a code and the state, or the refusal', async () => {
    const query = new URLSearchParams({ response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT, state: 'abc' });
    const page = await fetch(`${ml.url}/mercadolibre-auth/authorization?${query}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Autorizar');
    const decide = async (decision: string) => {
      const answer = await fetch(`${ml.url}/mercadolibre-auth/authorization`, { method: 'POST', redirect: 'manual', body: new URLSearchParams([...query, ['decision', decision]]) });
      expect(answer.status).toBe(302);
      return new URL(answer.headers.get('location')!);
    };
    const accepted = await decide('autorizar');
    expect(accepted.origin + accepted.pathname).toBe(REDIRECT);
    expect(accepted.searchParams.get('state')).toBe('abc');
    expect(accepted.searchParams.get('code')).toMatch(/^TG-/);
    expect((await decide('rechazar')).searchParams.get('error')).toBe('access_denied');
    expect((await fetch(`${ml.url}/mercadolibre-auth/authorization?${query}&redirect_uri=x`.replace(encodeURIComponent(REDIRECT), encodeURIComponent('http://otra.example/activacion')))).status).toBe(400);
  });

  test('a collaborator gets no code', async () => {
    const one = await start({ orders: 0 });
    await one.control('POST', '/interruptores', { colaborador: true });
    const query = new URLSearchParams({ response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT, auto: '1' });
    const answer = await fetch(`${one.url}/mercadolibre-auth/authorization?${query}`, { redirect: 'manual' });
    expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe('invalid_operator_user_id');
  });

  test('codes and refresh tokens work once, and only the last refresh token', async () => {
    const one = await start({ orders: 0 });
    const code = await one.code();
    const exchange = () => one.token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT });
    const wrong = await one.token({ grant_type: 'authorization_code', code, redirect_uri: `${REDIRECT}/` });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
    const first = await exchange();
    expect(first.body).toMatchObject({ expires_in: 10_800, user_id: SELLER_ID });
    expect((await exchange()).body.error).toBe('invalid_grant');
    const second = await one.token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token });
    expect(second.status).toBe(200);
    expect((await one.token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })).body.error).toBe('invalid_grant');
    expect((await one.token({ grant_type: 'refresh_token', refresh_token: second.body.refresh_token })).status).toBe(200);
    expect((await one.token({ grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'no' })).body.error).toBe('invalid_client');
    expect(await one.control('GET', '/token')).toMatchObject({ exchanges: 1, refreshes: 2, invalidGrants: 3 });
  });

  test('PKCE: a code with a challenge needs its verifier', async () => {
    const one = await start({ orders: 0 });
    const verifier = 'un-verificador-de-mas-de-cuarenta-y-tres-caracteres';
    const challenge = { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' };
    const exchange = async (extra: Record<string, string>) => {
      const { status, body } = await one.token({ grant_type: 'authorization_code', code: await one.code(challenge), redirect_uri: REDIRECT, ...extra });
      return body.error ?? status;
    };
    expect(await exchange({})).toBe('invalid_request');
    expect(await exchange({ code_verifier: 'otro' })).toBe('invalid_grant');
    expect(await exchange({ code_verifier: verifier })).toBe(200);
  });

  test('without a living token every route answers 401; what is of others, 403', async () => {
    const one = await start({ orders: 0 });
    const routes = ['/mercadolibre/users/me', '/mercadolibre/orders/search?seller=1', '/mercadolibre/missed_feeds', '/mercadopago/v1/payments/1', '/mercadolibre/shipment_statuses'];
    for (const route of routes) expect((await one.raw(route)).status, route).toBe(401);
    const { refresh_token } = await one.link();
    expect((await one.raw('/mercadolibre/users/me')).status).toBe(200);
    await one.control('POST', '/token', { expireNow: true });
    for (const route of routes) expect((await one.raw(route)).status, route).toBe(401);
    await one.control('POST', '/token', { expires_in: 60 });
    expect((await one.token({ grant_type: 'refresh_token', refresh_token })).body.expires_in).toBe(60);
    await one.link();
    expect((await one.raw(`/mercadolibre/orders/${FOREIGN_ORDER_ID}`)).status).toBe(403);
    expect((await one.raw('/mercadolibre/orders/search?seller=77')).status).toBe(403);
    const { refresh_token: last } = await one.link();
    await one.control('POST', '/token', { revoke: true });
    expect((await one.token({ grant_type: 'refresh_token', refresh_token: last })).body.error).toBe('invalid_grant');
  });
});

describe('the demo', () => {
  test('holds at least 400 sales over four months, with every scenario', () => {
    expect(new Set(facts.map(({ numOrden }) => numOrden)).size).toBeGreaterThanOrEqual(400);
    for (const [name, { demo }] of Object.entries(SCENARIOS)) {
      const sales = new Set(of(name).map(({ numOrden }) => numOrden)).size;
      expect(sales, name).toBe(name === 'ordenDividida' ? 6 : demo);
    }
    const days = (from: string) => facts.filter(({ fecha }) => Date.parse(fecha) >= Date.parse(from)).length;
    expect(days('2026-07-25T00:00:00-06:00')).toBe(facts.length);
    expect(facts.length - days('2026-09-01T00:00:00-06:00')).toBeGreaterThan(80);
    expect(days('2026-11-01T00:00:00-06:00')).toBeGreaterThanOrEqual(120);
    expect(days('2026-11-20T00:00:00-06:00')).toBeGreaterThanOrEqual(8);
    expect(Math.max(...facts.map(({ fecha }) => Date.parse(fecha)))).toBeLessThan(Date.parse(ANCHOR));
    expect(new Set(facts.flatMap(({ pagos }) => pagos.map(({ tipo }) => tipo)))).toEqual(new Set(['credit_card', 'debit_card', 'account_money', 'ticket', 'bank_transfer']));
  });

  test('two sandboxes with the same anchor and seed are the same, to the letter; another seed is another', async () => {
    const read = async (one: Running) => {
      await one.link();
      const ids = (await one.control<Facts[]>('GET', '/ordenes')).slice(0, 60);
      const paths = ids.flatMap(({ id, envioId }) => [`/mercadolibre/orders/${id}`, ...(envioId ? [`/mercadolibre/shipments/${envioId}`] : [])]);
      return Promise.all(paths.map(async (path) => (await one.raw(path)).text()));
    };
    const [a, b, c] = await Promise.all([start(), start(), start({ seed: 'otra' })].map(async (one) => read(await one)));
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  test('a pack lists its orders, shares one shipment, and they add up to what was charged', async () => {
    for (const name of ['pack', 'packEnvioCobrado']) {
      const numbers = [...new Set(of(name).map(({ numOrden }) => numOrden))];
      for (const number of numbers) {
        const pack = await ml.get<{ orders: { id: number }[]; shipment: { id: number }; date_created: string; status: string }>(`/mercadolibre/packs/${number}`);
        expect(pack.orders).toHaveLength(3);
        expect(pack.date_created).toMatch(/-0400$/);
        const orders = await Promise.all(pack.orders.map(({ id }) => ml.order(id)));
        expect(new Set(orders.map(({ shipping }) => shipping.id))).toEqual(new Set([pack.shipment.id]));
        const costs = await ml.get<{ receiver: { cost: number } }>(`/mercadolibre/shipments/${pack.shipment.id}/costs`);
        const paid = orders.reduce((total, order) => total + cents(order.paid_amount), 0);
        const products = orders.reduce((total, order) => total + order.order_items.reduce((sum, line) => sum + cents(line.unit_price!) * line.quantity, 0), 0);
        expect(products).toBe(orders.reduce((total, order) => total + cents(order.total_amount), 0));
        expect(paid).toBe(products + cents(costs.receiver.cost));
        expect(costs.receiver.cost > 0).toBe(name === 'packEnvioCobrado');
        expect((await ml.get<{ order_id: number }[]>(`/mercadolibre/shipments/${pack.shipment.id}/items`)).map(({ order_id }) => order_id)).toEqual(orders.map(({ id }) => id));
      }
    }
  });

  test('the awkward prices and both ways of charging the shipping are there', async () => {
    const line = async (name: string) => (await ml.order(of(name)[0]!.id)).order_items[0]!;
    expect(await line('cantidad')).toMatchObject({ quantity: 7, unit_price: 14.37 });
    expect(of('cantidad')[0]!.total).toBe(100.59);
    expect(await line('cantidadCentavos')).toMatchObject({ quantity: 3, unit_price: 99.99 });
    const agreed = await ml.order(of('envioAdicional')[0]!.id);
    expect(agreed.shipping.id).toBeNull();
    expect(agreed.payments).toMatchObject([{ operation_type: 'regular_payment' }, { operation_type: 'payment_addition', status: 'approved', transaction_amount: 480 }]);
    const charged = await ml.order(of('envioCobrado')[0]!.id);
    expect(charged.payments[0]!.shipping_cost).toBeGreaterThan(0);
    expect(cents(charged.paid_amount)).toBe(cents(charged.total_amount) + cents(charged.payments[0]!.shipping_cost));
  });

  test('what ended badly says so in the words of Mercado Libre', async () => {
    const codes = { cancelada: 'buyer_cancel_express', canceladaMediacion: 'mediations', canceladaNoEntregada: 'shipment_not_delivered', canceladaNoDespachada: 'undispatched_order', packDividido: 'pack_splitted' };
    for (const [name, code] of Object.entries(codes)) {
      const order = await ml.order(of(name)[0]!.id);
      expect([order.status, order.cancel_detail?.code, order.paid_amount, order.payments[0]!.status], name).toEqual(['cancelled', code, 0, 'refunded']);
    }
    const unfulfilled = await ml.order(of('noCumplida')[0]!.id);
    expect([unfulfilled.status, unfulfilled.tags.includes('unfulfilled'), unfulfilled.payments[0]!.status]).toEqual(['paid', true, 'approved']);
    expect((await ml.order(of('noCumplidaReembolsada')[0]!.id)).payments[0]!.status).toBe('refunded');
    expect((await ml.order(of('reventa')[0]!.id)).static_tags).toEqual(['meli_resale']);
    expect((await ml.order(of('noConcretada')[0]!.id)).status).toBe('confirmed');
    expect((await ml.order(of('reembolsoParcial')[0]!.id)).status).toBe('partially_refunded');
  });

  test('tax data: right, generic, with holes, absent; the old address of them is gone', async () => {
    interface Billing {
      buyer: { billing_info: { name: string | null; identification: { number: string }; address: { zip_code: string | null }; taxes: { taxpayer_type: { id: string | null } } } };
    }
    const billing = async (name: string) => {
      const order = await ml.order(of(name)[0]!.id);
      return (await ml.get<Billing>(`/mercadolibre/orders/billing-info/MLM/${order.buyer.billing_info!.id}`)).buyer.billing_info;
    };
    expect((await billing('conDatosFiscales')).identification.number).toBe(of('conDatosFiscales')[0]!.rfc);
    expect((await billing('datosGenericos')).identification.number).toBe('XAXX010101000');
    expect((await billing('datosConNulos')).taxes.taxpayer_type.id).toBeNull();
    expect((await billing('datosConRegimenSocietario')).name).toMatch(/S\.?A\.? de C\.?V\.?$|S DE RL DE CV$/i);
    const without = await ml.order(of('sinDatosFiscales')[0]!.id);
    expect(without.buyer.billing_info).toBeUndefined();
    expect((await ml.raw(`/mercadolibre/orders/${without.id}/billing_info`)).status).toBe(404);
  });

  test('payments: net = amount − refunds − charges of the seller, for every payment of every order', async () => {
    interface Detail {
      status: string;
      transaction_amount: number;
      transaction_amount_refunded: number;
      transaction_details: { net_received_amount: number };
      charges_details: { name: string; accounts: { from: string }; amounts: { original: number; refunded: number } }[];
    }
    let checked = 0;
    for (const { pagos, id, scenario } of facts) {
      const order = await ml.order(id);
      const fees: number[] = [];
      for (const pago of pagos) {
        const detail = await ml.get<Detail>(`/mercadopago/v1/payments/${pago.id}`);
        const charges = detail.charges_details.filter(({ accounts }) => accounts.from === 'collector');
        const taken = charges.reduce((total, { amounts }) => total + cents(amounts.original) - cents(amounts.refunded), 0);
        const credited = ['approved', 'refunded'].includes(detail.status);
        expect(cents(detail.transaction_details.net_received_amount), `${scenario} ${pago.id}`).toBe(
          credited ? cents(detail.transaction_amount) - cents(detail.transaction_amount_refunded) - taken : 0,
        );
        fees.push(...charges.filter(({ name }) => name === 'meli_fee').map(({ amounts }) => cents(amounts.original)));
        checked++;
      }
      if (fees.length > 0) expect(fees.reduce((a, b) => a + b, 0), scenario).toBe(cents(order.order_items[0]!.sale_fee!) * order.order_items[0]!.quantity);
    }
    expect(checked).toBeGreaterThan(450);
  });
});

describe('the search', () => {
  test('gives 50 at most, in order of date_closed, and refuses what lies beyond 10,000', async () => {
    const page = await ml.search({ limit: 200 });
    expect([page.paging.limit, page.results.length]).toEqual([50, 50]);
    const closed = page.results.map((row) => Date.parse(row.date_closed));
    expect(closed).toEqual([...closed].sort((a, b) => a - b));
    const newest = await ml.search({ sort: 'date_desc', limit: 1 });
    expect(newest.results[0]!.id).not.toBe(page.results[0]!.id);
    expect((await ml.raw(`/mercadolibre/orders/search?seller=${SELLER_ID}&offset=9951`)).status).toBe(400);
    expect((await ml.raw('/mercadolibre/orders/search')).status).toBe(400);
  });

  test('paging with offset meets every order that is not cancelled, once', async () => {
    const ids: number[] = [];
    for (let offset = 0; ; offset += 50) {
      const { results, paging } = await ml.search({ offset });
      ids.push(...results.map(({ id }) => id));
      if (offset + results.length >= paging.total) break;
    }
    const expected = facts.filter(({ status }) => status !== 'cancelled').map(({ id }) => Number(id));
    expect(ids.length).toBe(new Set(ids).size);
    expect(new Set(ids)).toEqual(new Set(expected));
    expect((await ml.search({ 'order.status': 'cancelled' })).paging.total).toBe(facts.length - expected.length);
  });

  test('only the hour of a date counts, and order.last_updated is ignored', async () => {
    const order = (await ml.search({ sort: 'date_desc', limit: 1 })).results[0]!;
    const updated = Date.parse((await ml.order(order.id)).date_last_updated);
    const hour = Math.floor(updated / 3_600_000) * 3_600_000;
    const iso = (ms: number) => new Date(ms).toISOString();
    const found = async (query: Record<string, string>) => (await ml.search({ ...query, q: String(order.id) })).paging.total;
    expect(await found({ 'order.date_last_updated.from': iso(hour + 3_599_000) })).toBe(1);
    expect(await found({ 'order.date_last_updated.from': iso(hour + 3_600_000) })).toBe(0);
    expect(await found({ 'order.date_last_updated.to': iso(hour + 3_599_000) })).toBe(updated === hour ? 1 : 0);
    expect(await found({ 'order.date_last_updated.to': iso(hour + 3_600_000) })).toBe(1);
    expect(await found({ 'order.last_updated.from': iso(hour + 86_400_000) })).toBe(1);
    expect((await ml.raw(`/mercadolibre/orders/search?seller=${SELLER_ID}&order.date_created.from=2026-11-01T00:00:00.000+00:00`)).status).toBe(400);
  });

  test('rows are not orders: other last_updated, no static_tags; the cancelled pass may lie', async () => {
    const one = await start();
    await one.link();
    const row = (await one.search({ limit: 1 })).results[0]!;
    const order = await one.order(row.id);
    expect(row.static_tags).toBeUndefined();
    expect(row.last_updated).not.toBe(order.last_updated);
    expect(row.date_last_updated).toBe(order.date_last_updated);
    const honest = (await one.search({ 'order.status': 'cancelled' })).paging.total;
    await one.control('POST', '/interruptores', { canceladasFalsas: 7 });
    const { results, paging } = await one.search({ 'order.status': 'cancelled' });
    expect(paging.total).toBe(honest + 7);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    const read = await Promise.all(results.map(({ id }) => one.order(id)));
    expect(read.filter(({ status }) => status === 'paid')).toHaveLength(7);
  });

  test('answers at once over 10,000 orders', async () => {
    const one = await start({ orders: 10_000 });
    await one.link();
    await one.search({ offset: 0 });
    const times: number[] = [];
    for (let offset = 0; offset < 2_000; offset += 50) {
      const begun = performance.now();
      expect((await one.search({ offset, 'order.date_last_updated.from': '2026-07-01T00:00:00Z' })).results).toHaveLength(50);
      times.push(performance.now() - begun);
    }
    expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(100);
  });
});

describe('shipments', () => {
  test('old and new format by header, list or object by header', async () => {
    const { id, envioId } = of('simple')[0]!;
    const modern = await ml.get<{ logistic: { mode: string }; destination: { receiver_phone: string | null } }>(`/mercadolibre/shipments/${envioId}`, { 'x-format-new': 'true' });
    expect([modern.logistic.mode, modern.destination.receiver_phone]).toEqual(['me2', null]);
    expect(await ml.get(`/mercadolibre/shipments/${envioId}`)).toMatchObject({ mode: 'me2', order_id: Number(id), status_history: {} });
    expect(await ml.get(`/mercadolibre/orders/${id}/shipments`, { 'x-new-domain': 'true' })).toMatchObject([{ id: Number(envioId), type: 'forward' }]);
    expect((await ml.raw(`/mercadolibre/orders/${of('envioAcordado')[0]!.id}/shipments`, { 'x-new-domain': 'true' })).status).toBe(204);
    for (const part of ['items', 'costs', 'carrier', 'history', 'lead_time', 'payments']) await ml.get(`/mercadolibre/shipments/${envioId}/${part}`);
    const own = of('envioPropio')[0]!.envioId;
    expect((await ml.get<{ destination: { receiver_phone: string } }>(`/mercadolibre/shipments/${own}`, { 'x-format-new': 'true' })).destination.receiver_phone).toMatch(/^55\d{8}$/);
  });

  test('a young sale has no shipment yet; a read may be partial', async () => {
    const one = await start({ orders: 0 });
    await one.link();
    await one.control('POST', '/interruptores', { segundosSinEnvio: 60, ordenesParciales: 1 });
    const sale = await one.control<NewSale>('POST', '/ordenes', { scenario: 'simple', sinAviso: true });
    const partial = await one.raw(`/mercadolibre/orders/${sale.ordenes[0]}`);
    expect([partial.status, partial.headers.get('x-content-missing')]).toEqual([206, 'buyer,shipping']);
    expect((await one.order(sale.ordenes[0]!)).shipping.id).toBeNull();
    expect((await one.raw(`/mercadolibre/orders/${sale.ordenes[0]}/shipments`, { 'x-new-domain': 'true' })).status).toBe(204);
    await one.control('POST', '/interruptores', { segundosSinEnvio: 0 });
    expect((await one.order(sale.ordenes[0]!)).shipping.id).toEqual(expect.any(Number));
  });
});

interface Notice {
  _id: string;
  resource: string;
  topic: string;
  user_id: number | string;
  application_id: number;
  attempts: number;
}

async function receiver(answer: (notice: Notice) => number) {
  const got: Notice[] = [];
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const notice = JSON.parse(Buffer.concat(parts).toString('utf8')) as Notice;
      got.push(notice);
      response.writeHead(answer(notice)).end();
    });
  });
  running.push({ server });
  return { got, url: `${await listen(server)}/avisos` };
}

describe('new sales and their notifications', () => {
  test('a new sale is announced and can be read; cancelling and returning it too', async () => {
    const { got, url } = await receiver(() => 200);
    const one = await start({ orders: 0, webhookUrl: () => url });
    await one.link();
    await one.control('POST', '/interruptores', { avisosDobles: 0 });
    const sale = await one.control<NewSale>('POST', '/ordenes', { scenario: 'pack' });
    expect(sale.ordenes).toHaveLength(3);
    expect(sale.numOrden).toBe(sale.packId);
    await expect.poll(() => got.length).toBe(4);
    expect(new Set(got.map(({ resource }) => resource))).toEqual(new Set([...sale.ordenes.map((id) => `/orders/${id}`), `/shipments/${(await one.order(sale.ordenes[0]!)).shipping.id}`]));
    expect(got[0]).toMatchObject({ application_id: Number(CLIENT_ID), attempts: 1 });
    await one.control('POST', `/ordenes/${sale.ordenes[0]}/cancelar`, { code: 'mediations' });
    await one.control('POST', `/ordenes/${sale.ordenes[1]}/devolver`, {});
    await one.control('POST', `/ordenes/${sale.ordenes[2]}/actualizar`, {});
    const [cancelled, returned, moved] = await Promise.all(sale.ordenes.map((id) => one.order(id)));
    expect([cancelled!.status, cancelled!.cancel_detail?.code]).toEqual(['cancelled', 'mediations']);
    expect([returned!.status, returned!.tags.includes('unfulfilled')]).toEqual(['paid', true]);
    expect(await one.get(`/mercadolibre/shipments/${moved!.shipping.id}`, { 'x-format-new': 'true' })).toMatchObject({ status: 'ready_to_ship', substatus: 'printed' });
    await expect.poll(() => got.length).toBe(12);
  });

  test('what a test fixes of a sale is respected', async () => {
    const one = await start({ orders: 0 });
    await one.link();
    const sell = (body: object) => one.control<NewSale>('POST', '/ordenes', { sinAviso: true, ...body });
    expect(await sell({ scenario: 'cantidad' })).toMatchObject({ total: 100.59, envio: 0, facturable: true });
    expect(await sell({ scenario: 'envioAdicional' })).toMatchObject({ envio: 480, total: 6370, packId: null });
    expect(await sell({ precio: '116.00', rfc: 'EKU9003173C9', envio: 99.5 })).toMatchObject({ productos: 116, envio: 99.5, total: 215.5, rfc: 'EKU9003173C9' });
    expect(await sell({ productos: [{ precio: 10.01, cantidad: 3 }, { precio: 5, sku: null }] })).toMatchObject({ productos: 35.03, facturable: false });
    expect((await sell({ scenario: 'sinDatosFiscales' })).rfc).toBeNull();
    for (const scenario of ['cancelada', 'noCumplida', 'reventa', 'skuAjeno', 'sinSku']) expect((await sell({ scenario })).facturable, scenario).toBe(false);
    for (const scenario of ['conDatosFiscales', 'envioCobrado', 'envioPropio', 'pack']) expect((await sell({ scenario })).facturable, scenario).toBe(true);
    expect((await fetch(`${one.url}/control/mercadolibre/ordenes`, { method: 'POST', body: '{"scenario":"nada"}' })).status).toBe(400);
    const form = await fetch(`${one.url}/control/mercadolibre/ordenes`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ scenario: 'simple' }) });
    expect([form.status, form.headers.get('location')]).toEqual([303, '/#mercadolibre']);
    expect(one.service.page!()).toContain((await one.control<Facts[]>('GET', '/ordenes'))[0]!.numOrden);
  });

  test('a product that does not answer 200 is tried eight times; then the notice waits in the missed feeds', async () => {
    const { got, url } = await receiver(() => 500);
    const one = await start({ orders: 0, webhookUrl: () => url, timeScale: 0.00001 });
    await one.link();
    await one.control('POST', '/interruptores', { avisosDobles: 0 });
    const sale = await one.control<NewSale>('POST', '/ordenes', { scenario: 'envioAcordado' });
    await expect.poll(() => one.control('GET', '/avisos')).toMatchObject({ sent: 8, failed: 8, missed: 1, pendientes: 0 });
    expect(got.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const missed = await one.get<{ messages: Notice[] }>(`/mercadolibre/missed_feeds?app_id=${CLIENT_ID}&topic=orders_v2`);
    expect(missed.messages).toMatchObject([{ resource: `/orders/${sale.ordenes[0]}`, attempts: 8, response: { http_code: 500 } }]);
  });

  test('a slow product counts as one that did not answer; without an address everything is missed', async () => {
    const slow = createHttpServer((_request, response) => void setTimeout(() => response.writeHead(200).end(), 900));
    running.push({ server: slow });
    const address = await listen(slow);
    let url: string | undefined = `${address}/avisos`;
    const one = await start({ orders: 0, webhookUrl: () => url, timeScale: 1 });
    await one.link();
    await one.control('POST', '/interruptores', { avisosDobles: 0 });
    await one.control('POST', '/ordenes', { scenario: 'envioAcordado' });
    await expect.poll(() => one.control('GET', '/avisos'), { timeout: 3_000 }).toMatchObject({ sent: 1, failed: 1, pendientes: 1 });
    url = undefined;
    await one.control('POST', '/ordenes', { scenario: 'envioAcordado' });
    await expect.poll(() => one.control('GET', '/avisos')).toMatchObject({ sent: 1, missed: 1 });
  });

  test('a storm of 5,000 notices, 30 % repeated, arrives whole', async () => {
    const { got, url } = await receiver(() => 200);
    const one = await start({ webhookUrl: () => url, timeScale: 0.001 });
    const storm = await one.control<{ avisos: number; distintos: number }>('POST', '/avisos', { count: 5_000, repeated: 0.3, shuffled: true });
    expect(storm).toMatchObject({ avisos: 5_000, distintos: 3_500 });
    await expect.poll(() => one.control('GET', '/avisos'), { timeout: 20_000, interval: 200 }).toMatchObject({ delivered: 5_000, pendientes: 0 });
    expect(new Set(got.map(({ _id }) => _id)).size).toBe(3_500);
    expect(got.some(({ user_id }) => typeof user_id === 'string')).toBe(true);
  });
});

test('tokens, new sales, changes and lost notices survive a restart; the demo keeps its anchor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ml-sandbox-'));
  try {
    const first = createStore(folder, 'mercadolibre');
    const before = await start({ anchor: undefined }, first);
    const { access_token, refresh_token } = await before.link();
    const sale = await before.control<NewSale>('POST', '/ordenes', { scenario: 'envioCobrado', precio: '321.45' });
    await before.control('POST', `/ordenes/${sale.ordenes[0]}/cancelar`, {});
    await before.control('POST', '/generar', { cantidad: 300 });
    await expect.poll(() => before.control('GET', '/avisos')).toMatchObject({ pendientes: 0 });
    const told = await before.control<Facts[]>('GET', '/ordenes');
    first.saveNow();
    expect(JSON.stringify(before.service.snapshot!()).length).toBeLessThan(6_000);

    const after = await start({ anchor: undefined }, createStore(folder, 'mercadolibre'));
    expect(await after.control<Facts[]>('GET', '/ordenes')).toEqual(told);
    expect((await fetch(`${after.url}/mercadolibre/users/me`, { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(200);
    expect((await after.token({ grant_type: 'refresh_token', refresh_token })).status).toBe(200);
    await after.link();
    expect((await after.get<{ messages: Notice[] }>(`/mercadolibre/missed_feeds?app_id=${CLIENT_ID}`)).messages.length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('fiscal documents: one PDF and one XML for each sale, of at most 1 MB', async () => {
  const { url } = ml;
  const { access_token } = await ml.link();
  const order = of('pack')[0]!;
  const send = async (number: string, ...files: [type: string, bytes: number | string][]) => {
    const form = new FormData();
    for (const [type, bytes] of files) form.append('fiscal_document', new Blob([typeof bytes === 'string' ? bytes : Buffer.alloc(bytes, 32)], { type }), type.endsWith('pdf') ? 'factura.pdf' : 'factura.xml');
    return fetch(`${url}/mercadolibre/packs/${number}/fiscal_documents`, { method: 'POST', body: form, headers: { authorization: `Bearer ${access_token}` } });
  };
  expect((await send(order.numOrden, ['text/plain', 10])).status).toBe(400);
  expect((await send(order.numOrden, ['application/pdf', 1024 * 1024 + 1])).status).toBe(400);
  expect((await send(order.numOrden, ['application/pdf', 10], ['application/pdf', 10])).status).toBe(409);
  expect((await send(order.id, ['application/pdf', 10])).status).toBe(404);
  expect((await send(of('sinPack')[0]!.id, ['application/pdf', 10])).status).toBe(200);
  const stored = await send(order.numOrden, ['application/pdf', '%PDF-1.7 año'], ['text/xml', '<cfdi/>']);
  expect(stored.status).toBe(200);
  const { ids } = (await stored.json()) as { ids: string[] };
  expect((await send(order.numOrden, ['text/xml', 10])).status).toBe(409);
  const path = `/mercadolibre/packs/${order.numOrden}/fiscal_documents`;
  expect(await ml.get(path)).toMatchObject({ fiscal_documents: [{ filename: 'factura.pdf' }, { filename: 'factura.xml' }] });
  expect(await (await ml.raw(`${path}/${ids[0]}`)).text()).toBe('%PDF-1.7 año');
  expect((await fetch(url + path, { method: 'DELETE', headers: { authorization: `Bearer ${access_token}` } })).status).toBe(200);
  expect((await ml.raw(path)).status).toBe(404);
});
