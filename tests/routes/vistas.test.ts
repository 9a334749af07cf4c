import type { AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { direccionOf, estadoOf } from '~/core/vistas';
import type { Usuario } from '~/core/usuario';
import { MAX_VISTAS } from '~/platform/lists/vistas.server';
import { takeFlash } from '~/http/flash.server';
import { loader as ordenes } from '~/routes/ventas/ordenes/lista';
import { action } from '~/routes/files/listas';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const CAMPOS = ['q', 'orden', 'desde', 'hasta', 'rango', 'cols', 'densidad'];
let sa: Usuario;
let admin: Usuario;
let ana: Usuario;
let luis: Usuario;

beforeAll(async () => {
  [sa, admin, ana, luis] = (await Promise.all(
    (['sa', 'admin', 'user', 'user'] as const).map((rol) => buildPersona(db, rol)),
  )) as [Usuario, Usuario, Usuario, Usuario];
});
beforeEach(async () => {
  await db.deleteFrom('vista').execute();
  await db.deleteFrom('columnasDeLista').execute();
});

const contextOf = (usuario: Usuario) => ({ usuario }) as unknown as AppLoadContext;

async function send(quien: Usuario, fields: Record<string, string | string[]>, query = '') {
  const body = new URLSearchParams({ volver: `/${quien.rol}/ordenes${query}` });
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
  return (await action({
    request: new Request(`http://trastienda.test/${quien.rol}/listas/ordenes`, { method: 'POST', body }),
    params: { lista: 'ordenes' },
    context: contextOf(quien),
  })) as Response;
}
const guardar = (quien: Usuario, nombre: string, query: string, more: Record<string, string | string[]> = {}) =>
  send(quien, { intent: 'guardarVista', nombre, ...more }, query);

/** What an address leads to: the page, or where it sends to. */
async function open(quien: Usuario, query = '') {
  const request = new Request(`http://trastienda.test/${quien.rol}/ordenes${query}`);
  try {
    return { lista: (await ordenes({ request, params: {}, context: contextOf(quien) })).lista };
  } catch (sent) {
    if (sent instanceof Response) return { to: sent.headers.get('Location') };
    throw sent;
  }
}
const vistasDe = async (quien: Usuario) => (await open(quien, '?q=x')).lista!.vistas;

test('a view is what its page says: filters, sort, columns and rows, and nothing of what was open', async () => {
  const answer = await guardar(ana, 'Cámaras', '?q=camara&orden=-pagado&rango=esteMes&ver=abc&pagina=2', {
    densidad: 'compacta',
  });
  const [vista] = await vistasDe(ana);
  expect(vista).toMatchObject({
    nombre: 'Cámaras',
    consulta: 'densidad=compacta&orden=-pagado&q=camara&rango=esteMes',
    editable: true,
  });
  expect(answer.headers.get('Location')).toBe(`/user/ordenes?vista=${vista!.id}&${vista!.consulta}`);
});

test('a view takes along the columns as its owner has them', async () => {
  await send(ana, { intent: 'ancho', clave: 'titulo', ancho: '300' });
  await guardar(ana, 'Ancha', '?q=camara');
  expect((await vistasDe(ana))[0]!.consulta).toBe('cols=titulo.300&q=camara');
});

test('the name of a view alone leads to all it says; whoever says more is believed', async () => {
  await guardar(ana, 'Cámaras', '?q=camara');
  const { id } = (await vistasDe(ana))[0]!;
  expect(await open(ana, `?vista=${id}`)).toEqual({ to: `/user/ordenes?vista=${id}&q=camara` });
  expect((await open(ana, `?vista=${id}&q=domo`)).lista!.filtro.q).toBe('domo');
  expect((await open(ana, '?vista=no-hay')).lista!.filtro.q).toBe('');
});

test("a view is its owner's alone until sa or admin share one with a role", async () => {
  await guardar(ana, 'De Ana', '?q=camara');
  expect(await vistasDe(luis)).toEqual([]);
  await guardar(admin, 'De todos', '?q=domo', { roles: ['user', 'cont'] });
  expect((await vistasDe(luis)).map(({ nombre, editable }) => ({ nombre, editable }))).toEqual([
    { nombre: 'De todos', editable: false },
  ]);
  expect((await vistasDe(ana)).map(({ nombre }) => nombre)).toEqual(['De todos', 'De Ana']);
});

test('who may not share shares nothing', async () => {
  expect(await guardar(ana, 'Mía', '?q=camara', { roles: 'user' })).toMatchObject({ init: { status: 422 } });
  expect(await guardar(ana, 'Mía', '?q=camara', { iniciales: 'user' })).toMatchObject({ init: { status: 422 } });
  expect(await db.selectFrom('vista').selectAll().execute()).toEqual([]);
});

test('nobody shares with a role that may not open the list', async () => {
  await guardar(sa, 'Para aux', '?q=camara', { roles: ['aux', 'user'], iniciales: 'aux' });
  expect((await vistasDe(sa))[0]).toMatchObject({ roles: ['user'], iniciales: [] });
});

test('a role begins with the view that was chosen for it, and finds the list without any as well', async () => {
  await guardar(sa, 'Del día', '?rango=hoy', { iniciales: 'user' });
  const [vista] = await vistasDe(ana);
  expect(vista).toMatchObject({ roles: ['user'], iniciales: ['user'] });
  expect(await open(ana)).toEqual({ to: `/user/ordenes?vista=${vista!.id}&rango=hoy` });
  expect(await open(admin)).toHaveProperty('lista');
  for (const query of ['?vista=todas', '?q=camara', '?orden=titulo'])
    expect(await open(ana, query), query).toHaveProperty('lista');
  await guardar(sa, 'De ayer', '?rango=ayer', { iniciales: 'user' });
  expect((await open(ana)).to).toMatch(/rango=ayer$/);
});

test('only its owner and sa change a view or take it away', async () => {
  await guardar(admin, 'De todos', '?q=domo', { roles: 'user' });
  const { id } = (await vistasDe(admin))[0]!;
  const nombre = async () => (await vistasDe(ana)).map((one) => `${one.nombre} ${one.consulta}`);
  await send(ana, { intent: 'actualizarVista', id }, '?q=otra');
  await send(ana, { intent: 'eliminarVista', id });
  await guardar(ana, 'Robada', '?q=otra', { id });
  expect(await nombre()).toEqual(['De todos q=domo']);
  await send(admin, { intent: 'actualizarVista', id }, '?q=grabador');
  expect(await nombre()).toEqual(['De todos q=grabador']);
  await guardar(sa, 'De la casa', '?q=nvr', { id, roles: 'user' });
  expect(await nombre()).toEqual(['De la casa q=nvr']);
  expect((await send(sa, { intent: 'eliminarVista', id }, `?vista=${id}&q=nvr`)).headers.get('Location')).toBe(
    '/sa/ordenes?vista=todas',
  );
  expect(await nombre()).toEqual([]);
});

test('a second view by one name is told apart, also when both are sent at once, and there is an end to them', async () => {
  await Promise.all([guardar(ana, 'Una', '?q=a'), guardar(ana, 'una', '?q=b')]);
  expect((await vistasDe(ana)).map(({ nombre }) => nombre.toLowerCase())).toEqual(['una', 'una 2']);
  for (let n = 2; n < MAX_VISTAS + 3; n++) await guardar(ana, `v${n}`, '?q=a');
  expect(await vistasDe(ana)).toHaveLength(MAX_VISTAS);
});

test('an address says the same of a list in any order, and a tab keeps what is not of the list', () => {
  expect(estadoOf('?q=a&ver=1&orden=b', CAMPOS)).toBe(estadoOf('?orden=b&pagina=3&q=a', CAMPOS));
  expect(direccionOf('?tipo=notas&q=a&ver=1&pagina=2', CAMPOS, { id: 'v', consulta: 'rango=hoy' })).toBe(
    '?tipo=notas&vista=v&rango=hoy',
  );
  expect(direccionOf('?tipo=notas&q=a&vista=v', CAMPOS, null)).toBe('?tipo=notas');
});

/** The form of the notice's 'Deshacer', as the answer carries it to the next page. */
const deshacerDe = async (answer: Response) => {
  const cookies = answer.headers.getSetCookie().join('; ');
  return (await takeFlash(new Request('http://trastienda.test/', { headers: { Cookie: cookies } })))?.aviso.deshacer;
};

test('a view that was taken away comes back as it was by the notice that says so, to who took it and while its name is free', async () => {
  await guardar(sa, 'Urgentes', '?q=domo', { roles: 'user', iniciales: 'user' });
  const [antes] = await vistasDe(sa);
  const deshacer = await deshacerDe(await send(sa, { intent: 'eliminarVista', id: antes!.id }));
  expect(deshacer).toEqual({ action: '/sa/listas/ordenes', campos: { intent: 'reponerVista', id: antes!.id } });
  await send(ana, deshacer!.campos);
  expect(await vistasDe(sa)).toEqual([]);
  await guardar(sa, 'Urgentes', '?q=otra');
  const back = await send(sa, deshacer!.campos, '?vista=todas');
  expect(back.headers.get('Location')).toBe(`/sa/ordenes?vista=${antes!.id}&q=domo`);
  expect(await vistasDe(sa)).toContainEqual({ ...antes, nombre: 'Urgentes 2' });
  // Nothing was taken away by who may not, so nothing is offered.
  expect(await deshacerDe(await send(ana, { intent: 'eliminarVista', id: antes!.id }))).toBeUndefined();
});

test('a view that nobody put back in a day is gone', async () => {
  await guardar(sa, 'Vieja', '?q=domo');
  const [vieja] = await vistasDe(sa);
  await send(sa, { intent: 'eliminarVista', id: vieja!.id });
  await db
    .updateTable('vista')
    .set({ retirada: new Date(Date.now() - 25 * 3_600_000) })
    .execute();
  await guardar(sa, 'Otra', '?q=otra');
  await send(sa, { intent: 'eliminarVista', id: (await vistasDe(sa))[0]!.id });
  expect((await db.selectFrom('vista').select('nombre').execute()).map(({ nombre }) => nombre)).toEqual(['Otra']);
});
