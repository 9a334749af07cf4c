import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeEach, expect, test } from 'vitest';
import { inicialesOf, inicioOf } from '~/access/menu';
import { comienzoOf } from '~/access/session.server';
import { COLAS, columnaOf } from '~/domain/operacion/hoyCatalog.server';
import { readInicio } from '~/domain/personal/preferencias.server';
import { ROLES, type Usuario } from '~/core/usuario';
import { forget } from '~/platform/hoy/fresco.server';
import { action } from '~/routes/files/preferencias';
import { loader } from '~/routes/inicio/hoy/hoy';
import { buildOrden } from '../support/builders/ordenes';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  forget();
  await db.deleteFrom('preferencia').execute();
});

const args = (usuario: Usuario, body?: Record<string, string>): ActionFunctionArgs => ({
  request: new Request(
    `http://trastienda.test/${usuario.rol}/hoy?acomodar=1`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  ),
  params: {},
  context: { usuario } as unknown as AppLoadContext,
});
const send = async (usuario: Usuario, body: Record<string, string>) => void (await action(args(usuario, body)));
const hoy = async (usuario: Usuario) => {
  forget();
  return loader(args(usuario));
};
const columna = async (usuario: Usuario, cual: 1 | 2) =>
  (await hoy(usuario)).cartas.filter((carta) => carta.columna === cual).map(({ clave }) => clave);
const mover = (carta: string, hacia: string) => ({ intent: 'moverCarta', carta, hacia });

test('a person moves a card within its column, for themselves alone; the other column and other people keep theirs; the house takes it back', async () => {
  const [ana, beto] = [await buildPersona(db, 'sa'), await buildPersona(db, 'admin')];
  const [izquierda, derecha] = [await columna(ana, 1), await columna(ana, 2)];
  expect(izquierda.slice(0, 2)).toEqual(['porEnviar', 'reclamos']);
  await send(ana, mover('reclamos', 'arriba'));
  expect(await columna(ana, 1)).toEqual(['reclamos', 'porEnviar', ...izquierda.slice(2)]);
  expect([await columna(ana, 2), (await columna(beto, 1))[0]]).toEqual([derecha, 'porEnviar']);
  await send(ana, mover('noExiste', 'abajo'));
  await send(ana, { intent: 'ordenDeLaCasa' });
  expect(await columna(ana, 1)).toEqual(izquierda);
});

test('two presses at once both count', async () => {
  const ana = await buildPersona(db, 'sa');
  const antes = await columna(ana, 1);
  const ultima = antes.at(-1)!;
  await Promise.all([1, 2, 3].map(() => send(ana, mover(ultima, 'arriba'))));
  expect((await columna(ana, 1)).indexOf(ultima)).toBe(antes.length - 4);
});

test('a card that is put aside stays told by its count, is not the first thing to do, and comes back to its place', async () => {
  const ana = await buildPersona(db, 'sa');
  await buildOrden(db, { fechaCreacion: new Date(Date.now() - 60 * 3_600_000), titulo: 'Vieja' });
  // No marketplace is linked, which is what weighs most.
  expect((await hoy(ana)).primera?.clave).toBe('fuentesEnSilencio');
  const antes = await columna(ana, columnaOf('fuentesEnSilencio'));
  await send(ana, { intent: 'apartarCarta', carta: 'fuentesEnSilencio', aparte: '1' });
  await send(ana, { intent: 'apartarCarta', carta: 'noExiste', aparte: '1' });
  const { otras, primera } = await hoy(ana);
  expect(otras).toMatchObject([{ clave: 'fuentesEnSilencio', total: 1 }]);
  expect(primera?.clave).toBe('porEnviar');
  expect(await columna(ana, columnaOf('fuentesEnSilencio'))).toEqual(
    antes.filter((clave) => clave !== 'fuentesEnSilencio'),
  );
  await send(ana, { intent: 'apartarCarta', carta: 'fuentesEnSilencio', aparte: '0' });
  expect(await columna(ana, columnaOf('fuentesEnSilencio'))).toEqual(antes);
  expect((await hoy(ana)).otras).toEqual([]);
});

test('each queue has one column, whatever the role sees', () => {
  const columnas = COLAS.map(({ clave }) => columnaOf(clave));
  expect(Math.abs(columnas.filter((una) => una === 1).length - columnas.length / 2)).toBeLessThanOrEqual(1);
});

test.each(ROLES)(
  '%s starts on the home, or on the screen of their menu that they chose; an address that was asked for goes first',
  async (rol) => {
    const quien = await buildPersona(db, rol);
    const de = async (volver: string | null = null) => comienzoOf(quien, volver, await readInicio(db, quien.id));
    expect(await de()).toBe(`/${rol}`);
    await send(quien, { intent: 'inicio', inicio: 'noExiste' });
    expect(await de()).toBe(`/${rol}`);
    const elegida = inicialesOf(rol).at(-1)!;
    await send(quien, { intent: 'inicio', inicio: elegida.to.split('/').at(-1)! });
    expect([await de(), await de(`/${rol}`)]).toEqual([elegida.to, elegida.to]);
    expect(await de(`/${rol}/datosUsuario?x=1`)).toBe(`/${rol}/datosUsuario?x=1`);
    await send(quien, { intent: 'inicio', inicio: '' });
    expect(await de()).toBe(`/${rol}`);
  },
);

test('a screen that left the menu of a role is no start any more', () => {
  expect([inicioOf('user', 'hoy'), inicioOf('cont', 'usuarios'), inicioOf('sa', 'hoy')]).toEqual([
    '/user/hoy',
    '/cont',
    '/sa',
  ]);
});
