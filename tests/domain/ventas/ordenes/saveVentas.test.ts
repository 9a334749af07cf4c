import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { envioOf } from '~/domain/mercados/ml/internal/envio';
import { ventaOf as ventaMl } from '~/domain/mercados/ml/internal/venta';
import type { EnvioLeido, VentaLeida } from '~/domain/mercados/venta';
import { decideDireccion } from '~/domain/ventas/envios/direccion.server';
import { savePropio } from '~/domain/ventas/envios/savePropio.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { saveShipment, saveVentas } from '~/domain/ventas/ordenes/internal/saveVentas.server';
import { Order, Shipment, ShipmentCosts, type ShipmentPayments } from '~/integrations/mercadolibre/wire';
import { buildQuien } from '../../../support/builders/ordenes';
import { openTestDatabase, testDatabase } from '../../../support/db';
import pagada from '../../mercados/samples/pagada.json';
import costos from '../../mercados/samples/pagada.costos.json';
import envio from '../../mercados/samples/pagada.envio.json';

const { db } = testDatabase();
const SELLER = '468123907';
const now = new Date('2026-11-20T12:00:00Z');
const START = Date.parse('2026-11-03T10:00:00Z');

beforeEach(async () => {
  // Once the month of these sales is over, what moves their profit is kept.
  await db.deleteFrom('utilidadAjuste').execute();
  await db.deleteFrom('articulo').execute();
  await db.deleteFrom('orden').execute();
  await db.deleteFrom('envio').execute();
});

const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

function shipmentOf(
  id: number,
  minute: number,
  changes: object = {},
  hidden = false,
  costs: object | null = costos,
  payments: ShipmentPayments | null = null,
): EnvioLeido {
  const { shipping_address: address } = envio.destination;
  const raw = {
    ...envio,
    id,
    last_updated: at(minute),
    ...changes,
    destination: hidden
      ? {
          ...envio.destination,
          receiver_name: 'XXXXXXX',
          shipping_address: { ...address, street_name: 'XXXXXXX', zip_code: 'XXXXXXX' },
        }
      : envio.destination,
  };
  return envioOf(Shipment.parse(raw), raw, { costs: costs && ShipmentCosts.parse(costs), payments }, SELLER);
}

function ventaOf(
  id: number,
  minute: number,
  changes: object = {},
  shipment?: EnvioLeido,
  missing: string[] = [],
): VentaLeida {
  const raw = {
    ...pagada,
    id,
    pack_id: null,
    shipping: { id: shipment ? Number(shipment.marketId) : null },
    last_updated: at(minute),
    ...changes,
  };
  return ventaMl(Order.parse(raw), {
    raw,
    missing,
    envio: shipment ?? null,
    sinLeerEnvio: false,
    sinLeer: [],
    cargos: undefined,
    cupon: undefined,
    conocida: CONOCIDA,
    now,
  });
}

const CONOCIDA = { retencion: Money.zero, cargosEn: now, liberacion: null };
const save = (...ventas: VentaLeida[]) => db.transaction().execute((trx) => saveVentas(trx, 'ml', ventas, now));
const orden = (id: number) =>
  db.selectFrom('orden').selectAll().where('marketId', '=', String(id)).executeTakeFirstOrThrow();
const trail = async (id: string) =>
  (
    await db
      .selectFrom('bitacora')
      .select('datos')
      .where('entidad', '=', 'orden')
      .where('entidadId', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ datos }) => datos);

/** Everything that must not depend on the order things arrived in. */
async function finalRows() {
  const { rows } = await (
    await import('kysely')
  ).sql<{ row: unknown }>`
    select to_jsonb(o) - 'id' - 'envio_id' - 'creada_en' - 'version' - 'revisar_en' - 'revisiones' || jsonb_build_object('envio', e.market_id) as row
      from orden o left join envio e on e.id = o.envio_id
    union all select to_jsonb(e) - 'id' from envio e
    union all select to_jsonb(a) - 'id' - 'orden_id' || jsonb_build_object('orden', o.market_id) from articulo a join orden o on o.id = a.orden_id
    order by 1`.execute(db);
  return rows.map(({ row }) => row);
}

