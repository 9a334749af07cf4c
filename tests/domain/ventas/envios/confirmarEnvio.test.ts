import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import type { EstatusPropio } from '~/domain/ventas/envios/envio';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { fuenteAmz } from '~/domain/mercados/amz/fuente.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { type AmazonFacts, linkSandboxAmazon } from '../../../support/amazon';
import { buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 0, ritmo: 100_000 },
});
const amz = sandbox.proveedor('amazon');
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandboxAmazon(db, sandbox);
});
beforeEach(async () => {
  await sandbox.clear();
  await amz.post('/interruptores', { paquetes: 'alMomento', paqueteRepetido: '204', paqueterias: 'conCodigo' });
  await sql`delete from connection`.execute(db);
});

/** A sale that we send ourselves, as the sync brings it. */
async function sell(escenario = 'porEnviar') {
  const { id } = await amz.post<AmazonFacts>('/ventas', { escenario, cantidad: 2 });
  await syncVentas(db, fuenteAmz, { kind: 'sweep' });
  const orden = await db.selectFrom('orden').select('id').where('marketId', '=', id).executeTakeFirstOrThrow();
  return { id: orden.id, numOrden: id };
}
const propio = async (id: string) => (await readPropio(db, id))!;
const save = (id: string, estatus: EstatusPropio, guia: string, paqueteria: 'Estafeta' | 'FedEx' = 'Estafeta') =>
  db
    .transaction()
    .execute(async (trx) =>
      savePaqueteria(
        trx,
        { orden: id, huella: (await propio(id)).huella, estatus, paqueteria, guia, paqueteriaUrl: undefined },
        quien.id,
      ),
    );
const there = async (numOrden: string) => (await amz.get<AmazonFacts[]>('/ventas')).find(({ id }) => id === numOrden)!;
const packages = async (numOrden: string) =>
  (await there(numOrden)).paquetes.map(({ guia, paqueteria, piezas }) => [
    paqueteria,
    guia,
    piezas.map(({ cantidad }) => cantidad),
  ]);
const effects = async (id: string) =>
  db
    .selectFrom('effect')
    .select(['state', 'reason'])
    .where('key', '=', `envio:${(await propio(id)).envioId}`)
    .orderBy('id')
    .execute();
const settled = () => runUntilSettled({ connection: 'amazon' });

describe('a package of ours', () => {
  test('is confirmed when it leaves, once, with its pieces, and its story says so', async () => {
    const { id, numOrden } = await sell();
    await save(id, 'enPreparacion', '7001');
    expect(await effects(id)).toEqual([]);
    await save(id, 'enCamino', '7001');
    await settled();
    expect(await packages(numOrden)).toEqual([['Estafeta', '7001', [2]]]);
    expect((await there(numOrden)).estado).toBe('SHIPPED');
    const story = await readCronologia(db, (await readOrden(db, id))!, EFFECTS);
    expect(story.find(({ titulo }) => titulo === 'Amazon recibió la guía del envío')?.detalle).toBe(
      'Estafeta 7001 · Lo recibió.',
    );
    await save(id, 'entregado', '7001');
    await settled();
    expect(await effects(id)).toEqual([{ state: 'done', reason: null }]);
  });

  test('that got another number corrects its package and makes no second one', async () => {
    const { id, numOrden } = await sell();
    await save(id, 'enCamino', '7100');
    await settled();
    await amz.post('/interruptores', { paquetes: 'tarde' });
    await save(id, 'enCamino', '7101', 'FedEx');
    await settled();
    expect(await packages(numOrden)).toEqual([['FedEx', '7101', [2]]]);
  });

  test('is confirmed once though the answer is lost and packages are told late', async () => {
    for (const [mode, paquetes] of [
      ['hang-after-doing', 'alMomento'],
      ['500-after-doing', 'tarde'],
      ['reset-after-doing', 'tarde'],
    ] as const) {
      const { id, numOrden } = await sell();
      await amz.post('/interruptores', { paquetes, paqueteRepetido: '400' });
      await amz.failNext(mode, { route: `POST /orders/v0/orders/${numOrden}`, ms: 100 });
      await save(id, 'enCamino', '7200');
      await settled();
      expect(await packages(numOrden), mode).toEqual([['Estafeta', '7200', [2]]]);
      expect(await effects(id), mode).toMatchObject([{ state: 'done' }]);
    }
  });

  test('goes by its carrier’s name where Amazon has no code for it', async () => {
    await amz.post('/interruptores', { paqueterias: 'soloOther' });
    const { id, numOrden } = await sell();
    await save(id, 'enCamino', '7300', 'FedEx');
    await settled();
    expect(await packages(numOrden)).toEqual([['FedEx', '7300', [2]]]);
  });

  test('of a sale that was cancelled there is refused in words, and may be asked for again', async () => {
    const { id, numOrden } = await sell();
    await amz.post(`/ventas/${numOrden}/cancela`);
    await save(id, 'enCamino', '7400');
    await settled();
    expect(await effects(id)).toEqual([
      { state: 'refused', reason: 'La venta se canceló en Amazon: su envío ya no se confirma.' },
    ]);
  });

  test('that somebody confirmed at Seller Central with another number is not confirmed over it', async () => {
    const { id, numOrden } = await sell();
    await amz.post(`/ventas/${numOrden}/envia`);
    await save(id, 'enCamino', '7500');
    await settled();
    expect(await effects(id)).toMatchObject([{ state: 'refused', reason: expect.stringContaining('otra guía') }]);
    expect(await packages(numOrden)).toHaveLength(1);
  });
});
