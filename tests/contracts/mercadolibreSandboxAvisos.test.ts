/** The impostor of Mercado Libre makes sales, tells of them, and remembers them when it starts again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENT_ID, FOREIGN_ORDER_ID } from '../sandbox/mercadolibre';
import { createStore } from '../sandbox/store';
import { receiver, startMl, type Facts, type NewSale, type Notice } from './support/mercadolibre';

describe('new sales and their notifications', () => {
  test('a new sale is announced and can be read; cancelling and returning it too', async () => {
    const { got, url } = await receiver(() => 200);
    const one = await startMl({ orders: 0, webhookUrl: () => url });
    await one.link();
    await one.control('POST', '/interruptores', { avisosDobles: 0 });
    const sale = await one.control<NewSale>('POST', '/ordenes', { scenario: 'pack' });
    expect(sale.ordenes).toHaveLength(3);
    expect(sale.numOrden).toBe(sale.packId);
    await expect.poll(() => got.length).toBe(4);
    expect(new Set(got.map(({ resource }) => resource))).toEqual(
      new Set([
        ...sale.ordenes.map((id) => `/orders/${id}`),
        `/shipments/${(await one.order(sale.ordenes[0]!)).shipping.id}`,
      ]),
    );
    expect(got[0]).toMatchObject({ application_id: Number(CLIENT_ID), attempts: 1 });
    await one.control('POST', `/ordenes/${sale.ordenes[0]}/cancelar`, { code: 'mediations' });
    await one.control('POST', `/ordenes/${sale.ordenes[1]}/devolver`, {});
    await one.control('POST', `/ordenes/${sale.ordenes[2]}/actualizar`, {});
    const [cancelled, returned, moved] = await Promise.all(sale.ordenes.map((id) => one.order(id)));
    expect([cancelled!.status, cancelled!.cancel_detail?.code]).toEqual(['cancelled', 'mediations']);
    expect([returned!.status, returned!.tags.includes('unfulfilled')]).toEqual(['paid', true]);
    expect(await one.get(`/mercadolibre/shipments/${moved!.shipping.id}`, { 'x-format-new': 'true' })).toMatchObject({
      status: 'ready_to_ship',
      substatus: 'printed',
    });
    await expect.poll(() => got.length).toBe(12);
  });

  test('what a test fixes of a sale is respected', async () => {
    const one = await startMl({ orders: 0 });
    await one.link();
    const sell = (body: object) => one.control<NewSale>('POST', '/ordenes', { sinAviso: true, ...body });
    expect(await sell({ scenario: 'cantidad' })).toMatchObject({ total: 100.59, envio: 0, facturable: true });
    expect(await sell({ scenario: 'envioAdicional' })).toMatchObject({ envio: 480, total: 6370, packId: null });
    expect(await sell({ precio: '116.00', rfc: 'EKU9003173C9', envio: 99.5 })).toMatchObject({
      productos: 116,
      envio: 99.5,
      total: 215.5,
      rfc: 'EKU9003173C9',
    });
    expect(
      await sell({
        productos: [
          { precio: 10.01, cantidad: 3 },
          { precio: 5, sku: null },
        ],
      }),
    ).toMatchObject({ productos: 35.03, facturable: false });
    expect((await sell({ scenario: 'sinDatosFiscales' })).rfc).toBeNull();
    for (const scenario of ['cancelada', 'noCumplida', 'reventa', 'skuAjeno', 'sinSku'])
      expect((await sell({ scenario })).facturable, scenario).toBe(false);
    for (const scenario of ['conDatosFiscales', 'envioCobrado', 'envioPropio', 'pack'])
      expect((await sell({ scenario })).facturable, scenario).toBe(true);
    expect(
      (await fetch(`${one.url}/control/mercadolibre/ordenes`, { method: 'POST', body: '{"scenario":"nada"}' })).status,
    ).toBe(400);
    const form = await fetch(`${one.url}/control/mercadolibre/ordenes`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ scenario: 'simple' }),
    });
    expect([form.status, form.headers.get('location')]).toEqual([303, '/#mercadolibre']);
    expect(one.service.page!()).toContain((await one.control<Facts[]>('GET', '/ordenes'))[0]!.numOrden);
  });

  test('a product that does not answer 200 is tried eight times; then the notice waits in the missed feeds', async () => {
    const { got, url } = await receiver(() => 500);
    const one = await startMl({ orders: 0, webhookUrl: () => url, timeScale: 0.00001 });
    await one.link();
    await one.control('POST', '/interruptores', { avisosDobles: 0 });
    const sale = await one.control<NewSale>('POST', '/ordenes', { scenario: 'envioAcordado' });
    await expect
      .poll(() => one.control('GET', '/avisos'))
      .toMatchObject({ sent: 8, failed: 8, missed: 1, pendientes: 0 });
    expect(got.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const missed = await one.get<{ messages: Notice[] }>(
      `/mercadolibre/missed_feeds?app_id=${CLIENT_ID}&topic=orders_v2`,
    );
    // The feed is the application's: another account's notice stands in it.
    expect(missed.messages).toMatchObject([
      { resource: `/orders/${FOREIGN_ORDER_ID}`, user_id: 468123908 },
      { resource: `/orders/${sale.ordenes[0]}`, attempts: 8, response: { http_code: 500 } },
    ]);
  });

  test('a slow product counts as one that did not answer; without an address everything is missed', async () => {
    let url: string | undefined = (await receiver(() => 200, 900)).url;
    const one = await startMl({ orders: 0, webhookUrl: () => url, timeScale: 1 });
    await one.link();
    await one.control('POST', '/interruptores', { avisosDobles: 0 });
    await one.control('POST', '/ordenes', { scenario: 'envioAcordado' });
    await expect.poll(() => one.control('GET', '/avisos')).toMatchObject({ sent: 1, failed: 1, pendientes: 1 });
    url = undefined;
    await one.control('POST', '/ordenes', { scenario: 'envioAcordado' });
    await expect.poll(() => one.control('GET', '/avisos')).toMatchObject({ sent: 1, missed: 1 });
  });

  const storms = process.env.FAULTS === 'long' ? 5_000 : 500;

  test(`a storm of ${storms} notices, 30 % repeated, arrives whole`, async () => {
    const { got, url } = await receiver(() => 200);
    const one = await startMl({ webhookUrl: () => url, timeScale: 0.001 });
    const storm = await one.control<{ avisos: number; distintos: number }>('POST', '/avisos', {
      count: storms,
      repeated: 0.3,
      shuffled: true,
    });
    expect(storm).toMatchObject({ avisos: storms, distintos: storms * 0.7 });
    await expect
      .poll(() => one.control('GET', '/avisos'), { timeout: 50_000, interval: 200 })
      .toMatchObject({ delivered: storms, pendientes: 0 });
    expect(new Set(got.map(({ _id }) => _id)).size).toBe(storms * 0.7);
    expect(got.some(({ user_id }) => typeof user_id === 'string')).toBe(true);
  });
});

test('tokens, new sales, changes and lost notices survive a restart; the demo keeps its anchor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ml-sandbox-'));
  const [first, second] = [createStore(folder, 'mercadolibre'), createStore(folder, 'mercadolibre')];
  try {
    const before = await startMl({ anchor: undefined }, first);
    const { access_token, refresh_token } = await before.link();
    const sale = await before.control<NewSale>('POST', '/ordenes', { scenario: 'envioCobrado', precio: '321.45' });
    await before.control('POST', `/ordenes/${sale.ordenes[0]}/cancelar`, {});
    await before.control('POST', '/generar', { cantidad: 300 });
    await expect.poll(() => before.control('GET', '/avisos')).toMatchObject({ pendientes: 0 });
    const told = await before.control<Facts[]>('GET', '/ordenes');
    first.close();
    // What is on sale, its questions and its claims are kept whole: they are few, and people change them.
    const {
      items: _items,
      questions: _questions,
      claims: _claims,
      ...sold
    } = before.service.snapshot!() as Record<string, unknown>;
    expect(JSON.stringify(sold).length).toBeLessThan(6_000);

    const after = await startMl({ anchor: undefined }, second);
    expect(await after.control<Facts[]>('GET', '/ordenes')).toEqual(told);
    expect(
      (await fetch(`${after.url}/mercadolibre/users/me`, { headers: { authorization: `Bearer ${access_token}` } }))
        .status,
    ).toBe(200);
    expect((await after.token({ grant_type: 'refresh_token', refresh_token })).status).toBe(200);
    await after.link();
    expect(
      (await after.get<{ messages: Notice[] }>(`/mercadolibre/missed_feeds?app_id=${CLIENT_ID}`)).messages.length,
    ).toBeGreaterThan(0);
  } finally {
    first.close();
    second.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