test('an older reading changes nothing, a repeated one writes nothing, a newer one moves the row and the trail', async () => {
  await save(ventaOf(1, 10, { status: 'payment_in_process' }));
  expect(await save(ventaOf(1, 10, { status: 'payment_in_process' }))).toEqual({ written: [], stale: [] });
  expect(await save(ventaOf(1, 20))).toEqual({ written: ['1'], stale: [] });
  expect(await save(ventaOf(1, 15, { status: 'cancelled' }))).toEqual({ written: [], stale: ['1'] });
  const row = await orden(1);
  expect(row).toMatchObject({ estatus: 'enPreparacion', marketStatus: 'paid', clase: 'normal', version: 2 });
  expect(await trail(row.id)).toEqual([
    {
      numOrden: '1',
      antes: { estatus: 'autorizandoPago', clase: 'normal' },
      despues: { estatus: 'enPreparacion', clase: 'normal' },
    },
  ]);
});

test('a touch that changes neither state nor class leaves no line in the trail', async () => {
  await save(ventaOf(2, 10));
  await save(ventaOf(2, 20, { comments: 'algo' }));
  expect(await trail((await orden(2)).id)).toEqual([]);
});

test('a partial answer leaves the blocks it could not tell as they were, and asks to be read again', async () => {
  await save(ventaOf(3, 10, {}, shipmentOf(300, 10)));
  const before = await orden(3);
  await save(ventaOf(3, 20, { buyer: {}, shipping: {}, tags: ['paid', 'catalog'] }, undefined, ['buyer', 'shipping']));
  const after = await orden(3);
  expect(after).toMatchObject({
    comprador: before.comprador,
    compradorId: before.compradorId,
    billingInfoId: before.billingInfoId,
    envioId: before.envioId,
    tags: ['paid', 'catalog'],
  });
  expect(after.datos).toMatchObject({ buyer: pagada.buyer, shipping: { id: 300 } });
  expect(Math.abs(after.revisarEn!.getTime() - Date.now() - 60_000)).toBeLessThan(30_000);
});

test('hidden addresses never cover a good one; a newer good one does', async () => {
  const address = () =>
    db
      .selectFrom('envio')
      .select(['calle', 'cp', 'nombreReceptor', 'estatus'])
      .where('marketId', '=', '400')
      .executeTakeFirstOrThrow();
  await save(ventaOf(4, 10, {}, shipmentOf(400, 10, {}, true)));
  expect(await address()).toMatchObject({ calle: null, cp: null });
  await save(ventaOf(4, 20, {}, shipmentOf(400, 20)));
  await save(ventaOf(4, 30, {}, shipmentOf(400, 30, { status: 'delivered' }, true)));
  expect(await address()).toEqual({
    calle: 'Calle Ejemplo',
    cp: '44100',
    nombreReceptor: 'María Demo',
    estatus: 'delivered',
  });
});

test('parts that a later reading does not tell stay while the street does, and go with another street', async () => {
  const told = (minute: number, changes: Partial<EnvioLeido> = {}): EnvioLeido => ({
    ...shipmentOf(410, minute),
    numeroE: null,
    colonia: null,
    ...changes,
  });
  const parts = () =>
    db
      .selectFrom('envio')
      .select(['calle', 'numeroE', 'colonia'])
      .where('marketId', '=', '410')
      .executeTakeFirstOrThrow();
  await save(ventaOf(41, 10, {}, told(10, { numeroE: '7', colonia: 'Centro' })));
  await save(ventaOf(41, 20, {}, told(20)));
  expect(await parts()).toEqual({ calle: 'Calle Ejemplo', numeroE: '7', colonia: 'Centro' });
  await save(ventaOf(41, 30, {}, told(30, { calle: 'Otra calle' })));
  expect(await parts()).toEqual({ calle: 'Otra calle', numeroE: null, colonia: null });
});

