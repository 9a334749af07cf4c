import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import {
  bringMovidas,
  bringTodas,
  bringPublicaciones,
} from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { linkSandboxAmazon } from '../../../support/amazon';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const una = (sku: string, body: object) => amz.post(`/publicaciones/${encodeURIComponent(sku)}`, body);
const de = (clave: string) =>
  db
    .selectFrom('publicacion')
    .selectAll()
    .where('market', '=', 'amz')
    .where('clave', '=', clave)
    .executeTakeFirstOrThrow();

let sku: string;
let productoId: string;
beforeAll(async () => {
  await linkSandboxAmazon(db, sandbox);
  await seedCatalogo(ownerDatabase().db, 50);
  const producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  sku = `AMS|P30|${producto.proveedor}|X`;
  productoId = producto.id;
  await amz.post('/publicaciones', { cantidad: 45, skus: [sku, 'CON,COMA', 'ÑANDÚ/24"'] });
});
beforeEach(() => amz.post('/interruptores', { reporte: 'sale', codificacion: 'utf8', encabezados: 'documentados' }));

/** A report is asked for, and read once it was made. */
async function leida(): Promise<string | null> {
  expect(await bringTodas(db, 'amz')).toBe('sigue');
  expect(await bringTodas(db, 'amz')).toBe('sigue');
  await amz.post('/reloj', { segundos: 60 });
  return bringTodas(db, 'amz');
}

describe('all that is on sale at Amazon', () => {
  test('is read by its report, each as Listings Items shows it, and joined to the product of its sku', async () => {
    expect(await leida()).toBe('fin');
    const { n } = await db
      .selectFrom('publicacion')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(45);
    const primera = await de(sku);
    expect(primera).toMatchObject({ productoId, sku, estatus: 'DONE', stock: 10, stockAjeno: false, ausencias: 0 });
    expect([primera.precio?.toFixed(2), primera.marketId]).toEqual(['500.00', 'B0DEMO0000']);
    expect(await de('CON,COMA')).toMatchObject({ estatus: 'DONE' });
    const abierta = await publicacionesList.totals(db, publicacionesList.parse(new URLSearchParams('amz=1')));
    expect(abierta.registros).toBe(45);
  });

  test.each(['latin1', 'latin1SinDecirlo'])('a report in %s names the same skus', async (codificacion) => {
    await amz.post('/interruptores', { codificacion, encabezados: 'traducidos', empaque: 'plano' });
    expect(await leida()).toBe('fin');
    expect(await de('ÑANDÚ/24"')).toMatchObject({ ausencias: 0, estatus: 'DONE' });
  });

  test('a report that was cancelled while there is something on sale makes nothing gone', async () => {
    await amz.post('/interruptores', { reporte: 'cancelado' });
    expect(await leida()).toBe('sigue');
    expect(await db.selectFrom('publicacion').select('id').where('ausencias', '>', 0).execute()).toEqual([]);
    await amz.post('/interruptores', { reporte: 'sale' });
    expect(await leida()).toBe('fin');
  });

  test('a problem that keeps it from being sold is fatal, without pieces it is inactive, and the words are kept', async () => {
    const issues = [
      { code: '90220', message: 'Falta la marca.', severity: 'ERROR', categories: ['MISSING_ATTRIBUTE'] },
    ];
    await una(sku, { issues });
    await bringPublicaciones(db, fuenteOf('amz'), [sku]);
    expect(await de(sku)).toMatchObject({ estatus: 'FATAL', problemas: ['Falta la marca.'] });
    await una(sku, { cantidad: 0 });
    await bringPublicaciones(db, fuenteOf('amz'), [sku]);
    expect(await de(sku)).toMatchObject({ estatus: 'inactiva', stock: 0 });
  });

  test('what changed last is met without a report, and what is not there is gone at once', async () => {
    await bringMovidas(db, 'amz');
    await una('SUELTO-00020', { centavos: 77_700, cantidad: 3 });
    expect(await bringMovidas(db, 'amz')).toBe(1);
    const movida = await de('SUELTO-00020');
    expect([movida.precio?.toFixed(2), movida.stock]).toEqual(['777.00', 3]);
    await amz.post('/publicaciones/SUELTO-00020/quita', {});
    expect(await bringPublicaciones(db, fuenteOf('amz'), ['SUELTO-00020'])).toEqual([]);
    expect((await de('SUELTO-00020')).ausenteDesde).not.toBeNull();
  });
});
