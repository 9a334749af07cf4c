import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { buildOrden } from '../support/builders/ordenes';
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

const una = async () => (await buildPiezas(db, usuarioId, { producto: (await buildProductoDeStock(db)).id }))[0]!;

test('only the page of the warehouse may ask for the camera', async () => {
  const asks = async (path: string) =>
    (await web.fetch(path, { cookie })).headers.get('Permissions-Policy')?.includes('camera=(self)');
  expect(await Promise.all(['/user/bodega', '/user/bodega/cascaron'].map(asks))).toEqual([true, true]);
  expect(await Promise.all(['/user/stockInterno', '/user/bodega/leer?texto=x', '/login'].map(asks))).toEqual([
    false,
    false,
    false,
  ]);
});

test('what a phone keeps to open without signal names nobody, and nothing else may be kept', async () => {
  const { folio } = await una();
  const kept = await (await web.fetch('/user/bodega/cascaron', { cookie })).text();
  expect(kept).toContain('<h1 tabindex="-1">Bodega</h1>');
  expect(kept).not.toMatch(/data-usuario/);
  expect(kept).not.toContain(usuarioId);
  const page = await web.fetch('/user/bodega', { cookie });
  expect(await page.text()).toContain(`data-usuario="${usuarioId}"`);
  const piece = await web.fetch(`/user/bodega/leer?texto=${folio}`, { cookie });
  expect(await piece.json()).toMatchObject({ clase: 'pieza', pieza: { folio } });
  expect([page, piece].map(({ headers }) => headers.get('Cache-Control'))).toEqual(['no-store', 'no-store']);
  const manifest = (await (await web.fetch('/user/bodega/manifiesto', { cookie })).json()) as object;
  expect(manifest).toMatchObject({ start_url: '/user/bodega', scope: '/user/bodega', display: 'standalone' });
});

test('a folio typed without JavaScript leads to its piece, where its state is changed', async () => {
  const { folio } = await una();
  const answer = await web.fetch(`/user/bodega?texto=${folio}`, { cookie });
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, `/siqr/${folio}`]);
});

test('whoever mistypes the password before a scanned piece still comes to it', async () => {
  const volver = `/siqr/${(await una()).folio}`;
  const answer = await web.post('/login', { intent: 'entrar', usuario: 'user', password: 'Otra#12345', volver });
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain(`name="volver" value="${volver}"`);
});

test('the page of a label asks, and with the answer does it, all without JavaScript', async () => {
  const { id, folio, version } = await una();
  const baja = { intent: 'moverPieza', id, version: String(version), estado: 'baja' };
  const asked = await web.post(`/siqr/${folio}`, baja, { cookie });
  const html = await asked.text();
  expect(html).toContain(`¿Está seguro que desea pasar ${folio} a Baja?`);
  expect(html).toContain('name="confirmado"');
  const done = await web.post(`/siqr/${folio}`, { ...baja, confirmado: '1' }, { cookie });
  expect([done.status, done.headers.get('Location')]).toEqual([302, `/siqr/${folio}`]);
});

test('a shift begins with what waits to be received', async () => {
  const orden = await buildOrden(db, { clase: 'devuelta', envio: { estatus: 'delivered' } });
  const answer = await web.fetch('/user/bodega/leer', { cookie });
  expect(await answer.json()).toMatchObject({ clase: 'porRecibir', total: 1, ventas: [{ numero: orden.numOrden }] });
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
});

test('a press is sent under the name of who made it, and one about a piece that moved is told with both', async () => {
  const { id, version } = await una();
  const send = (more: Record<string, string>) =>
    web.post(
      '/user/bodega/enviar',
      { que: 'estado', clave: randomUUID(), usuario: usuarioId, id, version: String(version), ...more },
      { cookie },
    );
  const ajena = await send({ estado: 'disponible', usuario: randomUUID() });
  expect([ajena.status, await ajena.json()]).toMatchObject([422, { texto: 'Esto lo hizo otra persona.' }]);
  const hecha = await send({ estado: 'disponible' });
  expect([hecha.status, await hecha.json()]).toMatchObject([200, { estado: 'disponible', version: version + 1 }]);
  const tarde = await send({ estado: 'danado' });
  expect([tarde.status, await tarde.json()]).toMatchObject([
    409,
    { choque: true, pieza: { estado: 'disponible', version: version + 1 } },
  ]);
  const malas: Record<string, string>[] = [{ que: 'baja' }, { clave: '1' }, { estado: 'nuevo' }, { id: '\0' }];
  for (const mala of malas) expect((await send({ estado: 'baja', ...mala })).status).toBe(422);
});
