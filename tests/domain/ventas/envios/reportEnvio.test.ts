import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import type { EstatusPropio } from '~/domain/ventas/envios/envio';
import { DatosEnvioForm } from '~/domain/ventas/envios/forms';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { saveCosto, saveDatosEnvio, savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { enqueue } from '~db/queue/catalog.server';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { runJobs, runJobsUntil, runUntilSettled } from '../../../support/jobs';
import { linkSandbox, type OrderFacts, type SaleFacts } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandbox(db, sandbox);
  await runJobs();
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sandbox.mercadolibre.post('/interruptores', { guiaPropiaOculta: false });
  await sql`delete from connection`.execute(db);
});

const sync = async () => {
  await enqueue(db, 'ordenes.syncMl', { kind: 'sweep' });
  await runJobs();
};
/** A sale that we send ourselves, as the sync brings it. */
async function sell(scenario: 'envioPropio' | 'envioPersonalizado' = 'envioPropio') {
  const { ordenes } = await sandbox.mercadolibre.newOrden<SaleFacts>(scenario, { sinAviso: true });
  const { envioId } = await sandbox.mercadolibre.get<OrderFacts>(`/ordenes/${ordenes[0]}`);
  const here = () =>
    db
      .selectFrom('orden')
      .select('id')
      .where('marketId', '=', ordenes[0]!)
      .where('envioId', 'is not', null)
      .executeTakeFirst();
  await enqueue(db, 'ordenes.syncMl', { kind: 'sweep' });
  await runJobsUntil(async () => (await here()) !== undefined);
  return { id: (await here())!.id, shipment: envioId! };
}
type Told = { status: string; dicho: { status: string; guia: string | null; url: string | null }[] };
const at = (shipment: string) => sandbox.mercadolibre.get<Told>(`/envios/${shipment}`);
const propio = async (id: string) => (await readPropio(db, id))!;
const save = async (id: string, estatus: EstatusPropio, guia: string) =>
  db
    .transaction()
    .execute(async (trx) =>
      savePaqueteria(
        trx,
        { orden: id, huella: (await propio(id)).huella, estatus, paqueteria: 'FedEx', guia, paqueteriaUrl: undefined },
        quien.id,
      ),
    );
const effects = async (id: string) =>
  db
    .selectFrom('effect')
    .select(['state', 'reason', 'detail'])
    .where('key', '=', `envio:${(await propio(id)).envioId}`)
    .orderBy('id')
    .execute();
const story = async (id: string) => readCronologia(db, (await readOrden(db, id))!, EFFECTS);
const FEDEX = (guia: string) => `https://www.fedex.com/fedextrack/?trknbr=${guia}`;