describe('an address that a person wrote', () => {
  const told = (minute: number, changes: Partial<EnvioLeido> = {}): EnvioLeido => ({
    ...shipmentOf(420, minute),
    propio: true,
    modo: 'custom',
    estatus: 'ready_to_ship',
    subestatus: null,
    guia: null,
    ...changes,
  });
  const tell = (minute: number, changes: Partial<EnvioLeido> = {}) =>
    save(ventaOf(42, minute, {}, told(minute, changes)));
  const read = async () => (await readOrden(db, (await orden(42)).id))!;
  const write = async (changes: Parameters<typeof savePropio>[2]) => {
    const { id, envio } = await read();
    await db
      .transaction()
      .execute((trx) => savePropio(trx, { orden: id, huella: envio!.huella }, changes, { usuarioId: quien.id }));
  };
  const decide = async (decision: 'tomar' | 'dejar', seen?: Awaited<ReturnType<typeof read>>) => {
    const { id, envio } = seen ?? (await read());
    const form = { orden: id, huella: envio!.huella, ajena: envio!.ajena!.huella, decision };
    await db.transaction().execute((trx) => decideDireccion(trx, form, quien.id));
  };
  let quien: Awaited<ReturnType<typeof buildQuien>>;
  beforeAll(async () => {
    quien = await buildQuien(db);
  });
  beforeEach(async () => {
    await tell(10);
    await write({ calle: 'Orizaba', numeroE: '9', telefono: '3312345678' });
  });

  test('stands against later readings, and what the marketplace told before is nothing new', async () => {
    await tell(20);
    await tell(30, { numeroE: null });
    const { envio } = await read();
    expect(envio).toMatchObject({ calle: 'Orizaba', numeroE: '9', telefono: '3312345678', ajena: null });
  });

  test('stands when the marketplace moves its own, which is shown until a person takes it', async () => {
    await tell(30, { calle: 'Otra calle', cp: '44200', numeroE: null });
    // A reading that is older than the one that moved tells nothing.
    await tell(20, { calle: 'Vieja' });
    const seen = await read();
    expect(seen.envio).toMatchObject({
      calle: 'Orizaba',
      cp: '44100',
      ajena: { direccion: { calle: 'Otra calle', cp: '44200', numeroE: null } },
    });
    await write({ referencia: 'Portón' });
    expect((await read()).envio!.ajena).toEqual(seen.envio!.ajena);
    await expect(decide('tomar', seen)).rejects.toThrow(Stale);

    await decide('tomar');
    const after = (await read()).envio!;
    expect(after).toMatchObject({ calle: 'Otra calle', cp: '44200', numeroE: null, ajena: null });
    expect(after.referencia).not.toBe('Portón');
    expect(after.telefono).toBe('3312345678');
    // The marketplace's own address stands again, and follows it.
    await tell(40, { calle: 'Tercera', cp: '44300' });
    expect((await read()).envio).toMatchObject({ calle: 'Tercera', cp: '44300', ajena: null });
  });

  test('stands after a person left it, until the marketplace moves again', async () => {
    await tell(20, { calle: 'Otra calle' });
    await decide('dejar');
    await tell(30, { calle: 'Otra calle' });
    expect((await read()).envio).toMatchObject({ calle: 'Orizaba', ajena: null });
    await tell(40, { calle: 'Tercera' });
    const seen = await read();
    await tell(50, { calle: 'Cuarta' });
    await expect(decide('dejar', seen)).rejects.toThrow(Stale);
    expect((await read()).envio!.ajena!.direccion.calle).toBe('Cuarta');
  });

  test('is no longer in question when the marketplace comes to say the same', async () => {
    await tell(20, { calle: 'Otra calle' });
    await tell(30, { calle: 'ORIZABA', numeroE: '9', telefono: null });
    expect((await read()).envio).toMatchObject({ calle: 'Orizaba', ajena: null });
  });
});

test('a shipment that moves takes every order of its cart along', async () => {
  await save(...[51, 52, 53].map((id) => ventaOf(id, 10, { pack_id: 5 }, shipmentOf(500, 10))));
  await db
    .transaction()
    .execute((trx) => saveShipment(trx, 'ml', shipmentOf(500, 20, { status: 'shipped', substatus: null })));
  expect(
    (await db.selectFrom('orden').select('estatus').where('numOrden', '=', '5').execute()).map(
      ({ estatus }) => estatus,
    ),
  ).toEqual(['enviado', 'enviado', 'enviado']);
  await save(ventaOf(51, 30, { pack_id: 5 }, shipmentOf(500, 30, { status: 'delivered', substatus: null })));
  const rows = await db.selectFrom('orden').select(['id', 'estatus']).where('numOrden', '=', '5').execute();
  expect(rows.map(({ estatus }) => estatus)).toEqual(['entregado', 'entregado', 'entregado']);
  expect(await trail(rows[0]!.id)).toHaveLength(2);
  expect(await db.transaction().execute((trx) => saveShipment(trx, 'ml', shipmentOf(599, 20)))).toBe(0);
});

const cobrado = async (id: number) =>
  texts(
    await db
      .selectFrom('envio')
      .select(['cobrado', 'costo', 'costoComprador'])
      .where('marketId', '=', String(id))
      .executeTakeFirstOrThrow(),
  );
const pagados = async (...ids: number[]) =>
  (await Promise.all(ids.map(orden))).map(({ pagado, pagadoAbs }) => [pagado.toString(), pagadoAbs.toString()]);
const texts = (row: object) => JSON.parse(JSON.stringify(row)) as Record<string, unknown>;

