/** The impostor of Mercado Libre as these tests start it: alone, over HTTP, with the demo of one fixed day. */
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { Faults } from '../../sandbox/faults';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createMercadolibre,
  SELLER_ID,
  type MercadolibreOptions,
} from '../../sandbox/mercadolibre';
import { createServer, RequestLog } from '../../sandbox/server';
import { createStore, type DiskStore } from '../../sandbox/store';
import { atEndOfFile } from '../../support/endOfFile';

export const ANCHOR = '2026-11-20T18:20:00.000Z';
export const REDIRECT = 'http://127.0.0.1:3000/activacion';

export interface Facts {
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
export interface NewSale {
  numOrden: string;
  ordenes: string[];
  packId: string | null;
  total: number;
  productos: number;
  envio: number;
  facturable: boolean;
  rfc: string | null;
}
export interface OrderJson {
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
export interface SearchJson {
  paging: { total: number; offset: number; limit: number };
  results: OrderJson[];
}
export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  user_id: number;
  error?: string;
}

const running: { server: Server; close?: () => void | Promise<void> }[] = [];
atEndOfFile(async () => {
  for (const { server, close } of running.splice(0)) {
    server.closeAllConnections();
    await Promise.all([new Promise((resolve) => server.close(resolve)), close?.()]);
  }
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function startMl(
  options: Partial<MercadolibreOptions> = {},
  store: DiskStore = createStore(undefined, 'mercadolibre'),
) {
  const service = createMercadolibre({
    store,
    baseUrl: () => '',
    webhookUrl: () => undefined,
    appUrl: () => undefined,
    anchor: ANCHOR,
    ...options,
  });
  store.attach(service);
  const server = createServer([service], {}, new Faults(), new RequestLog());
  running.push({ server, close: service.close?.bind(service) });
  const url = await listen(server);
  let access = '';

  const control = async <T>(method: 'GET' | 'POST', path: string, body?: unknown) => {
    const response = await fetch(`${url}/control/mercadolibre${path}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    expect(response.status, `${method} ${path}`).toBe(200);
    return (await response.json()) as T;
  };
  const token = async (form: Record<string, string>) => {
    const response = await fetch(`${url}/mercadolibre/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...form }),
    });
    return { status: response.status, body: (await response.json()) as Tokens };
  };
  const code = async (extra: Record<string, string> = {}) =>
    (await control<{ code: string }>('POST', '/authorize', { client_id: CLIENT_ID, redirect_uri: REDIRECT, ...extra }))
      .code;
  const link = async () => {
    const { body } = await token({ grant_type: 'authorization_code', code: await code(), redirect_uri: REDIRECT });
    access = body.access_token;
    return body;
  };
  const raw = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { authorization: `Bearer ${access}`, ...headers } });
  const get = async <T>(path: string, headers?: Record<string, string>) => {
    const response = await raw(path, headers);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };
  const search = (query: Record<string, string | number>) =>
    get<SearchJson>(
      `/mercadolibre/orders/search?${new URLSearchParams({ seller: String(SELLER_ID), ...Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) })}`,
    );
  return {
    url,
    control,
    token,
    code,
    link,
    raw,
    get,
    search,
    service,
    order: (id: number | string) => get<OrderJson>(`/mercadolibre/orders/${id}`),
  };
}

export type Running = Awaited<ReturnType<typeof startMl>>;

export interface Notice {
  _id: string;
  resource: string;
  topic: string;
  user_id: number | string;
  application_id: number;
  attempts: number;
}

/** Where notices go: keeps them and answers the status that `answer` says, `afterMs` later. */
export async function receiver(answer: (notice: Notice) => number, afterMs = 0) {
  const got: Notice[] = [];
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const notice = JSON.parse(Buffer.concat(parts).toString('utf8')) as Notice;
      got.push(notice);
      setTimeout(() => response.writeHead(answer(notice)).end(), afterMs);
    });
  });
  running.push({ server });
  return { got, url: `${await listen(server)}/avisos` };
}
