import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import { buildProductoDeStock } from '../../support/builders/stock';
import { withDatabase } from './database';
import { seedOrden } from './ordenes';
import { expect } from './test';

/** Pieces that came back, each with its folio. */
export function seedPiezas(cuantas: number): Promise<{ id: string; folio: string }[]> {
  return withDatabase(async (db) => {
    const { rows } = await sql<{ id: string; folio: string }>`
      with folio as (
        insert into stock_folio (anio, ultimo) values (2026, ${cuantas})
        on conflict (anio) do update set ultimo = stock_folio.ultimo + excluded.ultimo returning ultimo
      ), alta as (insert into stock_alta (clave) values (gen_random_uuid()) returning id)
      insert into stock_interno (anio, numero, alta_id, estado, descripcion, costo)
      select 2026, n, alta.id, 'enRevision', 'Cámara que regresó', 100
      from alta, (select generate_series(ultimo - ${cuantas} + 1, ultimo) as n from folio) numeros
      returning id, folio`.execute(db);
    return rows;
  });
}

export const estadosDe = (id: string) =>
  withDatabase(async (db) => {
    const { rows } = await sql<{
      a: string;
    }>`select a from stock_movimiento where pieza_id = ${id} order by id`.execute(db);
    return rows.map(({ a }) => a);
  });

/** What a camera sees, as the browser plays it: a code on white, in one grey picture after another. */
export function filma(path: string, dice: string): void {
  const [ancho, alto, punto] = [640, 480, 8];
  const { modules } = QRCode.create(dice, { errorCorrectionLevel: 'M' });
  const [left, top] = [ancho, alto].map((side) => Math.floor((side - modules.size * punto) / 2)) as [number, number];
  const luma = Buffer.alloc(ancho * alto, 235);
  for (let y = 0; y < modules.size * punto; y++)
    for (let x = 0; x < modules.size * punto; x++)
      if (modules.data[Math.floor(y / punto) * modules.size + Math.floor(x / punto)])
        luma[(top + y) * ancho + left + x] = 16;
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((ancho * alto) / 2, 128)]);
  const head = Buffer.from(`YUV4MPEG2 W${ancho} H${alto} F10:1 Ip A1:1 C420\n`);
  writeFileSync(path, Buffer.concat([head, ...Array.from({ length: 10 }, () => frame)]));
}

export const loQueGuarda = (page: Page) =>
  page.evaluate(async () => {
    const cajas = await caches.keys();
    const requests = await Promise.all(cajas.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

export const vacia = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('bodega');
        request.onerror = () => reject(request.error ?? new Error('sin base'));
        request.onsuccess = () => {
          const trx = request.result.transaction('cola', 'readwrite');
          trx.objectStore('cola').clear();
          trx.oncomplete = () => resolve();
        };
      }),
  );

export const piezasEn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open('bodega');
        request.onerror = () => reject(request.error ?? new Error('sin base'));
        request.onsuccess = () => {
          const cuenta = request.result.transaction('piezas').objectStore('piezas').count();
          cuenta.onsuccess = () => resolve(cuenta.result);
        };
      }),
  );

export async function seedVueltaYVenta() {
  const { idProveedor, modelo } = await withDatabase((db) => buildProductoDeStock(db));
  const sku = `AMS|${idProveedor}|SYSCOM|${modelo}`;
  return { vuelta: await seedOrden({ hours: 40, sku }), venta: await seedOrden({ hours: 2, sku }) };
}

export const piezasDe = (ordenId: string) =>
  withDatabase((db) =>
    db
      .selectFrom('stockInterno')
      .select(['id', 'folio', 'estado', 'ventaId'])
      .where('ordenId', '=', ordenId)
      .orderBy('numero')
      .execute(),
  );

export async function abreBodega(page: Page, rol: string) {
  await page.goto(`/${rol}/bodega`);
  await expect(page.locator('body[data-listo]')).toBeAttached();
}

/** What a scanner does: it types into whatever has the focus, and ends with Enter. */
export async function escanea(page: Page, dice: string) {
  await page.keyboard.type(dice);
  await page.keyboard.press('Enter');
}
