import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { cva } from '~/domain/compras/directorio/internal/cva.server';
import { saveKeys } from '~/platform/connections/keys.server';
import { Unavailable } from '~/integrations/errors';
import { LLAVES } from '../../sandbox/cva';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';

const { db } = testDatabase();
const horas = join(mkdtempSync(join(tmpdir(), 'trastienda-horas-')), 'sandbox', 'horas');
const sandbox = await startTestSandbox({ proveedores: { horas } });
const far = sandbox.proveedor('cva');

/** Asks for pieces by a word, with the client of the product. */
async function search(texto = 'hikvision') {
  forgetEnv();
  // What was told once holds the next call back.
  await db.deleteFrom('connection').execute();
  return cva.proveedor!.leer(db, 'persona').buscar!(texto, 1);
}
const keysOf = async (texto: string) => (await search(texto)).items.map(({ idProveedor }) => idProveedor);
const asked = async () => (await sandbox.requests('cva')).filter(({ path }) => path.includes('desc=')).length;

test('one hour of the sandbox opens and closes CVA for its client and its impostor, and never a real CVA', async () => {
  await saveKeys(db, cva, LLAVES, null);
  vi.stubEnv('SANDBOX_HORAS', horas);
  await far.post('/horas', { hora: '23:15' });
  expect((await search()).items.length).toBeGreaterThan(0);
  expect(await asked()).toBe(1);

  await far.post('/horas', { hora: '12:00' });
  // Whoever reads no setting is told by CVA itself; the client that reads the setting does not even ask.
  await expect(search()).rejects.toThrow(Unavailable);
  expect(await asked()).toBe(1);
  vi.stubEnv('SANDBOX_HORAS', '');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T04:00:00Z') });
  await expect(search()).rejects.toThrow(Unavailable);
  expect(await asked()).toBe(2);

  // At ten at night by the clock, at noon by the setting, and CVA at an address that is not the sandbox's.
  vi.stubEnv('SANDBOX_HORAS', horas);
  await far.post('/horas', { hora: '12:00' });
  vi.stubEnv('SANDBOX_URL', 'http://127.0.0.1:1');
  await expect(search()).rejects.toThrow(Unavailable);
  expect(await asked()).toBe(3);
  vi.useRealTimers();
  await expect(far.post('/horas', { hora: '25:00' })).rejects.toThrow('400');
});

test('by day a product named whole is found by its key or its model, and nothing else is', async () => {
  vi.stubEnv('SANDBOX_HORAS', horas);
  vi.stubEnv('SANDBOX_URL', sandbox.url);
  await far.post('/horas', { hora: '12:00' });
  const { id, texto } = (await far.get<{ normal: { id: string; texto: string }[] }>('/ejemplos')).normal[0]!;
  expect([await keysOf(id), await keysOf(texto)]).toEqual([[id], [id]]);
  for (const otro of ['hikvision', `camara ${id}`]) await expect(search(otro), otro).rejects.toThrow(Unavailable);
});
