/** Tracking of packages of our own: what the client says is what the marketplace takes, and what it refuses comes back in its own words. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { zplIn } from '~/integrations/mercadolibre/zpl.server';
import { testDatabase } from '../support/db';
import { linkSandbox, type OrderFacts, type SaleFacts } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const ml = () =>
  effectRuntime(db)
    .clients(() => undefined)
    .ml();
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeAll(async () => void (await linkSandbox(db, sandbox)), 60_000);
beforeEach(() => sandbox.clear());

async function sell(scenario: string) {
  const { ordenes } = await sandbox.mercadolibre.newOrden<SaleFacts>(scenario, { sinAviso: true });
  const { envioId } = await sandbox.mercadolibre.get<OrderFacts>(`/ordenes/${ordenes[0]}`);
  return envioId!;
}
const at = (id: string) => sandbox.mercadolibre.get<{ receptor: string; dicho: object[] }>(`/envios/${id}`);
const dicho = async (id: string) => (await at(id)).dicho;
const RASTREO = { guia: '794600000001', url: 'https://www.fedex.com/fedextrack/?trknbr=794600000001' };
const aviso = {
  estado: 'shipped' as const,
  comentario: 'Entregado a FedEx',
  fecha: new Date('2026-11-04T18:15:00Z'),
  rastreo: RASTREO,
};

test('ME1: number and page travel together, and the shipment shows them', async () => {
  const id = await sell('envioPropio');
  expect(await ml().shipment(id)).toEqual({ estatus: 'ready_to_ship', guia: null });
  expect(await ml().notifyShipment(id, aviso)).toBe(201);
  expect(await ml().shipment(id)).toEqual({ estatus: 'shipped', guia: RASTREO.guia });
  expect(await ml().notifyShipment(id, { ...aviso, estado: 'delivered', rastreo: null })).toBe(201);
  expect(await dicho(id)).toEqual([
    { status: 'shipped', ...RASTREO },
    { status: 'delivered', guia: null, url: null },
  ]);
  const refused = (await failureOf(ml().notifyShipment(id, aviso))) as Refused;
  expect(refused).toBeInstanceOf(Refused);
  expect(refused.details).toMatchObject({
    status: 400,
    code: 'bad_request',
    detail: 'The shipment cannot change from delivered to shipped',
  });
});

test('the seller’s own table: the number and who receives it', async () => {
  const id = await sell('envioPersonalizado');
  expect(await failureOf(ml().updateShipment(id, { estado: 'shipped', guia: '1', receptorId: null }))).toMatchObject({
    details: { detail: 'receiver_id is required' },
  });
  expect(await failureOf(ml().updateShipment(id, { estado: 'shipped', guia: '1', receptorId: '1' }))).toMatchObject({
    details: { detail: 'receiver_id is invalid' },
  });
  expect(await failureOf(ml().notifyShipment(id, aviso))).toMatchObject({
    details: { detail: 'The shipment mode custom does not allow this operation' },
  });
  const { receptor: receptorId } = await at(id);
  expect(await ml().updateShipment(id, { estado: 'shipped', guia: '794600000002', receptorId })).toBe(200);
  expect(await ml().shipment(id)).toEqual({ estatus: 'shipped', guia: '794600000002' });
});

test('the marketplace’s own shipping takes nothing; a shipment that does not exist is told apart', async () => {
  const id = await sell('simple');
  expect(await failureOf(ml().notifyShipment(id, aviso))).toMatchObject({
    details: { detail: 'The shipment mode me2 does not allow this operation' },
  });
  expect(await ml().shipment('1')).toBeNull();
  expect(await failureOf(ml().notifyShipment('1', aviso))).toMatchObject({ details: { status: 404 } });
  expect(await dicho(id)).toEqual([]);
});

test('a doubtful answer is a doubt, a lost look is none', async () => {
  const id = await sell('envioPropio');
  await sandbox.mercadolibre.failNext('500-after-doing', { route: 'seller_notifications' });
  expect(await failureOf(ml().notifyShipment(id, aviso))).toBeInstanceOf(Uncertain);
  await sandbox.mercadolibre.failNext('429', { route: 'seller_notifications' });
  expect(await failureOf(ml().notifyShipment(id, aviso))).toBeInstanceOf(Unavailable);
  await sandbox.mercadolibre.failNext('reset', { route: `/shipments/${id}` });
  expect(await failureOf(ml().shipment(id))).toBeInstanceOf(Unavailable);
  expect(await dicho(id)).toHaveLength(1);
});

describe('a label in ZPL', () => {
  async function sellPrintable() {
    const { ordenes } = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
    const lista = { status: 'ready_to_ship', substatus: 'ready_to_print', sinAviso: true };
    await sandbox.mercadolibre.post(`/ordenes/${ordenes[0]}/actualizar`, lista);
    return (await sandbox.mercadolibre.get<OrderFacts>(`/ordenes/${ordenes[0]}`)).envioId!;
  }
  afterEach(() => sandbox.mercadolibre.post('/interruptores', { zpl: 'zip' }));

  test.each(['zip', 'suelto'])('comes as %s, and counts as printed there', async (zpl) => {
    await sandbox.mercadolibre.post('/interruptores', { zpl });
    const id = await sellPrintable();
    expect((await ml().shipmentZpl(id)).toString()).toMatch(
      new RegExp(`^\\^XA.*Mercado Envios ${id}.*\\^XZ\\s*$`, 's'),
    );
    expect(await sandbox.mercadolibre.get(`/envios/${id}`)).toMatchObject({ substatus: 'printed' });
  });

  test('is refused in its words, and an answer without a whole label is none', async () => {
    const id = await sellPrintable();
    await sandbox.mercadolibre.failNext('html', { route: 'GET /shipment_labels' });
    expect(await failureOf(ml().shipmentZpl(id))).toBeInstanceOf(UnexpectedShape);
    await sandbox.mercadolibre.post('/interruptores', { zpl: 'niega' });
    expect(await failureOf(ml().shipmentZpl(id))).toBeInstanceOf(Refused);
    for (const body of ['', '<html>', 'PK', '^XA^FDmedia', 'PK\x05\x06', 'PK\x03\x04^XA^XZ'])
      expect(zplIn(Buffer.from(body, 'latin1')), body).toBeUndefined();
  });
});