test('shipping charged is what payments tell; the costs of the shipment are a hint beside it', async () => {
  const [payment] = pagada.payments;
  const paid = { payments: [{ ...payment, shipping_cost: 115 }] };
  await save(ventaOf(6, 10, paid, shipmentOf(600, 10, {}, false, null)));
  expect(await cobrado(600)).toEqual({ cobrado: '115.00', costo: null, costoComprador: null });
  const told = { receiver: { cost: 99 }, senders: [{ user_id: 468123907, cost: 76.5 }] };
  await save(ventaOf(6, 10, paid, shipmentOf(600, 10, {}, false, told)));
  expect(await cobrado(600)).toEqual({ cobrado: '115.00', costo: '76.50', costoComprador: '99.00' });
});

const CARRITO = 8000;
const pagoDeCarrito = (status: string, payment_id = '77'): ShipmentPayments => [
  { payment_id, amount: Money.of('115.00'), status },
];
/** A cart of two whose shipment was paid apart. */
const deCarrito = (id: number, minute: number, changes: object = {}, payments: ShipmentPayments | null = null) =>
  ventaOf(id, minute, { pack_id: CARRITO, ...changes }, shipmentOf(800, minute, {}, false, null, payments));

test('the shipping of a cart is paid at its shipment, and told once whoever arrives first', async () => {
  await save(deCarrito(8002, 10, {}, pagoDeCarrito('approved')));
  expect(await pagados(8002)).toEqual([['1413.00', '1413.00']]);
  await save(deCarrito(8001, 11));
  expect(await pagados(8001, 8002)).toEqual([
    ['1413.00', '1413.00'],
    ['1298.00', '1298.00'],
  ]);
  expect(await cobrado(800)).toMatchObject({ cobrado: '115.00' });
  // Read again without the payments of its shipment, and with other news: what was told stays.
  expect((await save(deCarrito(8001, 11))).written).toEqual([]);
  await save(deCarrito(8001, 12, { tags: ['paid'] }));
  expect(await pagados(8001, 8002)).toEqual([
    ['1413.00', '1413.00'],
    ['1298.00', '1298.00'],
  ]);
});

test('when the one that carries it is cancelled the other does; when none stands, it is part of what had been paid', async () => {
  const cancelled = { status: 'cancelled', payments: [{ ...pagada.payments[0], status: 'refunded' }] };
  await save(deCarrito(8001, 10, {}, pagoDeCarrito('approved')), deCarrito(8002, 10));
  await save(deCarrito(8001, 20, cancelled));
  expect(await pagados(8001, 8002)).toEqual([
    ['0.00', '1298.00'],
    ['1413.00', '1413.00'],
  ]);
  await save(deCarrito(8002, 30, cancelled, pagoDeCarrito('refunded')));
  expect(await pagados(8001, 8002)).toEqual([
    ['0.00', '1413.00'],
    ['0.00', '1298.00'],
  ]);
});

test('one payment told by the order and by its shipment counts once; a refused one never', async () => {
  const [payment] = pagada.payments;
  await save(deCarrito(8001, 10, { payments: [{ ...payment, shipping_cost: 115 }] }, pagoDeCarrito('approved')));
  expect(await pagados(8001)).toEqual([['1413.00', '1413.00']]);
  expect(await cobrado(800)).toMatchObject({ cobrado: '115.00' });
  await save(deCarrito(8003, 10, { shipping: { id: 801 }, pack_id: 8001 }));
  await save(ventaOf(8004, 10, { pack_id: 8009 }, shipmentOf(809, 10, {}, false, null, pagoDeCarrito('rejected'))));
  expect(await pagados(8004)).toEqual([['1298.00', '1298.00']]);
  expect(await cobrado(809)).toMatchObject({ cobrado: '0.00' });
});

test('until the shipment of a cart tells its payments, what was charged is unknown and not 0', async () => {
  await save(deCarrito(8001, 10));
  expect(await cobrado(800)).toMatchObject({ cobrado: null });
  await save(deCarrito(8001, 10, {}, []));
  expect(await cobrado(800)).toMatchObject({ cobrado: '0.00' });
});

test('a paid order that comes without its payments keeps those that were known, and is looked at again', async () => {
  await save(ventaOf(9, 10));
  const sin = ventaOf(9, 20, { payments: [], paid_amount: 7 }, undefined, ['payments']);
  await save(sin);
  expect(await pagados(9)).toEqual([['1298.00', '1298.00']]);
  expect(await orden(9)).toMatchObject({ formaPago: '04' });
  expect((await orden(9)).revisarEn).not.toBeNull();
  await save(ventaOf(10, 20, { payments: [], paid_amount: 7 }, undefined, ['payments']));
  expect(await pagados(10)).toEqual([['7.00', '7.00']]);
});