describe('tracking of a package of ours', () => {
  test(
    'is told when it leaves and when it arrives, and the story of the sale has the answer of the marketplace',
    { timeout: 60_000 },
    async () => {
      const { id, shipment } = await sell();
      await save(id, 'enPreparacion', '7001');
      expect(await effects(id)).toEqual([]);
      await save(id, 'enCamino', '7001');
      await runUntilSettled();
      expect(await at(shipment)).toMatchObject({
        status: 'shipped',
        dicho: [{ status: 'shipped', guia: '7001', url: FEDEX('7001') }],
      });
      const [told] = (await story(id)).filter(({ titulo }) => titulo === 'Mercado Libre recibió el rastreo');
      expect(told!.detalle).toBe('Enviado, FedEx 7001 · Contestó 201. Muestra: Enviado, guía 7001.');

      // A branch is one more stop of the same way: nothing new to tell.
      await save(id, 'enSucursal', '7001');
      await runUntilSettled();
      expect((await at(shipment)).dicho).toHaveLength(1);
      await save(id, 'entregado', '7001');
      await runUntilSettled();
      expect(await at(shipment)).toMatchObject({
        status: 'delivered',
        dicho: [{}, { status: 'delivered', guia: '7001' }],
      });
      expect((await effects(id)).map(({ state }) => state)).toEqual(['done', 'done']);
    },
  );

  test('is told once, though its answer is lost', { timeout: 60_000 }, async () => {
    for (const scenario of ['envioPropio', 'envioPersonalizado'] as const) {
      const { id, shipment } = await sell(scenario);
      await sandbox.mercadolibre.failNext('hang-after-doing', { route: `/shipments/${shipment}`, ms: 100 });
      await save(id, 'enCamino', '7100');
      await runUntilSettled();
      expect((await at(shipment)).dicho).toMatchObject([{ status: 'shipped', guia: '7100' }]);
      expect(await effects(id)).toMatchObject([{ state: 'done' }]);
    }
  });

  test('by the seller’s own table goes with its number and the buyer', { timeout: 60_000 }, async () => {
    const { id, shipment } = await sell('envioPersonalizado');
    await save(id, 'enCamino', '7200');
    await runUntilSettled();
    expect(await at(shipment)).toMatchObject({
      status: 'shipped',
      dicho: [{ status: 'shipped', guia: '7200', url: null }],
    });
  });

  test('that changes while it is on its way is told as it was and then as it is', { timeout: 60_000 }, async () => {
    const { id, shipment } = await sell();
    await save(id, 'enCamino', '7301');
    await save(id, 'enCamino', '7302');
    await save(id, 'enCamino', '7303');
    expect(await effects(id)).toMatchObject([{ state: 'queued' }]);
    await runUntilSettled();
    expect((await at(shipment)).dicho.map(({ guia }) => guia)).toEqual(['7301', '7303']);
  });

  test(
    'is told from the dialog of the sale too, and of a shipment that nobody asks about nothing is',
    { timeout: 60_000 },
    async () => {
      const { id, shipment } = await sell();
      const form = DatosEnvioForm.parse({
        orden: id,
        huella: (await propio(id)).huella,
        estatus: 'enCamino',
        paqueteria: 'DHL',
        guia: '7400',
      });
      await db.transaction().execute((trx) => saveDatosEnvio(trx, form, quien.id));
      await runUntilSettled();
      expect((await at(shipment)).dicho).toMatchObject([{ guia: '7400' }]);

      const acordada = await buildOrden(db, { envioPropio: true, envio: null });
      await db
        .transaction()
        .execute((trx) => saveCosto(trx, { orden: acordada.id, huella: 'nuevo', costo: '50' }, quien.id));
      await save(acordada.id, 'enCamino', '7401');
      expect(await effects(acordada.id)).toEqual([]);
      await save(id, 'enDevolucion', '7400');
      expect(await effects(id)).toMatchObject([{ state: 'done' }]);
    },
  );

  test(
    'that the marketplace refuses is seen with its reason, and may be tried again',
    { timeout: 60_000 },
    async () => {
      const { id, shipment } = await sell();
      await sandbox.mercadolibre.failNext('refuse', {
        route: 'seller_notifications',
        message: 'Invalid transition',
        code: 'invalid_transition',
      });
      await save(id, 'enCamino', '7500');
      await runUntilSettled();
      expect(await effects(id)).toMatchObject([
        { state: 'refused', detail: expect.stringContaining('Invalid transition') },
      ]);
      const [last] = await story(id);
      expect(last).toMatchObject({
        titulo: 'Rastreo en Mercado Libre: rechazado',
        tono: 'mal',
        reintentar: expect.any(String),
      });
      await save(id, 'enCamino', '7501');
      await runUntilSettled();
      expect((await at(shipment)).dicho).toMatchObject([{ guia: '7501' }]);
    },
  );

  test('that the marketplace knows already, or never shows, does not hang', { timeout: 60_000 }, async () => {
    const { id, shipment } = await sell();
    await sandbox.mercadolibre.post(`/ordenes/${(await propio(id)).marketId}/actualizar`, {
      status: 'delivered',
      sinAviso: true,
    });
    await sandbox.mercadolibre.post('/interruptores', { guiaPropiaOculta: true });
    await save(id, 'entregado', '7600');
    await runUntilSettled();
    expect(await effects(id)).toMatchObject([{ state: 'done' }]);
    expect((await at(shipment)).dicho).toEqual([]);
  });
});

test(
  'what people said of a package of ours stands until the marketplace knows more of it',
  { timeout: 60_000 },
  async () => {
    const { id, shipment } = await sell();
    await save(id, 'enSucursal', '7700');
    await runUntilSettled();
    const { marketId, envioId } = await propio(id);
    // The marketplace dates to the second.
    await sql`update envio set actualizado_en = date_trunc('second', actualizado_en) where id = ${envioId}`.execute(db);
    const move = async (status: string) => {
      await sandbox.mercadolibre.post(`/ordenes/${marketId}/actualizar`, { status, sinAviso: true });
      await sync();
    };
    await move('shipped');
    expect(await propio(id)).toMatchObject({
      estatus: 'enSucursal',
      envio: { estatus: 'enSucursal', paqueteria: 'FedEx', guia: '7700' },
    });
    await move('delivered');
    expect(await propio(id)).toMatchObject({
      estatus: 'entregado',
      envio: { estatus: 'delivered', paqueteria: 'FedEx', guia: '7700' },
    });
    expect((await at(shipment)).dicho).toHaveLength(1);
  },
);
