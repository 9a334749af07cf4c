import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { buildPiezas, buildProductoDeStock } from '../support/builders/stock';
import { testDatabase } from '../support/db';
import { buildUsuarios, Web } from '../support/web';

const { db } = testDatabase();
let web: Web;
let cookie: string;
let usuarioId: string;

beforeAll(async () => {
  await buildUsuarios(db);
  web = await Web.start();
  cookie = await web.session('user');
  usuarioId = (await db.selectFrom('usuario').select('id').where('rol', '=', 'user').executeTakeFirstOrThrow()).id;
}, 180_000);

const build = async (cuantas: number) =>
  buildPiezas(db, usuarioId, {
    producto: (await buildProductoDeStock(db)).id,
    cantidad: String(cuantas),
    estado: 'disponible',
  });
const page = async (path: string, of = cookie) => {
  const answer = await web.fetch(path, { cookie: of });
  return { status: answer.status, html: await answer.text() };
};
const leer = async (query: string) =>
  (await (await web.fetch(`/user/bodega/leer?${query}`, { cookie })).json()) as object;

test('a count is begun, read, ended and settled by its forms alone, without JavaScript', async () => {
  expect((await page('/user/conteos')).html).toContain('Todavía no se termina ningún conteo.');
  const [una, otra] = await build(2);
  const begun = await web.post('/user/conteos', { intent: 'empezar', parte: 'disponible' }, { cookie });
  const address = begun.headers.get('Location')!;
  expect([begun.status, address]).toMatchObject([302, expect.stringMatching(/\?ver=[0-9a-f-]{36}$/)]);
  const path = `/user/conteos${address.slice(address.indexOf('?'))}`;
  const conteo = path.slice(path.indexOf('=') + 1);
  expect((await page(path)).html).toContain('Descartar el conteo');
  const read = await web.post(path, { intent: 'leer', conteo, codigo: una!.folio }, { cookie });
  expect([read.status, await read.text()]).toMatchObject([200, expect.stringContaining(`${una!.folio} · Pieza`)]);
  const mal = await web.post(path, { intent: 'leer', conteo, codigo: '7501234567893' }, { cookie });
  expect(await mal.text()).toContain('7501234567893 no es un folio ni una etiqueta de aquí.');
  const asked = await web.post(path, { intent: 'terminar', conteo, leidas: '1' }, { cookie });
  expect(await asked.text()).toContain('Se encontraron 1 de 2. La que falta queda por resolver.');
  const stale = await web.post(path, { intent: 'terminar', conteo, leidas: '0', confirmado: '1' }, { cookie });
  expect([stale.status, await stale.text()]).toMatchObject([422, expect.stringContaining('Piezas leídas')]);
  await web.post(path, { intent: 'terminar', conteo, leidas: '1', confirmado: '1' }, { cookie });
  const ended = await page(path);
  expect(ended.html).toContain('Sigue sin aparecer');
  const diferencia = /name="diferencia" value="(\d+)"/.exec(ended.html)![1]!;
  const baja = {
    intent: 'decidir',
    conteo,
    diferencia,
    version: String(otra!.version),
    decision: 'baja',
    motivo: 'robada',
    confirmado: '1',
  };
  expect((await web.post(path, baja, { cookie })).status).toBe(302);
  expect((await page(path)).html).toContain('Baja: Robada');
  expect((await page('/user/conteos')).html).toContain('Todo resuelto');
});

test('a phone begins a count, reads into it and is told what is expected', async () => {
  const [una] = await build(1);
  const send = async (que: string, fields: Record<string, string>) =>
    (await (
      await web.post('/user/bodega/enviar', { que, clave: randomUUID(), usuario: usuarioId, ...fields }, { cookie })
    ).json()) as { conteo?: string; lectura?: object };
  const { conteo } = await send('empezarConteo', { parte: '' });
  expect(await leer('conteos=1')).toMatchObject({
    partes: expect.arrayContaining([expect.objectContaining({ conteo })]),
  });
  expect(await leer(`conteo=${conteo}`)).toMatchObject({ conteo: { id: conteo, encontradas: 0, terminado: false } });
  expect(await send('contar', { conteo: conteo!, codigo: una!.folio })).toMatchObject({
    lectura: { clase: 'encontrada' },
  });
  expect(await leer(`conteo=${conteo}`)).toMatchObject({ conteo: { encontradas: 1, vistas: [una!.folio] } });
  // What a phone shows to whoever stands around it tells no cost.
  expect(JSON.stringify(await leer(`conteo=${conteo}`))).not.toContain('costo');
  expect(await leer(`conteo=${randomUUID()}`)).toEqual({ clase: 'nada' });
});

test('who may not move pieces sees no count, and an address of none says so', async () => {
  expect((await page('/cont/conteos', await web.session('cont'))).status).toBe(418);
  expect((await page('/user/conteos', await web.session('aux'))).status).toBe(403);
  const none = await page('/user/conteos?ver=nada');
  expect([none.status, none.html]).toMatchObject([404, expect.stringContaining('El conteo no existe')]);
});
