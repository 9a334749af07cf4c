/** What the old client does with the accounts of far sides, with the app, with shipments of ours, and with its GETs that changed something. */
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createEmpresa } from '~/domain/personal/empresas.server';
import { openSession } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';
import { SELLER_ID } from '../sandbox/amazon';
import { consentAmazon } from '../support/amazon';
import { ask, get, post, type Asking } from '../support/api';
import { buildApk } from '../support/builders/app';
import { buildOrden } from '../support/builders/ordenes';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { authorize } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

process.env.API_GET_MUTANTE = '1';
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 1, ritmo: 100_000 },
});
const { db } = testDatabase();
let sa: Usuario;
let token: string;

beforeAll(async () => {
  sa = await buildPersona(db, 'sa');
  token = await db.transaction().execute((trx) => openSession(trx, sa, true));
}, 60_000);

const said = ({ status, body }: { status: number; body: unknown }) => [status, (body as { message: string }).message];
const urlOf = async (path: string) => ((await get(path, token)).body as { url: string }).url;

test('an account of Mercado Libre is linked with what it sent back, in the session where it began, and once', async () => {
  const back = await authorize(sandbox, await urlOf('/api/urlActivacionML'));
  const other = await db.transaction().execute((trx) => openSession(trx, sa, true));
  const vencida = [
    200,
    'La activación venció, ya se usó o la empezó otra persona. Vuelve a presionar «Activar Mercado Libre».',
  ];
  expect(said(await post('/api/activacionML', { code: back.code }, token))).toEqual(vencida);
  expect(said(await post('/api/activacionML', back, other))).toEqual(vencida);
  const linked = await post('/api/activacionML', back, token);
  expect(linked.body).toEqual({ user_id: expect.stringMatching(/^\d+$/) as string });
  expect((await get('/api/existML', token)).body).toEqual({ exist: true });
  expect(said(await post('/api/activacionML', back, token))).toEqual(vencida);
});

test('an account of Amazon is linked by what it sent back, or by a token of its console', async () => {
  expect(said(await post('/api/vincularEB', {}, token))).toEqual([200, 'No existe una cuanta activada.']);
  expect(said(await post('/api/informacionAutorizacionAMZ', { refresh_token: 'x' }, token))[1]).toContain('Falta');
  const back = Object.fromEntries(await consentAmazon(await urlOf('/api/linkVinculacionAMZ')));
  const { body } = await post('/api/linkConfirmacionAMZ', { ...back, amazon_callback_uri: null }, token);
  expect((body as { url: string }).url).toContain('/sa/tokens?activacion=amazonLista');
  expect((await get('/api/VerificarExitenciaTokenAMZ', token)).body).toMatchObject({
    access_token: true,
    EBConfig: false,
  });
  expect((await post('/api/vincularEB', {}, token)).body).toMatchObject({ error: true });
  const ajena = { amazon_callback_uri: 'https://malo.test/apps', amazon_state: 'x' };
  expect(said(await post('/api/linkConfirmacionAMZ', ajena, token))[1]).toContain('no es de Amazon');
  expect(
    said(
      await post('/api/informacionAutorizacionAMZ', { refresh_token: 'Atzr|no', selling_partner_id: SELLER_ID }, token),
    ),
  ).toEqual([200, 'Amazon no reconoce ese token. Revisa que sea de esta aplicación.']);
});

test('the return of a channel that is no more is noted and refused', async () => {
  expect(said(await post('/api/apiSh/activacion', { code: 'x', shopID: 77 }, token))).toEqual([
    200,
    'Llegó la respuesta de una tienda que Trastienda no maneja. No se guardó nada de ella.',
  ]);
  const noted = await db.selectFrom('bitacora').select('datos').where('entidadId', '=', 'tercerCanal').execute();
  expect(noted).toEqual([{ datos: { tienda: '77' } }]);
});

function formOf(campo: string, bytes: Buffer | string, nombre: string): FormData {
  const form = new FormData();
  form.set(campo, new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), nombre);
  return form;
}

test('a price list is received for people to apply, and what is none is told', async () => {
  const lista = 'id\tmodelo\tprecio_lista\tprecio_descuento\ttotal_existencia\n1\tM-1\t9\t7\t66\n';
  const sent = await ask('POST', '/api/syscom/file', { token, body: formOf('file', lista, 'lista.csv') });
  expect(sent.status === 200 || said(sent)[1]).toBeTruthy();
  expect(said(await ask('POST', '/api/syscom/file', { token, body: formOf('otro', lista, 'x') }))).toEqual([
    200,
    'No se detecto archivo',
  ]);
  expect((await ask('POST', '/api/syscom/file', { token, body: { file: 'x' } })).status).toBe(415);
});

