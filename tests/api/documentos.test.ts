/** Documents of `/api/v1`: simple notes, the files of facturas, and stored tax data corrected by their mark. */
import { beforeAll, expect, test } from 'vitest';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, get } from '../support/api';
import { buildFactura } from '../support/builders/facturas';
import { buildPersona } from '../support/builders/ventas';
import { SOME_ID } from '../support/routes';
import { withWorker } from '../support/jobs';
import { unzip } from '../support/unzip';
import { openPac } from '../support/pac';

const { db, sandbox, sa } = await openPac({ publicoGeneral: true });
let token: string;
beforeAll(async () => {
  token = await db.transaction().execute((trx) => openSession(trx, sa, true));
});

const CLIENTE = {
  nombre: 'Ana',
  apellidos: 'Pérez',
  email: 'ana@correo.test',
  telefono: '5512345678',
  cp: '06700',
  colonia: 'Roma',
  calle: 'Orizaba',
  numeroExterior: '1',
};
const ARTICULO = { nombre: 'Cable', codigoSat: '26121600', cantidad: '2', precioUnitario: '58.00' };

test('a simple note is made once for its key and read again; what it lacks is named', async () => {
  const send = (body: object, llave: string) =>
    ask('POST', '/api/v1/notas-sencillas', { token, body, headers: { 'Idempotency-Key': llave } });
  const made = await send({ cliente: CLIENTE, articulos: [ARTICULO] }, 'n1');
  expect([made.status, made.body]).toMatchObject([
    201,
    { nombre: 'Ana', total: '116.00', articulos: [{ cantidad: 2 }] },
  ]);
  expect((await send({ cliente: CLIENTE, articulos: [ARTICULO] }, 'n1')).text).toBe(made.text);
  const { id } = made.body as { id: string };
  expect((await get(`/api/v1/notas-sencillas/${id}`, token)).body).toEqual(made.body);
  expect((await send({ cliente: { ...CLIENTE, telefono: '55' }, articulos: [ARTICULO] }, 'n2')).body).toMatchObject({
    errores: [{ campo: 'cliente.telefono', texto: 'El teléfono tiene 10 dígitos' }],
  });
  expect((await send({ cliente: CLIENTE, articulos: [ARTICULO], fecha: '2020-01-01' }, 'n3')).status).toBe(422);
  expect(await db.selectFrom('notaSencilla').select('id').execute()).toHaveLength(1);
});

test('the XML of a factura comes as it was stamped; of none there is none', async () => {
  const { id } = await buildFactura(db);
  const { response } = await ask('GET', `/api/v1/facturas/${id}/xml`, { token });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<')]);
  for (const formato of ['xml', 'pdf'])
    expect((await get(`/api/v1/facturas/${SOME_ID}/${formato}`, token)).status).toBe(404);
});

test('the expediente of a factura and of a month comes as a ZIP, to whoever may take it', async () => {
  const { id } = await buildFactura(db);
  const user = await buildPersona(db, 'user');
  const suyo = await db.transaction().execute((trx) => openSession(trx, user, true));
  for (const address of [`/api/v1/facturas/${id}/expediente`, '/api/v1/mes/2026-03/expediente']) {
    const { response } = await ask('GET', address, { token });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
    expect(Object.keys(unzip(Buffer.from(await response.arrayBuffer())))).toContain('indice.html');
    expect((await get(address, suyo)).status).toBe(403);
  }
  expect((await get(`/api/v1/facturas/${SOME_ID}/expediente`, token)).status).toBe(404);
  expect((await get('/api/v1/mes/2026-13/expediente', token)).status).toBe(404);
});

test('a stored client is corrected here and at the PAC by who saw it as it is', async () => {
  const nuevo = { rfc: 'LOGM790203R55', razonS: 'MARTHA LOPEZ GUERRERO', cp: '03100', regimen: '612' };
  await sandbox.facturacom.addContribuyente({
    rfc: nuevo.rfc,
    nombre: nuevo.razonS,
    cp: nuevo.cp,
    regimenes: [nuevo.regimen],
  });
  const made = await withWorker(() =>
    ask('POST', '/api/factura.com/datosFiscales', { token, body: { ...nuevo, emails: ['a@correo.test'] } }),
  );
  const address = `/api/v1/clientes/${(made.body as { _id: string })._id}`;
  const read = await get(address, token);
  const mark = { 'If-Match': read.headers.get('ETag')! };
  const { cp, regimen } = nuevo;
  const body = { razonSocial: nuevo.razonS, cp, regimen, email: 'b@correo.test' };
  const put = () => withWorker(() => ask('PUT', address, { token, body, headers: mark }));
  expect((await put()).body).toMatchObject({ hecho: true, cliente: { emails: ['b@correo.test'] } });
  expect((await put()).body).toMatchObject({ codigo: 'version-movida' });
});

test('a factura is cancelled on the terms that were read, and follows the SAT', async () => {
  const { id } = await buildFactura(db);
  const address = `/api/v1/facturas/${id}`;
  const { cancelable } = (await get(`${address}/correcciones`, token)).body as { cancelable: { huella: string } };
  const send = (huella: string) => ask('POST', `${address}/cancelacion`, { token, body: { motivo: '02', huella } });
  expect((await send('otra')).body).toMatchObject({ codigo: 'conflicto' });
  const pedida = await send(cancelable.huella);
  expect([pedida.status, pedida.body]).toMatchObject([202, { cancelacion: { motivo: '02' } }]);
  expect((await get('/api/v1/mes/2026-10', token)).body).toMatchObject({
    mes: '2026-10',
    tablas: [{ tabla: 'ordenes' }, {}, {}, {}],
  });
});
