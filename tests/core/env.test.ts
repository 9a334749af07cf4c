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

/** What is wrong with settings, as a process tells it that cannot start. */
async function faultsOf(settings: Record<string, string>) {
  vi.resetModules();
  vi.stubEnv('DATABASE_URL', 'postgres://nadie@127.0.0.1/nada');
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const { env } = await import('~/core/env.server');
  try {
    env();
    return [];
  } catch (error) {
    return (error as { faults: { ajuste: string; dice: string; ejemplo: string }[] }).faults;
  }
}

test('all that is wrong is told at once, in Spanish, each by its name and with a value that would do', async () => {
  const wrong = {
    DATABASE_URL: '',
    LLAVES: 'k1:corta',
    PORT: '70000',
    DB_POOL: '1',
    PROXY_HOPS: 'dos',
    NODE_ENV: 'produccion',
    APP_URL: 'trastienda.ejemplo.mx',
    AMAZON_PRECIOS: 'sin iva',
    SALUD_TOKEN: 'corto',
    RETENCION_AVISOS: '1.5',
    SEGUNDO_FACTOR: 'todos',
    COPOMEX_TOKEN: 'un-token',
  };
  const faults = await faultsOf({ ...wrong, COPOMEX_URL: '' });
  const told = Object.fromEntries(faults.map(({ ajuste, dice }) => [ajuste, dice]));
  expect(told).toEqual({
    DATABASE_URL: 'falta',
    LLAVES: 'cada llave es id:base64 de 32 bytes, separadas por comas',
    PORT: 'es 65535 o menos',
    DB_POOL: 'es 2 o más',
    PROXY_HOPS: 'es un número',
    NODE_ENV: 'es uno de: development, production, test',
    APP_URL: 'no está bien escrito',
    AMAZON_PRECIOS: 'es uno de: neto, bruto',
    SALUD_TOKEN: 'tiene al menos 16 letras',
    RETENCION_AVISOS: 'es un número entero',
    SEGUNDO_FACTOR: 'es uno de: sa, admin, user, aux, cont',
    COPOMEX_URL: 'falta: va junto con COPOMEX_TOKEN',
  });
  const examples = Object.fromEntries(
    faults.flatMap(({ ajuste, ejemplo }) => (ejemplo === '' ? [] : [[ajuste, ejemplo]])),
  );
  expect(await faultsOf({ ...wrong, ...examples })).toEqual([]);
});
