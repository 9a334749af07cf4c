import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { huellaOfTarifa, readTarifasEscritas, saveTarifa } from '~/domain/compras/precios/reglas.server';
import { esEstimado, recibeDe } from '~/domain/ventas/libro/recibe.server';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
let quien: { id: string };
beforeEach(async () => {
  quien = await buildQuien(db);
  await db.deleteFrom('ajuste').where('clave', 'like', 'tarifa_%').execute();
});

/** A sale of 1,160.00 without a shipment of ours. */
async function venta(market: Market, { comision, retencion }: { comision: string | null; retencion: string | null }) {
  const { id } = await buildOrden(db, { market, pagado: '1160.00', envio: null });
  await db.updateTable('orden').set({ comision, retencion }).where('id', '=', id).execute();
  return id;
}
async function recibido(id: string): Promise<[recibe: string, estimado: boolean]> {
  const { rows } = await sql<{ recibe: Money; estimado: boolean }>`
    select ${recibeDe('o')} as recibe, ${esEstimado('o')} as estimado from orden o where o.id = ${id}`.execute(db);
  return [rows[0]!.recibe.toFixed(2), rows[0]!.estimado];
}

test('what a marketplace told is taken as told, a zero too', async () => {
  expect(await recibido(await venta('ml', { comision: '174.00', retencion: '105.00' }))).toEqual(['881.00', false]);
  expect(await recibido(await venta('amz', { comision: '0.00', retencion: '0.00' }))).toEqual(['1160.00', false]);
});

test('what it has not told yet is estimated by its rates, and says so', async () => {
  // 1,160.00 − 15 % of 1,160.00 − 10.5 % of 1,000.00.
  expect(await recibido(await venta('amz', { comision: null, retencion: null }))).toEqual(['881.00', true]);
  expect(await recibido(await venta('ml', { comision: '100.00', retencion: null }))).toEqual(['955.00', true]);
});

test('the rates are those that people set for that marketplace', async () => {
  const huella = huellaOfTarifa((await readTarifasEscritas(db)).amz);
  await db
    .transaction()
    .execute((trx) =>
      saveTarifa(trx, { market: 'amz', huella, comision: '20', retencionIva: '8', retencionIsr: '2.5' }, quien.id),
    );
  expect(await recibido(await venta('amz', { comision: null, retencion: null }))).toEqual(['823.00', true]);
  expect(await recibido(await venta('ml', { comision: null, retencion: null }))).toEqual(['881.00', true]);
});
