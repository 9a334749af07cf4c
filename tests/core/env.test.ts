import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** Reads the settings anew: a process reads them once in its life. */
async function read(sat: string) {
  vi.resetModules();
  vi.stubEnv('DATABASE_URL', 'postgres://nadie@127.0.0.1/nada');
  vi.stubEnv('SAT_URL', sat);
  const { env } = await import('~/core/env.server');
  return env().SAT_URL;
}

test('the SAT is asked at its own address, at a sandbox of this machine, or nowhere', async () => {
  for (const own of ['https://siat.sat.gob.mx', 'http://127.0.0.1:3001/sat', '']) expect(await read(own)).toBe(own);
  for (const other of [
    'http://siat.sat.gob.mx',
    'https://siat.sat.gob.mx.test',
    'https://otro.test',
    'file:///etc/passwd',
  ])
    await expect(read(other)).rejects.toThrow('SAT_URL');
});

test('the hours of the sandbox are refused where there is no sandbox of this machine', async () => {
  vi.stubEnv('SANDBOX_HORAS', '/datos/sandbox/horas');
  for (const other of ['', 'https://api.test', 'nada']) {
    vi.stubEnv('SANDBOX_URL', other);
    await expect(read(''), other).rejects.toThrow('SANDBOX_HORAS');
  }
  vi.stubEnv('SANDBOX_URL', 'http://127.0.0.1:3001');
  expect(await read('')).toBe('');
});
