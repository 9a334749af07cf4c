import type { AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { takeFlash } from '~/http/flash.server';
import { loader as ordenes } from '~/routes/ventas/ordenes/lista';
import { action } from '~/routes/files/listas';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
let ana: Usuario;
let luis: Usuario;

beforeAll(async () => {
  ana = await buildPersona(db, 'user');
  luis = await buildPersona(db, 'aux');
});
beforeEach(async () => {
  await db.deleteFrom('columnasDeLista').execute();
});

const contextOf = (usuario: Usuario) => ({ usuario }) as unknown as AppLoadContext;
const send = async (fields: Record<string, string>, { quien = ana, lista = 'ordenes' } = {}) =>
  (await action({
    request: new Request(`http://trastienda.test/user/listas/${lista}`, {
      method: 'POST',
      body: new URLSearchParams({ volver: '/user/ordenes', ...fields }),
    }),
    params: { lista },
    context: contextOf(quien),
  })) as Response;
const columnasEn = async (query = '', usuario = ana) => {
  const request = new Request(`http://trastienda.test/user/ordenes${query}`);
  return (await ordenes({ request, params: {}, context: contextOf(usuario) })).lista.columnas;
};

const rows = (...columnas: { clave: string; ver?: 'on'; ancho?: string }[]) => ({
  intent: 'columnas',
  ...Object.fromEntries(
    columnas.flatMap((one, at) => Object.entries(one).map(([name, value]) => [`columnas[${at}].${name}`, value])),
  ),
});
const TRES = rows({ clave: 'fecha', ver: 'on' }, { clave: 'rfc' }, { clave: 'titulo', ver: 'on', ancho: '320' });

test('who never chose has the columns as the list has them', async () => {
  expect(await columnasEn()).toBeNull();
});

test('order, sight and width are kept for this person and this list', async () => {
  expect((await send(TRES)).headers.get('Location')).toBe('/user/ordenes');
  expect(await columnasEn()).toBe('fecha_-rfc_titulo.320');
  const otra = await buildPersona(db, 'user');
  expect(await columnasEn('', otra)).toBeNull();
});

test('an arrow moves its column by one place, and stops at the ends', async () => {
  await send({ ...TRES, mover: 'subir-titulo' });
  expect(await columnasEn()).toBe('fecha_titulo.320_-rfc');
  await send({ ...TRES, mover: 'bajar-fecha' });
  expect(await columnasEn()).toBe('-rfc_fecha_titulo.320');
  await send({ ...TRES, mover: 'subir-fecha' });
  expect(await columnasEn()).toBe('fecha_-rfc_titulo.320');
});

test('a width that was dragged changes that column alone, whether there was a choice before or not', async () => {
  await send({ intent: 'ancho', clave: 'titulo', ancho: '250' });
  expect(await columnasEn()).toBe('titulo.250');
  await send(TRES);
  await Promise.all([
    send({ intent: 'ancho', clave: 'fecha', ancho: '90' }),
    send({ intent: 'ancho', clave: 'rfc', ancho: '140' }),
  ]);
  expect(await columnasEn()).toBe('fecha.90_-rfc.140_titulo.320');
});

test('an address that says how the columns come outranks the person, and changing them changes the address alone', async () => {
  await send(TRES);
  expect(await columnasEn('?cols=titulo_fecha')).toBe('titulo_fecha');
  const volver = '/user/ordenes?q=camara&cols=titulo_fecha';
  const at = async (fields: Record<string, string>) => (await send({ ...fields, volver })).headers.get('Location');
  expect(await at({ intent: 'ancho', clave: 'fecha', ancho: '90' })).toBe(
    '/user/ordenes?q=camara&cols=titulo_fecha.90',
  );
  expect(await at(rows({ clave: 'fecha', ver: 'on' }))).toBe('/user/ordenes?q=camara&cols=fecha');
  expect(await at({ intent: 'restablecer' })).toBe('/user/ordenes?q=camara');
  expect(await columnasEn()).toBe('fecha_-rfc_titulo.320');
});

test('Restablecer gives the columns back as the list has them', async () => {
  await send(TRES);
  await send({ intent: 'restablecer' });
  expect(await columnasEn()).toBeNull();
});

test('nobody keeps columns of a list that they may not read, or that is none', async () => {
  expect((await send(TRES, { quien: luis })).status).toBe(404);
  expect((await send(TRES, { lista: 'nadie' })).status).toBe(404);
  expect(await db.selectFrom('columnasDeLista').selectAll().execute()).toEqual([]);
});

test.each<Record<string, string>>([
  { intent: 'ancho', clave: 'titulo', ancho: '9' },
  { intent: 'ancho', clave: "x' or 1=1", ancho: '90' },
  rows({ clave: 'fecha', ancho: '5000' }),
])('what is no column is refused: %o', async (fields) => {
  expect(await send(fields)).toMatchObject({ init: { status: 422 } });
});

test('columns that were put back to how everybody has them come again as they were', async () => {
  const deshacerDe = async (answer: Response) =>
    (
      await takeFlash(
        new Request('http://trastienda.test/', { headers: { Cookie: answer.headers.getSetCookie().join('; ') } }),
      )
    )?.aviso.deshacer;
  await send(TRES);
  const deshacer = await deshacerDe(await send({ intent: 'restablecer' }));
  expect(await columnasEn()).toBeNull();
  await send(deshacer!.campos);
  expect(await columnasEn()).toBe('fecha_-rfc_titulo.320');
  const volver = '/user/ordenes?cols=rfc';
  const enDireccion = await deshacerDe(await send({ intent: 'restablecer', volver }));
  const back = await send(enDireccion!.campos);
  expect(back.headers.get('Location')).toBe('/user/ordenes?cols=rfc');
  expect(await columnasEn()).toBe('fecha_-rfc_titulo.320');
});
