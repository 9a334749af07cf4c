import { beforeEach, expect, test } from 'vitest';
import { saveKeys } from '~/platform/connections/keys.server';
import { pauseConnection } from '~/platform/connections/pause.server';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { catalogosEnSilencio } from '~/domain/compras/catalogo/internal/colaCatalogos.server';
import { probeProveedores } from '~/domain/compras/catalogo/lecturas.server';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const far = sandbox.proveedor('syscom');

beforeEach(async () => {
  await sandbox.reset('syscom');
  await db.deleteFrom('connection').execute();
  await db.deleteFrom('credential').execute();
  await saveKeys(db, syscom, { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' }, null);
});

const enHoy = async () => {
  const quien = { id: '00000000-0000-0000-0000-000000000000', rol: 'sa' as const };
  const { cosas } = await catalogosEnSilencio.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien });
  return cosas.map(({ titulo, a, detalle }) => [titulo, a, detalle]);
};
const told = async () => (await CONDICIONES.find(({ clave }) => clave === 'llaves')!.mira(db))?.texto ?? null;

test('keys of a supplier that stopped serving are told before anybody needs them', async () => {
  await probeProveedores(db);
  expect(await told()).toBeNull();
  await far.post('/llaves', { revocadas: true });
  await probeProveedores(db);
  expect(await told()).toBe('Las llaves de Syscom dejaron de servir.');
  expect(await enHoy()).toEqual([
    ['Syscom', 'tokens#titulo-syscom', expect.stringContaining('Su llave dejó de servir') as string],
  ]);
  // Other keys, and it serves again.
  await sandbox.reset('syscom');
  await saveKeys(db, syscom, { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' }, null);
  expect([await told(), await enHoy()]).toEqual([null, []]);
});

test('a supplier that is paused, or not linked, is not asked', async () => {
  const asked = async () => (await sandbox.requests('syscom')).length;
  const before = await asked();
  await db.transaction().execute((trx) => pauseConnection(trx, 'syscom'));
  await probeProveedores(db);
  await db.deleteFrom('connection').execute();
  await db.deleteFrom('credential').execute();
  await probeProveedores(db);
  expect(await asked()).toBe(before);
});
