/** What the old client does with returns, with the payments of suppliers and with listings. */
import { beforeAll, expect, test } from 'vitest';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, get, post } from '../support/api';
import { cep } from '../support/builders/archivos';
import { buildOrden } from '../support/builders/ordenes';
import { buildPorPublicar } from '../support/builders/publicador';
import { unPdf } from '../support/builders/stock';
import { testDatabase } from '../support/db';
import { runUntilSettled, withWorker } from '../support/jobs';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';
import { buildUsuarios } from '../support/web';

process.env.EFFECT_PACE = '0.02';
// Pictures of suppliers cannot be reached from a test: the marketplace is left to fetch them.
process.env.IMAGENES_DE = 'syscom.mx.invalid';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let token: string;
let user: string;

beforeAll(async () => {
  const ids = await buildUsuarios(db);
  const open = (id: string) => db.transaction().execute((trx) => openSession(trx, { id }, true));
  [token, user] = [await open(ids.sa), await open(ids.user)];
  await linkSandbox(db, sandbox);
}, 60_000);

function form(fields: Record<string, string | File>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
const devolucion = (body: object, factura?: File, method = 'POST', llave?: string) =>
  ask(method, '/api/internalStock', {
    token,
    body: form({ body: JSON.stringify(body), ...(factura && { files: factura }) }),
    ...(llave !== undefined && { headers: { 'Idempotency-Key': llave } }),
  });
const said = ({ status, body }: { status: number; body: unknown }) => [status, (body as { message: string }).message];

test('a return becomes pieces, each with its folio, and the same key makes them once', async () => {
  const primera = await buildOrden(db);
  const { id, numOrden } = await buildOrden(db);
  const { id: producto } = await buildPorPublicar(db);
  const body = {
    orden: numOrden,
    producto,
    cantidad: 2,
    cost: 100.5,
    status: 'enRevision',
    factura: { supplier: 'syscom' },
    folioF: 'F-9',
  };
  const made = await devolucion(body, unPdf(), 'POST', 'una-vez');
  expect(made.status).toBe(200);
  const [folio] = made.body as unknown as string[];
  expect(made.body).toHaveLength(2);
  expect((await devolucion(body, unPdf(), 'POST', 'una-vez')).body).toEqual(made.body);
  expect(said(await devolucion(body, unPdf('otra'), 'POST', 'una-vez'))[1]).toContain('Esta llave ya se usó');
  const { body: pieza } = await get(`/api/internalStocks/${folio}/${token}`);
  expect(pieza).toMatchObject({
    cost: 100.5,
    factura: {
      folio: 'F-9',
      supplier: 'syscom',
      supplierLabel: 'Syscom',
      file: { mimetype: 'application/pdf', buffer: { type: 'Buffer' } },
    },
    producto: { _id: producto },
    orden: { numOrden },
    statusHistory: [{ status: 'En revisión' }],
  });
  const changed = await devolucion(
    { _id: (pieza as { _id: string })._id, amountRecovered: '40', eliminarFactura: true },
    undefined,
    'PUT',
  );
  expect(changed.body).toMatchObject({
    cost: 100.5,
    amountRecovered: 40,
    factura: { folio: null, file: null },
    orden: { numOrden },
  });
  // What was read is put back as it is, also by a browser that sends JSON as a Blob.
  const data = new FormData();
  data.set('body', new Blob([JSON.stringify(changed.body)], { type: 'application/json' }), 'blob');
  expect((await ask('PUT', '/api/internalStock', { token, body: data })).body).toEqual(changed.body);
  // The number is a cart's by now, whose first sale is another one: the piece stays with its own.
  await db.updateTable('orden').set({ numOrden }).where('id', '=', primera.id).execute();
  const { _id } = pieza as { _id: string };
  for (const orden of [undefined, '', numOrden, id])
    expect((await devolucion({ _id, observations: 'x', orden }, undefined, 'PUT')).status).toBe(200);
  const { ordenId } = await db
    .selectFrom('stockInterno')
    .select('ordenId')
    .where('id', '=', _id)
    .executeTakeFirstOrThrow();
  expect(ordenId).toBe(id);
});

test.each([
  [{ cost: 10 }, undefined, 'Este dato es necesario'],
  [{ cost: 10, cantidad: 'dos' }, undefined, 'Cantidad no valida'],
  [
    { cost: 0, cantidad: 1 },
    undefined,
    'Error de llenado. Algunos datos son incorrectos o necesarios, por favor revisar sus datos',
  ],
  [{ cost: 1, cantidad: 1, folioF: 'F' }, undefined, 'No se detecto archivo (files)'],
  [{ cost: 1, cantidad: 1 }, unPdf(), 'No se detecto el folio de la factura (folioF)'],
  [{ cost: 1, cantidad: 1 }, undefined, 'Error: No se ha podido identificar el producto'],
])('what a return lacks is told in the words of its screen: %o', async (body, factura, texto) => {
  expect(said(await devolucion(body, factura))).toEqual([200, expect.stringContaining(texto) as string]);
});

test('what is neither a form nor JSON is refused', async () => {
  const { status } = await ask('POST', '/api/internalStock', {
    token,
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(status).toBe(415);
});

test('a payment is kept with its paper, and is of another sale too', async () => {
  const [una, otra] = [await buildOrden(db), await buildOrden(db)];
  const address = `/api/proveedorPagos/SPEI-7/${una.id}/syscom`;
  const file = new File([new Uint8Array(cep())], 'cep.xml');
  const kept = await ask('POST', address, { token, body: form({ file }) });
  expect(kept.body).toMatchObject({
    mensaje: 'Archivo enviado de forma correcta.',
    pago: { folio: 'SPEI-7', file: { mimetype: 'application/xml' } },
  });
  const { pago } = kept.body as { pago: { _id: string; file: { url: string } } };
  expect(said(await ask('POST', address, { token, body: form({ otro: 'x' }) }))).toEqual([
    200,
    'No se detecto archivo',
  ]);
  expect((await get('/api/proveedorPagos', token)).body).toMatchObject([{ _id: pago._id, folio: 'SPEI-7' }]);
  expect(
    (await post('/api/ordenes/proveedorPagos', { proveedorPagos: [pago._id], orden: otra.id }, token)).body,
  ).toEqual({
    error: false,
    message: 'Orden actualizada de forma correcta',
  });
  expect((await get(`/api/orden/${otra.id}`, token)).body).toMatchObject({ proveedorPagos: [{ folio: 'SPEI-7' }] });
  expect((await get(`/api/orden/${otra.id}`, user)).body).not.toHaveProperty('proveedorPagos');
});

const CABLES = 'MLM4637';
const ATRIBUTOS = [
  { id: 'BRAND', value_name: 'Saxxon' },
  { id: 'MODEL', value_name: 'CAT6' },
  { id: 'LENGTH', value_name: '3 m' },
  { id: 'EMPTY_GTIN_REASON', value_id: '17055160' },
];
const datosML = { category_id: CABLES, attributes: ATRIBUTOS };
let cuantas = 0;

async function publicada(productoId: string | null = null) {
  const clave = `MLM37${String(++cuantas).padStart(8, '0')}`;
  await sandbox.mercadolibre.post(`/publicaciones/${clave}`, {
    title: 'Cable',
    price: '250',
    quantity: 4,
    attributes: ATRIBUTOS.slice(0, 2),
    sinAviso: true,
  });
  const { id } = await db
    .insertInto('publicacion')
    .values({
      market: 'ml',
      clave,
      marketId: clave,
      titulo: `Cable ${clave}`,
      precio: '250',
      stock: 4,
      estatus: 'active',
      categoriaId: 'MLM167538',
      productoId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, clave };
}

test('listings come by pages, sorted as asked, and one is changed at its marketplace', async () => {
  const { id, clave } = await publicada();
  const query = encodeURIComponent(JSON.stringify({ market: ['ml'], page: 1, limit: 1, ordenar: { precio: -1 } }));
  expect((await get(`/api/publicaciones?query=${query}`, token)).body).toMatchObject({
    page: 1,
    limit: 1,
    pagingCounter: 1,
    hasPrevPage: false,
  });
  expect((await get(`/api/publicacionFiltrado?filtro=${clave}`, token)).body).toMatchObject({
    docs: [
      { _id: id, market: 'ml', precio: 250, datos: { id: clave, status: 'active', autoSync: false, descriptions: [] } },
    ],
    totalDocs: 1,
  });
  expect(said(await get('/api/publicaciones?query=%7B%22ordenar%22%3A%7B%22otro%22%3A1%7D%7D', token))[1]).toContain(
    'se ordena por dateCreated',
  );
  const change = {
    _id: id,
    title: `Cable ${clave}`,
    price: 260,
    available_quantity: 4,
    status: 'active',
    autoSync: false,
  };
  expect((await withWorker(() => ask('PUT', '/api/publicacion', { token, body: change }))).body).toMatchObject({
    _id: id,
    precio: 260,
  });
  expect(said(await ask('PUT', '/api/publicacion', { token, body: { ...change, price: 'x' } }))).toEqual([
    200,
    'El precio no es válido. (price)',
  ]);
});

test('categories are told with what each asks, and a product moves to one', async () => {
  const raices = (await get('/api/apiML/categorias', token)).body as unknown as { id: string }[];
  expect(raices.length).toBeGreaterThan(0);
  expect((await get(`/api/apiML/categoria/${raices[0]!.id}`, token)).body).toMatchObject({ id: raices[0]!.id });
  expect(said(await get('/api/apiML/categoria/MLM999999999', token))).toEqual([200, 'Lo que se pidió no existe.']);
  const { body: cables } = await get(`/api/apiML/categoria/attributes/${CABLES}`, token);
  const { atribReq } = cables as { atribReq: { id: string }[] };
  expect(atribReq.map(({ id }) => id)).toContain('LENGTH');
  expect(
    ((await get('/api/apiML/categoria/predict/cable%20de%20red', token)).body as unknown as object[]).length,
  ).toBeGreaterThan(0);
  const producto = await buildPorPublicar(db);
  const { clave } = await publicada(producto.id);
  const moved = await withWorker(() =>
    ask('PUT', `/api/producto/publicacion/${producto.id}`, { token, body: { datosML } }),
  );
  expect(moved.body).toEqual({ error: false, message: 'Se actualizo correctamente' });
  const there = await sandbox.mercadolibre.get<{ categoryId: string }>(`/publicaciones/${clave}`);
  expect(there.categoryId).toBe(CABLES);
});

test('a product without a listing is put on sale as the publisher proposes it, and what it lacks is told', async () => {
  const producto = await buildPorPublicar(db);
  await db
    .updateTable('producto')
    .set({ imagenes: [`https://fotos.syscom.mx.invalid/${producto.id}.png`] })
    .where('id', '=', producto.id)
    .execute();
  expect((await get(`/api/productos/sinPublicacion/ml?filtro=${producto.modelo}`, token)).body).toMatchObject({
    docs: [{ _id: producto.id, stock: 9 }],
    pagingCounter: 1,
  });
  expect((await post('/api/productos/buscador', { buscar: producto.modelo }, token)).body).toMatchObject({
    _id: producto.id,
    publicacion: { gold_pro: null, gold_special: null, amz: null },
  });
  expect(said(await post('/api/productos/buscador', { buscar: 'nada de esto' }, token))).toEqual([
    200,
    'No se encontro un producto',
  ]);
  const address = `/api/apiML/producto/publicacion/${producto.id}`;
  const lacking = await post(address, { datosML: { category_id: CABLES, attributes: [] }, revision: true }, token);
  expect(said(lacking)[1]).toMatch(/requerido \(BRAND\).*\(GTIN\)$/);
  expect(said(await post(address, { datosML, revision: true }, token))).toEqual([
    200,
    'El producto se puede publicar.',
  ]);
  expect(said(await post(address, { datosML, revision: false }, token))).toEqual([
    200,
    'La publicación salió hacia Mercado Libre.',
  ]);
  await runUntilSettled();
  const { body } = await post('/api/productos/buscador', { buscar: producto.modelo }, token);
  expect(body).toMatchObject({ publicacion: { gold_special: { estatus: 'active' } } });
});
