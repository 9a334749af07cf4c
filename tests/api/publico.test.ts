import { expect, test } from 'vitest';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { ask, get, post } from '../support/api';
import { buildOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';

const { db } = testDatabase();

async function enlaceDe(proposito: 'facturacion' | 'datosEnvio') {
  const { numOrden } = await buildOrden(db, { envioPropio: true, envio: { propio: true, estatus: 'enPreparacion' } });
  const { token } = await db
    .transaction()
    .execute((trx) => createEnlace(trx, { market: 'ml', numOrden, origen: 'automatico', usuarioId: null, proposito }));
  return { numOrden, token };
}

const DATOS = {
  nombreReceptor: 'Ana',
  apellidos: 'Pérez',
  telefono: '5512345678',
  cp: '06600',
  colonia: 'Juárez',
  ciudad: 'Ciudad de México',
  estado: 'Ciudad de México',
  calle: 'Hamburgo',
  numeroE: '10',
  referencia: 'Puerta verde',
};

test('a customer tells where their package goes, with their link and nothing else', async () => {
  const { numOrden, token } = await enlaceDe('datosEnvio');
  expect((await get(`/api/envio/${token}`)).body).toMatchObject({
    orden: numOrden,
    motivo: null,
    calle: 'Calle Ejemplo',
  });
  expect((await post(`/api/envioP/${token}`, DATOS)).body).toEqual({
    error: false,
    message: 'Datos del envio guarados de forma correcta',
  });
  expect((await get(`/api/envio/${token}`)).body).toMatchObject({
    nombreReceptor: 'Ana',
    calle: 'Hamburgo',
    ocurre: false,
  });
  const missing = await post(`/api/envioP/${token}`, { ...DATOS, colonia: '' });
  expect([missing.status, (missing.body as { error: boolean }).error]).toEqual([200, true]);
});

test('a page that is old is told, and what another window wrote stays', async () => {
  const { token } = await enlaceDe('datosEnvio');
  const { huella } = (await get(`/api/envio/${token}`)).body as { huella: string };
  const guardar = (calle: string, marca: string) =>
    post(`/api/envioP/${token}`, { ...DATOS, calle, huella: marca }).then(({ body }) => body);
  expect(await guardar('Londres', huella)).toMatchObject({ error: false });
  expect(await guardar('Roma', huella)).toMatchObject({
    error: true,
    message: expect.stringContaining('Los datos del envío cambiaron mientras los escribías.'),
  });
  const { body: queda } = await get(`/api/envio/${token}`);
  expect(queda).toMatchObject({ calle: 'Londres' });
  expect(await guardar('Roma', (queda as { huella: string }).huella)).toMatchObject({ error: false });
});

test('a link opens what it is for', async () => {
  const { token } = await enlaceDe('facturacion');
  expect((await get(`/api/envio/${token}`)).status).toBe(401);
  expect((await get('/api/envio/nada')).status).toBe(401);
  expect((await get(`/api/checkToken/${token}`)).body).toEqual({ token, error: false, message: '' });
  expect(((await get(`/api/factura.com/usosCFDI/publico/${token}`)).body as object[]).length).toBeGreaterThan(5);
  expect((await get('/api/factura.com/regimenesfiscales/publico/nada')).status).toBe(401);
});

test('an address that says nobody has fewer requests in a minute, and is told how many', async () => {
  const asked = () => ask('GET', '/api/checkToken/nada', { ip: '10.9.9.9' });
  const first = await asked();
  expect(first.headers.get('RateLimit')).toMatch(/^"api";r=299;/);
  await db.updateTable('rateLimit').set({ hits: 300 }).execute();
  const { status, headers } = await asked();
  expect([status, headers.get('RateLimit')?.split(';')[1]]).toEqual([429, 'r=0']);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
});