test('the app is sent as it comes, and fetched whole or from where it broke off', async () => {
  expect(said(await get('/api/empresa/download', token))).toEqual([200, 'Todavía no hay una app.']);
  const apk = buildApk({ relleno: 1_200_000, version: '7.0' });
  expect(
    (await ask('POST', '/api/empresa/file/app', { token, body: formOf('file', randomBytes(300), 'x.apk') })).body,
  ).toMatchObject({ error: true });
  const sent = await ask('POST', '/api/empresa/file/app', { token, body: formOf('file', apk, 'tienda.apk') });
  expect(sent.body).toEqual({ error: false, message: 'Se subió la app correctamente.' });
  const bytes = async (headers: Record<string, string> = {}) => {
    const { response } = await ask('GET', '/api/empresa/download', { token, headers });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const whole = await bytes();
  expect([whole.status, whole.bytes.equals(apk)]).toEqual([200, true]);
  const rest = await bytes({ Range: 'bytes=1000000-' });
  expect([rest.status, rest.bytes.equals(apk.subarray(1_000_000))]).toEqual([206, true]);
});

const DATOS = {
  nombreReceptor: 'Ana',
  apellidos: 'Pérez',
  telefono: '5512345678',
  cp: '06600',
  colonia: 'Juárez',
  ciudad: 'México',
  estado: 'CDMX',
  calle: 'Hamburgo',
  numeroE: '10',
};
const PAQUETERIA = { nombre: 'DHL', guia: 'JD014600', link: 'https://www.dhl.com/mx' };

test('a shipment of ours is given its data, its courier and its price, by its sale or by itself', async () => {
  const { numOrden } = await buildOrden(db, { envioPropio: true, envio: null });
  const made = await post(
    `/api/envio/${numOrden}`,
    { ...DATOS, costo: 120, estatus: 'enPreparacion', paqueteria: PAQUETERIA },
    token,
  );
  expect(made.body).toMatchObject({
    nombreReceptor: 'Ana',
    apellidos: 'Pérez',
    cp: '06600',
    costo: 120,
    cobrado: 120,
    paqueteria: PAQUETERIA,
  });
  const { _id } = made.body as { _id: string };
  // What was read is put back, as often as one likes, and the receiver keeps the name.
  let leido: object = made.body;
  for (let n = 0; n < 3; n++) leido = (await ask('PUT', '/api/envio', { token, body: leido })).body;
  expect(leido).toEqual(made.body);
  const put = (body: object) => ask('PUT', '/api/envio', { token, body: { _id, ...body } });
  expect((await put({ cobrado: '99.50' })).body).toMatchObject({
    costo: 99.5,
    cobrado: 99.5,
    cp: '06600',
    paqueteria: PAQUETERIA,
  });
  expect((await put({ estatus: 'enCamino' })).body).toMatchObject({ estatus: 'enCamino', costo: 99.5 });
  expect(said(await put({ costo: 0 }))).toEqual([200, 'El costo debe ser mayor a 0 (costo)']);
  expect(said(await put({ paqueteria: { ...PAQUETERIA, nombre: 'Otra' }, estatus: 'enCamino' }))[1]).toContain('(');
  const ajena = await buildOrden(db, { envioPropio: false });
  expect(said(await post(`/api/envio/${ajena.numOrden}`, { costo: 5 }, token))).toEqual([
    200,
    'El marketplace lleva este envío y sus datos no se cambian aquí.',
  ]);
  expect(said(await post('/api/envio/nada', { costo: 5 }, token))).toEqual([200, 'Lo que se pidió no existe.']);
});

test('what Syscom invoiced of a sale is asked by its id', async () => {
  const { id } = await buildOrden(db);
  expect((await get(`/api/syscom/factura/${id}`, token)).body).toEqual([]);
});

test('with its setting a GET of the old client still changes something, but never from a page', async () => {
  const id = await db.transaction().execute((trx) => createEmpresa(trx, sa, 'De GET'));
  const activar = async (headers: Asking['headers'] = {}, method = 'GET') =>
    (await ask(method, `/api/empresa/activar/${id}`, { token, headers })).status;
  const activa = async () =>
    (await db.selectFrom('empresa').select('activo').where('id', '=', id).executeTakeFirstOrThrow()).activo;
  await db.updateTable('empresa').set({ activo: false }).where('id', '=', id).execute();
  for (const name of ['Origin', 'Referer', 'Sec-Fetch-Site'])
    expect(await activar({ [name]: 'same-origin' })).toBe(405);
  expect([await activar({}, 'HEAD'), await activa()]).toEqual([405, false]);
  expect([await activar(), await activa()]).toEqual([200, true]);
});
