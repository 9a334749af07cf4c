/** What every resource of `/api/v1` does in the same way, and what people edit with the mark of what they read. */
import { beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { CALLS } from '~/api/catalog.server';
import { changes } from '~/api/call.server';
import { openSession } from '~/domain/personal/sesiones.server';
import { ask, described, get } from '../support/api';
import { cep } from '../support/builders/archivos';
import { buildLiquidacion } from '../support/builders/conciliacion';
import { buildOrden } from '../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock, unPdf } from '../support/builders/stock';
import { testDatabase } from '../support/db';
import { jpegOf } from '../sandbox/imagenes/dibujo';
import { SOME_ID } from '../support/routes';
import { buildUsuarios } from '../support/web';

const { db } = testDatabase();
let token: string;
let sa: string;
let producto: string;

beforeAll(async () => {
  process.env.API_POR_MINUTO = '100000';
  ({ sa } = await buildUsuarios(db));
  token = await db.transaction().execute((trx) => openSession(trx, { id: sa }, true));
  await buildOrden(db);
  ({ id: producto } = await buildProductoDeStock(db));
  await buildPiezas(db, sa, { cantidad: '3', producto });
});

const v1 = CALLS.filter(({ path }) => path.startsWith('/api/v1/'));
const lists = v1.filter(({ fila }) => fila);

test.each(lists)('$path goes by pages, adds up, and comes whole as NDJSON and as Excel', async ({ path, query }) => {
  // A list of a month is asked for its month.
  const de = Object.hasOwn((query as z.ZodObject).shape, 'mes') ? '?mes=2026-10&' : '?';
  const page = await get(`${path}${de}limite=2&totales=1`, token);
  expect([page.status, page.body]).toMatchObject([200, { totales: { registros: expect.any(Number) as number } }]);
  expect(page.headers.get('ETag')).toMatch(/^"/);
  expect(
    (
      await ask('GET', `${path}${de}limite=2&totales=1`, {
        token,
        headers: { 'If-None-Match': page.headers.get('ETag')! },
      })
    ).status,
  ).toBe(304);
  const { text } = await ask('GET', `${path}${de}formato=ndjson`, { token });
  const { registros } = (page.body as { totales: { registros: number } }).totales;
  expect(text.split('\n').filter(Boolean)).toHaveLength(registros);
  const excel = await ask('GET', `${path}${de}formato=xlsx`, { token });
  expect(
    Buffer.from(await excel.response.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  expect((await get(`${path}${de}campos=nada`, token)).body).toMatchObject({ codigo: 'peticion-invalida' });
});

const addressOf = (path: string) => path.replace(/\{\w+\}/g, SOME_ID);

test.each(v1.filter(({ conVersion }) => conVersion))(
  '$method $path wants If-Match, and one of another time changes nothing',
  async ({ method, path }) => {
    const without = await ask(method, addressOf(path), { token, body: {} });
    expect(['version-requerida', 'datos-invalidos']).toContain((without.body as { codigo: string }).codigo);
    expect(
      (await ask(method, addressOf(path), { token, body: {}, headers: { 'If-Match': '"de ayer"' } })).status,
    ).toBeGreaterThan(404);
  },
);

test('what changes something takes a key, and every answer tells how many requests are left', () => {
  for (const { method, path, secreta, ...call } of v1.filter(changes)) {
    const said = described().paths[path]![method.toLowerCase()] as unknown as {
      parameters: { name: string }[];
      responses: Record<string, { headers?: object }>;
    };
    const names = said.parameters.map(({ name }) => name);
    expect([path, names.includes('Idempotency-Key')]).toEqual([path, !secreta]);
    const [[, done]] = Object.entries(said.responses) as [[string, { headers?: object }]];
    expect([path, Object.keys(done.headers ?? {})]).toEqual([
      path,
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy']),
    ]);
    expect([path, names.includes('If-Match')]).toEqual([path, call.conVersion === true]);
  }
});

const form = (datos: object, campo: string, archivo: File) => {
  const data = new FormData();
  data.set('datos', JSON.stringify(datos));
  data.set(campo, archivo);
  return data;
};

test('a piece is made with its invoice, edited by who saw it as it is, and its invoice read again', async () => {
  const datos = { costo: '80.00', cantidad: 1, producto, proveedor: 'syscom', folioFactura: 'F-2' };
  const made = await ask('POST', '/api/v1/stock', {
    token,
    body: form(datos, 'factura', unPdf()),
    headers: { 'Idempotency-Key': 'v1' },
  });
  expect(made.status).toBe(201);
  const [folio] = (made.body as { folios: string[] }).folios;
  const { id } = await db.selectFrom('stockInterno').select('id').where('folio', '=', folio!).executeTakeFirstOrThrow();
  const read = await get(`/api/v1/stock/${id}`, token);
  const body = { costo: '70.00', estado: 'disponible', proveedor: 'syscom', folioFactura: 'F-2' };
  const put = (etag: string) => ask('PUT', `/api/v1/stock/${id}`, { token, body, headers: { 'If-Match': etag } });
  const changed = await put(read.headers.get('ETag')!);
  expect(changed.body).toMatchObject({ costo: '70.00', estado: 'disponible' });
  expect((await put(read.headers.get('ETag')!)).body).toMatchObject({ codigo: 'version-movida', status: 412 });
  const { response } = await ask('GET', `/api/v1/stock/${id}/factura`, { token });
  expect(await response.text()).toContain('%PDF');
});

test('own pictures of a product are sent, moved forward and taken away, and one that does not serve is told by its name', async () => {
  const send = (...fotos: File[]) => {
    const body = new FormData();
    for (const foto of fotos) body.append('fotos', foto);
    return ask('POST', `/api/v1/productos/${producto}/fotos`, { token, body });
  };
  const foto = (ancho: number, nombre: string) => new File([new Uint8Array(jpegOf(ancho, 900))], nombre);
  const made = await send(foto(900, 'frente.jpg'), foto(901, 'lado.jpg'));
  type Foto = { id: string; ancho: number; propia: boolean; estado: string };
  const [frente, lado] = made.body as Foto[];
  expect([made.status, frente, lado]).toMatchObject([
    201,
    { ancho: 900, propia: true, estado: 'lista' },
    { ancho: 901, propia: true, estado: 'lista' },
  ]);
  const small = await send(foto(900, 'bien.jpg'), new File([new Uint8Array(jpegOf(300, 200))], 'chica.jpg'));
  expect(small).toMatchObject({ status: 422, body: { errores: [{ campo: 'fotos' }] } });
  expect(small.text).toContain('chica.jpg: Mide 300 × 200 px');
  const idsOf = ({ body }: { body: unknown }) => (body as Foto[]).map(({ id }) => id);
  const at = `/api/v1/productos/${producto}/fotos`;
  expect(idsOf(await ask('POST', `${at}/${lado!.id}/adelanto`, { token }))).toEqual([lado!.id, frente!.id]);
  expect(idsOf(await ask('DELETE', `${at}/${lado!.id}`, { token }))).toEqual([frente!.id]);
  expect(idsOf(await get(at, token))).toEqual([frente!.id]);
  expect((await get(`/api/v1/productos/${SOME_ID}/fotos`, token)).status).toBe(404);
});

test('a payment is kept with its paper, edited by its mark, and taken from its sale', async () => {
  const { id: ordenId } = await buildOrden(db);
  const datos = { ordenId, proveedor: 'syscom', folios: ['SPEI-1'] };
  const archivo = new File([new Uint8Array(cep())], 'cep.xml');
  expect((await ask('POST', '/api/v1/pagos', { token, body: form(datos, 'archivos', archivo) })).status).toBe(201);
  const { id } = await db.selectFrom('pago').select('id').where('folio', '=', 'SPEI-1').executeTakeFirstOrThrow();
  const read = await get(`/api/v1/pagos/${id}`, token);
  const [paper] = (read.body as { archivos: { archivoId: string }[] }).archivos;
  const { response } = await ask('GET', `/api/v1/pagos/${id}/archivos/${paper!.archivoId}`, { token });
  expect(await response.text()).toContain('<');
  expect((await get(`/api/v1/pagos/${id}/archivos/${SOME_ID}`, token)).status).toBe(404);
  const send = (method: string, path: string, mark: string, body?: object) =>
    ask(method, `/api/v1/pagos/${id}${path}`, { token, body, headers: { 'If-Match': mark } });
  const changed = await send('PUT', '', read.headers.get('ETag')!, { folio: 'SPEI-1', total: '100.50' });
  expect(changed.body).toMatchObject({ total: '100.50' });
  expect((await send('PUT', '', read.headers.get('ETag')!, { folio: 'Otro' })).status).toBe(412);
  const gone = await send('DELETE', `/ordenes/${ordenId}`, changed.headers.get('ETag')!);
  expect(gone.body).toMatchObject({ ordenes: [] });
  expect((await send('DELETE', '', gone.headers.get('ETag')!)).body).toEqual({ id });
});

test('the folio of a quotation is written by its mark', async () => {
  const { id } = await buildOrden(db);
  const read = await get(`/api/v1/cotizaciones/${id}`, token);
  const put = () =>
    ask('PUT', `/api/v1/cotizaciones/${id}`, {
      token,
      body: { folio: 'COT-1' },
      headers: { 'If-Match': read.headers.get('ETag')! },
    });
  expect((await put()).body).toEqual({ id, version: 1 });
  expect((await put()).status).toBe(412);
  expect((await get(`/api/v1/cotizaciones/${id}`, token)).body).toMatchObject({
    cotizacion: 'COT-1',
    version: 1,
    pagos: [],
  });
});

/** What is sent back is what was read, marks and all, as a program does that changes one field of it. */
const putBack = async (path: string, to = path, from: (read: object) => object = (read) => read) => {
  const read = await get(path, token);
  const etag = read.headers.get('ETag')!;
  const put = await ask('PUT', to, { token, body: from(read.body), headers: { 'If-Match': etag } });
  const after = await get(path, token);
  return [path, read.status, put.status < 300 ? 'hecho' : put.text, volatil(after.body), volatil(read.body)];
};
/** A save moves the version and the marks, and nothing else. */
const volatil = (body: object) =>
  JSON.stringify(body, (name, value: unknown) => (/^(version|huella|actualizado\w*)$/.test(name) ? undefined : value));

test('what a GET answers can be put back, and nothing of it moves', async () => {
  const { id: ordenId, numOrden } = await buildOrden(db, { envioPropio: true });
  const envio = `/api/v1/ordenes/${ordenId}/envio`;
  const { huella } = (await get(envio, token)).body as { huella: string };
  const nuevo = {
    huella,
    costo: 120.5,
    cp: '06700',
    nombreReceptor: 'Juan',
    apellidos: 'Pérez',
    telefono: '5512345678',
    colonia: 'Roma',
  };
  expect((await ask('POST', envio, { token, body: nuevo })).body).toMatchObject({ costo: '120.50', cp: '06700' });
  const pieza = await db.selectFrom('stockInterno').select('id').orderBy('id').executeTakeFirstOrThrow();
  const proveedorFactura = await ask('POST', '/api/v1/proveedor-facturas', {
    token,
    body: { ordenId, proveedor: 'syscom', folio: 'PF-1', monto: '10.00' },
  });
  const { id: facturaId } = proveedorFactura.body as { id: string };
  const tienda = '/api/v1/tiendas/proveedores/syscom';
  const parte = (name: string) => (read: object) => (read as Record<string, object>)[name]!;
  const tarifa = (read: object) => (read as { market: string }[]).find(({ market }) => market === 'ml')!;
  const { depositoId, conDiferencia } = await buildLiquidacion(db);
  const [deposito, conciliada] = [`depositos/${depositoId}`, `ventas/${conDiferencia}`].map(
    (una) => `/api/v1/conciliacion/${una}`,
  ) as [string, string];
  const nota = (read: object) => {
    const { motivo, reclamadoEn } = read as { motivo: string | null; reclamadoEn: string | null };
    return { motivo, reclamado: reclamadoEn !== null };
  };
  const vueltas: Parameters<typeof putBack>[] = [
    [deposito, `${deposito}/motivo`, nota],
    [conciliada, `${conciliada}/motivo`, nota],
    [`/api/v1/stock/${pieza.id}`],
    [`/api/v1/productos/${producto}`],
    [`/api/v1/productos/${producto}/ganancia`],
    [envio],
    [`/api/v1/proveedor-facturas/${facturaId}`],
    ['/api/v1/proveedores/syscom'],
    ['/api/v1/cuenta'],
    ['/api/v1/conciliacion/tolerancia'],
    ['/api/v1/ajustes/facturacion'],
    [`/api/v1/cotizaciones/${ordenId}`],
    [`/api/v1/usuarios/${sa}`],
    [tienda, `${tienda}/ganancias`, parte('ganancias')],
    [tienda, `${tienda}/stock`, parte('stock')],
    [tienda, `${tienda}/pedidos`, parte('pedidos')],
    [tienda, `${tienda}/compra`, parte('compra')],
    ['/api/v1/tiendas/tarifas', '/api/v1/tiendas/tarifas/ml', tarifa],
  ];
  for (const vuelta of vueltas) {
    const said = await putBack(...vuelta);
    const [path, , , , before] = said;
    expect(said).toEqual([path, 200, 'hecho', before, before]);
  }
  const ventas = [{ importe: '430.00' }, { ordenId: conDiferencia, importe: '415.00' }];
  expect((await get(deposito, token)).body).toMatchObject({ importe: '845.00', ventas, sinVenta: '0.00' });
  expect((await get(conciliada, token)).body).toMatchObject({ depositoId, eComision: '-70.00', rComision: '-85.00' });
  const listed = await get(`/api/v1/proveedor-facturas?q=PF-1`, token);
  expect(listed.body).toMatchObject({ datos: [{ proveedor: 'syscom', proveedorLabel: 'Syscom', numOrden }] });
});

test('a piece keeps its sale when none is said, and leaves it when null is', async () => {
  const { id: orden } = await buildOrden(db);
  const { folios } = (
    await ask('POST', '/api/v1/stock', { token, body: { costo: '80.00', cantidad: 1, orden, proveedor: 'syscom' } })
  ).body as { folios: string[] };
  const { id } = await db
    .selectFrom('stockInterno')
    .select('id')
    .where('folio', '=', folios[0]!)
    .executeTakeFirstOrThrow();
  const put = async (more: object) => {
    const read = await get(`/api/v1/stock/${id}`, token);
    const body = { costo: '81.00', estado: 'enRevision', proveedor: 'syscom', producto, ...more };
    return (
      await ask('PUT', `/api/v1/stock/${id}`, { token, body, headers: { 'If-Match': read.headers.get('ETag')! } })
    ).body;
  };
  expect(await put({})).toMatchObject({ orden, costo: '81.00' });
  expect(await put({ orden: null })).toMatchObject({ orden: null });
  expect((await get(`/api/v1/stock/${id}`, token)).body).toMatchObject({
    proveedor: 'syscom',
    fotos: [],
    etiquetas: [],
  });
});

test('templates, views and receivers are made, changed and taken away', async () => {
  const send = (method: string, path: string, body?: object, etag?: string) =>
    ask(method, path, { token, body, ...(etag && { headers: { 'If-Match': etag } }) });
  const plantillas = (await send('POST', '/api/v1/plantillas', { nombre: 'Hola', texto: 'Buen día' })).body as {
    id: string;
  }[];
  const [{ id }] = plantillas as [{ id: string }];
  const editada = await send('PUT', `/api/v1/plantillas/${id}`, { nombre: 'Hola', texto: 'Buenas' }, '"v1"');
  expect(editada.body).toMatchObject({ texto: 'Buenas', version: 2 });
  expect((await send('DELETE', `/api/v1/plantillas/${id}`, undefined, editada.headers.get('ETag')!)).body).toEqual({
    id,
  });
  const vistas = '/api/v1/listas/ordenes/vistas';
  const vista = (await send('POST', vistas, { nombre: 'Mías', consulta: 'q=cable' })).body as { id: string };
  expect((await send('PATCH', `${vistas}/${vista.id}`, { consulta: 'q=switch' })).body).toMatchObject({
    nombre: 'Mías',
    consulta: 'q=switch',
  });
  await send('DELETE', `${vistas}/${vista.id}`);
  expect((await get(vistas, token)).body).toEqual([]);
  expect((await send('POST', `${vistas}/${vista.id}/reposicion`)).body).toMatchObject({ id: vista.id });
  expect(
    (await send('PATCH', '/api/v1/cuenta/preferencias', { densidad: 'amplia', plegados: { catalogos: true } })).status,
  ).toBe(200);
  const preferencias = (dichas: object) => send('PATCH', '/api/v1/cuenta/preferencias', dichas);
  const propias = async () =>
    (
      await db
        .selectFrom('preferencia')
        .select(['inicio', 'ordenDeHoy', 'cartasAparte'])
        .where('densidad', '=', 'amplia')
        .execute()
    )[0];
  await preferencias({
    inicio: 'ordenes',
    ordenDeHoy: ['reclamos', 'porEnviar'],
    cartasAparte: { preguntas: true, noExiste: true },
  });
  const suyas = { inicio: 'ordenes', ordenDeHoy: ['reclamos', 'porEnviar'], cartasAparte: ['preguntas'] };
  expect(await propias()).toEqual(suyas);
  // A screen that is none of the person's menu is no start.
  expect((await preferencias({ inicio: 'noExiste' })).status).toBe(200);
  expect(await propias()).toEqual(suyas);
  await preferencias({ inicio: null, ordenDeHoy: [], cartasAparte: { preguntas: false } });
  expect(await propias()).toEqual({ inicio: null, ordenDeHoy: [], cartasAparte: [] });
  expect((await get('/api/v1/codigos-postales/00000', token)).status).toBe(404);
  expect((await get('/api/v1/catalogos/regimenes-fiscales', token)).body).toContainEqual({
    clave: '612',
    nombre: expect.any(String) as string,
  });
});
