import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['', 'https://developers.syscom.mx', false],
  ['no', 'http://connect.ctonline.mx:3001', false],
  ['', 'http://127.0.0.1.ctonline.mx:3001', false],
  ['si', 'http://connect.ctonline.mx:3001', true],
  ['', 'http://127.0.0.1:4600/syscom', true],
])('with PROVEEDORES_PRODUCCION=%s, writing to %s is let through: %s', async (setting, address, through) => {
  vi.resetModules();
  vi.stubEnv('PROVEEDORES_PRODUCCION', setting);
  const { requireProduccion } = await import('~/integrations/proveedores/produccion.server');
  if (through) requireProduccion(address);
  else expect(() => requireProduccion(address)).toThrow('no compra en proveedores reales');
});
