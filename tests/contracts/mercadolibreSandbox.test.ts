/** The impostor of Mercado Libre keeps the rules of the real one for sales, searches, shipments and documents. Everything over HTTP, as the product sees it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { SCENARIOS, SELLER_ID } from '../sandbox/mercadolibre';
import { ANCHOR, startMl, type Facts, type NewSale, type Running } from './support/mercadolibre';

let ml: Running;
let facts: Facts[];
beforeAll(async () => {
  ml = await startMl();
  await ml.link();
  facts = await ml.control<Facts[]>('GET', '/ordenes');
});
const of = (scenario: string) => facts.filter((order) => order.scenario === scenario);

const cents = (pesos: number) => Math.round(pesos * 100);

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
    expect(new Set(facts.flatMap(({ pagos }) => pagos.map(({ tipo }) => tipo)))).toEqual(
      new Set(['credit_card', 'debit_card', 'account_money', 'ticket', 'bank_transfer']),
    );
  });

  test('two sandboxes with the same anchor and seed are the same, to the letter; another seed is another', async () => {
    const read = async (one: Running) => {
      await one.link();
      const ids = (await one.control<Facts[]>('GET', '/ordenes')).slice(0, 60);
      const paths = ids.flatMap(({ id, envioId }) => [
        `/mercadolibre/orders/${id}`,
        ...(envioId ? [`/mercadolibre/shipments/${envioId}`] : []),
      ]);
      return Promise.all(paths.map(async (path) => (await one.raw(path)).text()));
    };
    const [a, b, c] = await Promise.all(
      [startMl(), startMl(), startMl({ seed: 'otra' })].map(async (one) => read(await one)),
    );
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  test('a pack lists its orders, shares one shipment, and they add up to what was charged', async () => {
    for (const name of ['pack', 'packEnvioCobrado']) {
      const numbers = [...new Set(of(name).map(({ numOrden }) => numOrden))];
      for (const number of numbers) {
        const pack = await ml.get<{
          orders: { id: number }[];
          shipment: { id: number };
          date_created: string;
          status: string;
        }>(`/mercadolibre/packs/${number}`);
        expect(pack.orders).toHaveLength(3);
        expect(pack.date_created).toMatch(/-0400$/);
        const orders = await Promise.all(pack.orders.map(({ id }) => ml.order(id)));
        expect(new Set(orders.map(({ shipping }) => shipping.id))).toEqual(new Set([pack.shipment.id]));
        const costs = await ml.get<{ receiver: { cost: number } }>(`/mercadolibre/shipments/${pack.shipment.id}/costs`);
        const payments = await ml.get<{ amount: number | string; status: string }[]>(
          `/mercadolibre/shipments/${pack.shipment.id}/payments`,
        );
        const shipping = payments.reduce((total, { amount }) => total + cents(Number(amount)), 0);
        const paid = orders.reduce((total, order) => total + cents(order.paid_amount), 0);
        const products = orders.reduce(
          (total, order) =>
            total + order.order_items.reduce((sum, line) => sum + cents(line.unit_price!) * line.quantity, 0),
          0,
        );
        expect(products).toBe(orders.reduce((total, order) => total + cents(order.total_amount), 0));
        expect(orders.flatMap((order) => order.payments.map(({ shipping_cost }) => shipping_cost))).toEqual([0, 0, 0]);
        expect(paid).toBe(products);
        expect(shipping).toBe(cents(of(name).find(({ numOrden }) => numOrden === number)!.envio));
        // The receiver's cost may be that of another sender too.
        expect(cents(costs.receiver.cost)).toBeGreaterThanOrEqual(shipping);
        expect(costs.receiver.cost > 0).toBe(name === 'packEnvioCobrado');
        expect(
          (await ml.get<{ order_id: number }[]>(`/mercadolibre/shipments/${pack.shipment.id}/items`)).map(
            ({ order_id }) => order_id,
          ),
        ).toEqual(orders.map(({ id }) => id));
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
    expect(agreed.payments).toMatchObject([
      { operation_type: 'regular_payment' },
      { operation_type: 'payment_addition', status: 'approved', transaction_amount: 480 },
    ]);
    const charges = await Promise.all(of('envioCobrado').map(({ id }) => ml.order(id)));
    const charged = charges.find(({ payments }) => payments[0]!.shipping_cost > 0)!;
    expect(charges.some(({ payments }) => payments[0]!.shipping_cost === 0)).toBe(true);
    expect(cents(charged.paid_amount)).toBe(cents(charged.total_amount) + cents(charged.payments[0]!.shipping_cost));
  });

  test('what ended badly says so in the words of Mercado Libre', async () => {
    const codes = {
      cancelada: 'buyer_cancel_express',
      canceladaMediacion: 'mediations',
      canceladaNoEntregada: 'shipment_not_delivered',
      canceladaNoDespachada: 'undispatched_order',
      packDividido: 'pack_splitted',
    };
    for (const [name, code] of Object.entries(codes)) {
      const order = await ml.order(of(name)[0]!.id);
      expect([order.status, order.cancel_detail?.code, order.paid_amount, order.payments[0]!.status], name).toEqual([
        'cancelled',
        code,
        0,
        'refunded',
      ]);
    }
    const unfulfilled = await ml.order(of('noCumplida')[0]!.id);
    expect([unfulfilled.status, unfulfilled.tags.includes('unfulfilled'), unfulfilled.payments[0]!.status]).toEqual([
      'paid',
      true,
      'approved',
    ]);
    expect((await ml.order(of('noCumplidaReembolsada')[0]!.id)).payments[0]!.status).toBe('refunded');
    expect((await ml.order(of('reventa')[0]!.id)).static_tags).toEqual(['meli_resale']);
    expect((await ml.order(of('noConcretada')[0]!.id)).status).toBe('confirmed');
    expect((await ml.order(of('reembolsoParcial')[0]!.id)).status).toBe('partially_refunded');
  });

  test('tax data: right, generic, with holes, absent; the old address of them is gone', async () => {
    interface Billing {
      buyer: {
        billing_info: {
          name: string | null;
          identification: { number: string };
          address: { zip_code: string | null };
          taxes: { taxpayer_type: { id: string | null } };
        };
      };
    }
    const billing = async (name: string) => {
      const order = await ml.order(of(name)[0]!.id);
      return (await ml.get<Billing>(`/mercadolibre/orders/billing-info/MLM/${order.buyer.billing_info!.id}`)).buyer
        .billing_info;
    };
    expect((await billing('conDatosFiscales')).identification.number).toBe(of('conDatosFiscales')[0]!.rfc);
    expect((await billing('datosGenericos')).identification.number).toBe('XAXX010101000');
    expect((await billing('datosConNulos')).taxes.taxpayer_type.id).toBeNull();
    expect((await billing('datosConRegimenSocietario')).name).toMatch(/S\.?A\.? de C\.?V\.?$|S DE RL DE CV$/i);
    const without = await ml.order(of('sinDatosFiscales')[0]!.id);
    expect(without.buyer.billing_info).toBeUndefined();
    expect((await ml.raw(`/mercadolibre/orders/${without.id}/billing_info`)).status).toBe(404);
  });

  test('payments: net = amount + shipping − refunds − charges of the seller, for every payment of every order', async () => {
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
        const taken = charges.reduce(
          (total, { amounts }) => total + cents(amounts.original) - cents(amounts.refunded),
          0,
        );
        const credited = ['approved', 'refunded'].includes(detail.status);
        expect(cents(detail.transaction_details.net_received_amount), `${scenario} ${pago.id}`).toBe(
          credited
            ? cents(detail.transaction_amount) -
                cents(detail.transaction_amount_refunded) +
                (detail.status === 'refunded'
                  ? 0
                  : cents(order.payments.find(({ id: one }) => String(one) === pago.id)!.shipping_cost)) -
                taken
            : 0,
        );
        fees.push(...charges.filter(({ name }) => name === 'meli_fee').map(({ amounts }) => cents(amounts.original)));
        checked++;
      }
      if (fees.length > 0)
        expect(
          fees.reduce((a, b) => a + b, 0),
          scenario,
        ).toBe(cents(order.order_items[0]!.sale_fee!) * order.order_items[0]!.quantity);
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
    const updated = Date.parse(order.date_last_updated);
    const hour = Math.floor(updated / 3_600_000) * 3_600_000;
    const iso = (ms: number) => new Date(ms).toISOString();
    const found = async (query: Record<string, string>) =>
      (await ml.search({ ...query, q: String(order.id) })).paging.total;
    expect(await found({ 'order.date_last_updated.from': iso(hour + 3_599_000) })).toBe(1);
    expect(await found({ 'order.date_last_updated.from': iso(hour + 3_600_000) })).toBe(0);
    expect(await found({ 'order.date_last_updated.to': iso(hour + 3_599_000) })).toBe(updated === hour ? 1 : 0);
    expect(await found({ 'order.date_last_updated.to': iso(hour + 3_600_000) })).toBe(1);
    expect(await found({ 'order.last_updated.from': iso(hour + 86_400_000) })).toBe(1);
    expect(
      (
        await ml.raw(
          `/mercadolibre/orders/search?seller=${SELLER_ID}&order.date_created.from=2026-11-01T00:00:00.000+00:00`,
        )
      ).status,
    ).toBe(400);
  });

  test('rows are not orders: a date of change of their own, no static_tags; the cancelled pass may lie', async () => {
    const one = await startMl();
    await one.link();
    const rows = (await one.search({ limit: 50 })).results;
    const orders = await Promise.all(rows.map(({ id }) => one.order(id)));
    expect(rows.every(({ static_tags }) => static_tags === undefined)).toBe(true);
    expect(orders.every((order) => !('date_last_updated' in order))).toBe(true);
    expect(rows.every((row) => Date.parse(row.date_last_updated) > 0)).toBe(true);
    // Some rows tell the order's own date beside theirs, hours apart, and some orders tell none.
    expect(new Set(rows.map((row) => 'last_updated' in row))).toEqual(new Set([true, false]));
    expect(orders.filter((order) => !('last_updated' in order)).length).toBeGreaterThan(0);
    const late = (n: number) => Date.parse(rows[n]!.date_last_updated) - Date.parse(orders[n]!.last_updated);
    expect(Math.max(...orders.map((_, n) => late(n) || 0))).toBeGreaterThan(3_600_000);
    const honest = (await one.search({ 'order.status': 'cancelled' })).paging.total;
    await one.control('POST', '/interruptores', { canceladasFalsas: 7 });
    const { results, paging } = await one.search({ 'order.status': 'cancelled' });
    expect(paging.total).toBe(honest + 7);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    const read = await Promise.all(results.map(({ id }) => one.order(id)));
    expect(read.filter(({ status }) => status === 'paid')).toHaveLength(7);
  });

  test('answers each page of 10,000 orders within a second', async () => {
    const one = await startMl({ orders: 10_000 });
    await one.link();
    await one.search({ offset: 0 });
    const times: number[] = [];
    for (let offset = 0; offset < 2_000; offset += 50) {
      const begun = performance.now();
      expect(
        (await one.search({ offset, 'order.date_last_updated.from': '2026-07-01T00:00:00Z' })).results,
      ).toHaveLength(50);
      times.push(performance.now() - begun);
    }
    expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(1_000);
  });
});

describe('shipments', () => {
  test('old and new format by header, list or object by header', async () => {
    const { id, envioId } = of('simple')[0]!;
    const modern = await ml.get<{ logistic: { mode: string }; destination: { receiver_phone: string | null } }>(
      `/mercadolibre/shipments/${envioId}`,
      { 'x-format-new': 'true' },
    );
    expect([modern.logistic.mode, modern.destination.receiver_phone]).toEqual(['me2', null]);
    expect(await ml.get(`/mercadolibre/shipments/${envioId}`)).toMatchObject({
      mode: 'me2',
      order_id: Number(id),
      status_history: {},
    });
    expect(await ml.get(`/mercadolibre/orders/${id}/shipments`, { 'x-new-domain': 'true' })).toMatchObject([
      { id: Number(envioId), type: 'forward' },
    ]);
    expect(
      (await ml.raw(`/mercadolibre/orders/${of('envioAcordado')[0]!.id}/shipments`, { 'x-new-domain': 'true' })).status,
    ).toBe(204);
    for (const part of ['items', 'costs', 'carrier', 'history', 'lead_time', 'payments'])
      await ml.get(`/mercadolibre/shipments/${envioId}/${part}`);
    const own = of('envioPropio')[0]!.envioId;
    expect(
      (
        await ml.get<{ destination: { receiver_phone: string } }>(`/mercadolibre/shipments/${own}`, {
          'x-format-new': 'true',
        })
      ).destination.receiver_phone,
    ).toMatch(/^55\d{8}$/);
  });

  test('a young sale has no shipment yet; a read may be partial', async () => {
    const one = await startMl({ orders: 0 });
    await one.link();
    await one.control('POST', '/interruptores', { segundosSinEnvio: 60, ordenesParciales: 1 });
    const sale = await one.control<NewSale>('POST', '/ordenes', { scenario: 'simple', sinAviso: true });
    const partial = await one.raw(`/mercadolibre/orders/${sale.ordenes[0]}`);
    expect([partial.status, partial.headers.get('x-content-missing')]).toEqual([206, 'buyer,shipping']);
    expect((await one.order(sale.ordenes[0]!)).shipping.id).toBeNull();
    expect(
      (await one.raw(`/mercadolibre/orders/${sale.ordenes[0]}/shipments`, { 'x-new-domain': 'true' })).status,
    ).toBe(204);
    await one.control('POST', '/interruptores', { segundosSinEnvio: 0 });
    expect((await one.order(sale.ordenes[0]!)).shipping.id).toEqual(expect.any(Number));
  });
});

test('fiscal documents: one PDF and one XML for each sale, of at most 1 MB', async () => {
  const { url } = ml;
  const { access_token } = await ml.link();
  const order = of('pack')[0]!;
  const send = async (number: string, ...files: [type: string, bytes: number | string][]) => {
    const form = new FormData();
    for (const [type, bytes] of files)
      form.append(
        'fiscal_document',
        new Blob([typeof bytes === 'string' ? bytes : Buffer.alloc(bytes, 32)], { type }),
        type.endsWith('pdf') ? 'factura.pdf' : 'factura.xml',
      );
    return fetch(`${url}/mercadolibre/packs/${number}/fiscal_documents`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${access_token}` },
    });
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
  expect(await ml.get(path)).toMatchObject({
    fiscal_documents: [{ filename: 'factura.pdf' }, { filename: 'factura.xml' }],
  });
  expect(await (await ml.raw(`${path}/${ids[0]}`)).text()).toBe('%PDF-1.7 año');
  expect(
    (await fetch(url + path, { method: 'DELETE', headers: { authorization: `Bearer ${access_token}` } })).status,
  ).toBe(200);
  expect((await ml.raw(path)).status).toBe(404);
});

test('tracking of a seller’s own package: every field the vendor asks for is asked for, and a package that ended does not move', async () => {
  const { access_token } = await ml.link();
  const { ordenes } = await ml.control<NewSale>('POST', '/ordenes', { scenario: 'envioPropio', sinAviso: true });
  const { shipping } = await ml.order(Number(ordenes[0]));
  const path = `/mercadolibre/shipments/${shipping.id}`;
  const send = async (method: 'POST' | 'PUT', where: string, body: object) =>
    (
      await fetch(ml.url + where, {
        method,
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      })
    ).status;
  const notice = {
    payload: { service_id: 231876, comment: 'x', date: '2026-11-04T12:15:00.000-06:00' },
    tracking_number: '1',
    tracking_url: 'https://carrier.example/1',
    status: 'shipped',
    substatus: 'null',
  };
  const tell = (changes: object) => send('POST', `${path}/seller_notifications`, { ...notice, ...changes });
  for (const wrong of [
    { substatus: undefined },
    { tracking_url: undefined },
    { tracking_number: undefined },
    { status: 'ready_to_ship' },
    { substatus: 'returning_to_sender' },
    { payload: { ...notice.payload, service_id: undefined } },
    { payload: { ...notice.payload, date: 'ayer' } },
  ]) {
    expect(await tell(wrong), JSON.stringify(wrong)).toBe(400);
  }
  expect(await send('PUT', path, { status: 'shipped', receiver_id: 1 })).toBe(400);
  expect(await send('POST', path, {})).toBe(405);
  expect(await send('POST', '/mercadolibre/shipments/45110000001/seller_notifications', notice)).toBe(404);
  expect([
    await tell({ substatus: null }),
    await tell({ substatus: 'out_for_delivery' }),
    await tell({ status: 'delivered' }),
    await tell({}),
  ]).toEqual([201, 201, 201, 400]);
  expect(await ml.get(path)).toMatchObject({ status: 'delivered', tracking_number: '1' });
});