test('charges of a sale that was given back are what is left of them; without any reading what was known stays', async () => {
  const cargos = { retencion: Money.of('117.49'), comision: null, cupon: Money.zero, liberacion: null, leidosEn: now };
  await save({ ...ventaOf(11, 10), cargos });
  expect(texts(await orden(11))).toMatchObject({ retencion: '117.49', comision: '181.72' });
  const refunded = { status: 'cancelled', payments: [{ ...pagada.payments[0], status: 'refunded' }] };
  await save(ventaOf(11, 20, refunded));
  expect(texts(await orden(11))).toMatchObject({ retencion: '117.49', comision: '181.72' });
  await save({
    ...ventaOf(11, 20, refunded),
    cargos: { ...cargos, retencion: Money.zero, comision: Money.of('12.50') },
  });
  expect(texts(await orden(11))).toMatchObject({ retencion: '0.00', comision: '12.50' });
  await save(ventaOf(11, 30, refunded));
  expect(texts(await orden(11))).toMatchObject({ retencion: '0.00', comision: '12.50' });
});

test('an orden whose articulos shrink keeps only those that are left', async () => {
  const [item] = pagada.order_items;
  await save(ventaOf(7, 10, { order_items: [item, item, item] }));
  await save(ventaOf(7, 20));
  expect(
    await db
      .selectFrom('articulo')
      .select('posicion')
      .where('ordenId', '=', (await orden(7)).id)
      .execute(),
  ).toEqual([{ posicion: 0 }]);
});

/** Lives of sales as the marketplace would tell them, one reading per event. */
function lives(count: number): VentaLeida[] {
  const stages: [string, object, string, string | null, boolean][] = [
    [
      'payment_in_process',
      { payments: [{ ...pagada.payments[0], status: 'pending' }] },
      'pending',
      'waiting_for_payment',
      true,
    ],
    ['paid', {}, 'handling', null, true],
    ['paid', {}, 'ready_to_ship', 'ready_to_print', false],
    ['paid', {}, 'ready_to_ship', 'picked_up', false],
    ['paid', {}, 'shipped', null, false],
    ['paid', {}, 'delivered', null, true],
  ];
  return Array.from({ length: count }, (_, n) => {
    const [id, cart] = [10_000 + n, 7_000 + Math.floor(n / 3)];
    const events = stages.map(([status, changes, shipping, substatus, hidden], step) =>
      ventaOf(
        id,
        step * 60 + (n % 7),
        { status, pack_id: cart, ...changes },
        shipmentOf(
          cart,
          step * 60,
          { status: shipping, substatus },
          hidden,
          costos,
          pagoDeCarrito(step === 0 ? 'pending' : 'approved'),
        ),
      ),
    );
    if (n % 4 === 0)
      events.push(
        ventaOf(
          id,
          500,
          { status: 'cancelled', payments: [{ ...pagada.payments[0], status: 'refunded' }], pack_id: cart },
          shipmentOf(cart, 300, { status: 'delivered', substatus: null }, true),
        ),
      );
    return events;
  }).flat();
}

function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  let seed = 20261120;
  for (let n = copy.length - 1; n > 0; n--) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const other = seed % (n + 1);
    [copy[n], copy[other]] = [copy[other]!, copy[n]!];
  }
  return copy;
}

const EVENTS = process.env.FAULTS === 'long' ? 5_000 : 600;

test(
  `${EVENTS.toLocaleString('en')} events, 30 % repeated and all shuffled over four writers, end in the rows they would end in by order`,
  { timeout: process.env.FAULTS === 'long' ? 600_000 : 120_000 },
  async () => {
    const distinct = lives(EVENTS / 8).slice(0, EVENTS * 0.7);
    for (let n = 0; n < distinct.length; n += 100) await save(...distinct.slice(n, n + 100));
    const expected = await finalRows();
    await db.deleteFrom('articulo').execute();
    await db.deleteFrom('orden').execute();
    await db.deleteFrom('envio').execute();

    const events = shuffled([...distinct, ...shuffled(distinct).slice(0, EVENTS * 0.3)]);
    expect(events).toHaveLength(EVENTS);
    const writers = Array.from({ length: 4 }, () => openTestDatabase(undefined, { max: 1 }).db);
    const queue = [...events];
    await Promise.all(
      writers.map(async (writer, lane) => {
        for (let event = queue.pop(); event; event = queue.pop()) {
          // One of the lanes writes pages, as a sweep does beside the webhooks.
          const page = lane === 0 ? [event, ...queue.splice(-20)] : [event];
          await writer.transaction().execute((trx) => saveVentas(trx, 'ml', page, now));
        }
      }),
    );
    expect(await finalRows()).toEqual(expected);
  },
);
