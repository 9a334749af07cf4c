/** Facts that are changed in their cell: the form of the panel, sent by the list, with its version, its refusals and its way back. */
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { EN_SU_LUGAR, wordsOf, type Answer } from '~/core/submission';
import type { Rol, Usuario } from '~/core/usuario';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { confirmPedido } from '~/domain/compras/pedidos/pedidos.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { huellaOf } from '~/domain/ventas/ordenes/datosEnvio.server';
import { takeFlash } from '~/http/flash.server';
import { keep } from '~/platform/hoy/fresco.server';
import { action as pedidosAction, loader as pedidos } from '~/routes/compras/pedidos/porConfirmar';
import { celdaOfFolio } from '~/routes/compras/pedidos/celdas';
import { action as enviosAction, loader as envios } from '~/routes/ventas/envios/pendientes';
import { celdaOfGuia } from '~/routes/ventas/envios/celdas';
import { action as stockAction, loader as stock } from '~/routes/compras/stock/lista';
import { celdaOfCosto } from '~/routes/compras/stock/celdas';
import { action as publicacionesAction, loader as publicaciones } from '~/routes/publicaciones/publicaciones/lista';
import { celdaOfPrecio, celdaOfStock } from '~/routes/publicaciones/publicaciones/celdas';
import { action as productosAction, loader as productos } from '~/routes/compras/productos/lista';
import { celdaOfEnvio } from '~/routes/compras/productos/celdas';
import { toWire } from '~/core/list';
import type { Celda } from '~/ui/lista/celda';
import { buildOrden } from '../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock } from '../support/builders/stock';
import { buildVentaDe, openProveedores, pedir, readPedido } from '../support/builders/pedidos';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { runUntilSettled, withWorker } from '../support/jobs';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const people = new Map<Rol, Usuario>();
let ultima = 4_700_000_000;

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  for (const rol of ['sa', 'aux', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
}, 60_000);
beforeEach(() => sandbox.clear());

type Action = (args: ActionFunctionArgs) => Promise<unknown>;
function args(path: string, fields?: Record<string, string>, rol: Rol = 'sa'): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    fields && { method: 'POST', body: new URLSearchParams(fields) },
  );
  return { request, params: {}, context: { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext };
}
type Said = { data: Answer; init: ResponseInit };
/** Sends what stands typed in a cell, as the list sends it. */
const send = async (action: Action, path: string, celda: Celda | null, texto: string) => {
  expect(celda, 'the cell can be changed').not.toBeNull();
  const fields = { ...wordsOf(celda!.envia), [celda!.campo]: texto, [EN_SU_LUGAR]: '1', formulario: 'celda' };
  return (await action(args(path, fields))) as Said;
};
/** The notice that an answer leaves for the next page. */
async function avisoOf(headers: HeadersInit | undefined) {
  const Cookie = new Headers(headers).getSetCookie().join('; ');
  return (await takeFlash(new Request('http://trastienda.test/', { headers: { Cookie } })))?.aviso;
}
const porQueNo = ({ data }: Said) => Object.values(data.error ?? {}).flat();

async function nueva(item: object = {}) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, { quantity: 5, price: 500, ...item });
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  return clave;
}
const filaDe = async (clave: string) => (await publicaciones(args(`publicaciones?q=${clave}`))).lista.ventana.filas[0]!;
const precioDe = async (clave: string) => celdaOfPrecio(await filaDe(clave));
const stockDe = async (clave: string) => celdaOfStock(await filaDe(clave), []);
const alla = (clave: string) => ml.get<{ price: number; quantity: number }>(`/publicaciones/${clave}`);

test('a price that is typed in its cell stands at the marketplace, no page moves, and the notice takes it back', async () => {
  const clave = await nueva();
  const path = `publicaciones?q=${clave}&orden=-precio`;
  const said = await withWorker(async () => send(publicacionesAction, path, await precioDe(clave), '$1,250'));
  expect(said).not.toBeInstanceOf(Response);
  expect(porQueNo(said)).toEqual([]);
  expect(await alla(clave)).toMatchObject({ price: 1250, quantity: 5 });
  const aviso = await avisoOf(said.init.headers);
  expect(aviso?.texto).toBe('Se modifico la publicación correctamente. Precio: $500.00 → $1,250.00.');
  expect(aviso?.deshacer).toMatchObject({ action: `/sa/${path}`, campos: { precio: '500.00', stock: '5' } });

  // Where the notice was read, another page of the list was open.
  const { action, campos } = aviso!.deshacer!;
  const volver = '/sa/publicaciones?q=camara&pagina=2';
  const undone = await withWorker(() => publicacionesAction(args(action.slice('/sa/'.length), { ...campos, volver })));
  expect((undone as Response).headers.get('Location')).toBe(volver);
  expect(await alla(clave)).toMatchObject({ price: 500, quantity: 5 });
  const [una] = (await avisoOf((undone as Response).headers))!.texto.match(/Precio: .*/)!;
  expect(una).toBe('Precio: $1,250.00 → $500.00.');
});

test('what is done in its place is counted at once, and not as it was read a moment before', async () => {
  const clave = await nueva();
  let looks = 0;
  const look = () => keep(db, 'cuantas', 60_000, () => Promise.resolve(++looks));
  expect([await look(), await look()]).toEqual([1, 1]);
  const refused = await send(publicacionesAction, 'publicaciones', await precioDe(clave), 'mucho');
  expect(porQueNo(refused)).not.toEqual([]);
  expect(await look()).toBe(1);
  await withWorker(async () => send(publicacionesAction, 'publicaciones', await precioDe(clave), '610'));
  expect(await look()).toBe(2);
});

test('pieces alone are told to the marketplace, and the price stays', async () => {
  const clave = await nueva();
  const said = await withWorker(async () => send(publicacionesAction, 'publicaciones', await stockDe(clave), '7'));
  expect(porQueNo(said)).toEqual([]);
  expect(await alla(clave)).toMatchObject({ price: 500, quantity: 7 });
  expect((await avisoOf(said.init.headers))?.texto).toContain('Stock: 5 → 7.');
});

test('what moved meanwhile is told with both values and nothing is sent; over the row as it stands now it is', async () => {
  const clave = await nueva();
  const vieja = await precioDe(clave);
  await db
    .updateTable('publicacion')
    .set((is) => ({ precio: '520.00', version: is('version', '+', 1) }))
    .where('clave', '=', clave)
    .execute();
  const said = await send(publicacionesAction, 'publicaciones', vieja, '600');
  expect(said.init.status).toBe(422);
  expect(said.data.formId).toBe('celda');
  expect(said.data.choque?.cambios).toEqual([{ campo: 'Precio', mio: '600.00', suyo: '520.00' }]);
  expect(await alla(clave)).toMatchObject({ price: 500 });
  const again = await withWorker(async () => send(publicacionesAction, 'publicaciones', await precioDe(clave), '600'));
  expect(porQueNo(again)).toEqual([]);
  expect(await alla(clave)).toMatchObject({ price: 600 });
});

test('a marketplace that refuses is told in the cell with its reason, and nothing changed', async () => {
  const clave = await nueva();
  await ml.failNext('refuse', { route: `PUT /items/${clave}` });
  const said = await withWorker(async () => send(publicacionesAction, 'publicaciones', await precioDe(clave), '640'));
  expect(said.init.status).toBe(422);
  expect(said.data.titulo).toBe('Error al actualizar: ');
  expect(porQueNo(said).join()).not.toBe('');
  expect(await avisoOf(said.init.headers)).toBeUndefined();
  expect(await filaDe(clave)).toMatchObject({ precio: '500.00' });
});

test('a marketplace that has not answered is told as under way: no success, no way back yet, and no second change over it', async () => {
  const clave = await nueva();
  // Nobody works here, so the page's patience ends first.
  const said = await send(publicacionesAction, 'publicaciones', await precioDe(clave), '640');
  const aviso = await avisoOf(said.init.headers);
  expect(aviso).toMatchObject({ texto: 'El cambio va en camino al mercado.' });
  expect(aviso?.deshacer).toBeUndefined();
  const otra = await send(publicacionesAction, 'publicaciones', await precioDe(clave), '650');
  expect(porQueNo(otra).join()).toContain('va en camino');
  await runUntilSettled();
  expect(await alla(clave)).toMatchObject({ price: 640 });
});

test('what may not be written is only read: a follower, what the marketplace moves or keeps, what is gone, what nobody knows', async () => {
  const fila = await filaDe(await nueva());
  const both = (cambio: Partial<typeof fila>, sinAlmacen: readonly ['ml'] | readonly [] = []) =>
    [celdaOfPrecio({ ...fila, ...cambio }), celdaOfStock({ ...fila, ...cambio }, sinAlmacen)].map(Boolean);
  expect(both({})).toEqual([true, true]);
  expect(both({ autoSync: true })).toEqual([false, false]);
  expect(both({ ausenteDesde: new Date().toISOString() })).toEqual([false, false]);
  expect(both({ precioAjeno: true })).toEqual([false, true]);
  expect(both({ stockAjeno: true })).toEqual([true, false]);
  expect(both({}, ['ml'])).toEqual([true, false]);
  expect(both({ stock: null })).toEqual([false, true]);
  expect(both({ precio: null })).toEqual([true, false]);
});

const pieza = async (given: Record<string, unknown> = {}) => {
  const { id: producto } = await buildProductoDeStock(db);
  return (await buildPiezas(db, people.get('sa')!.id, { producto, ...given }))[0]!;
};
const piezaDe = async (folio: string) => {
  const { lista } = await stock(args(`stockInterno?q=${folio}`));
  return celdaOfCosto(lista.ventana.filas[0]!);
};

test('the cost of a piece is typed in its cell, everything else of it stays, and the notice takes it back', async () => {
  const una = await pieza({ observaciones: 'Sin caja' });
  const { id, folio } = una;
  const said = await send(stockAction, 'stockInterno', await piezaDe(folio), '85.5');
  expect(porQueNo(said)).toEqual([]);
  const now = () => db.selectFrom('stockInterno').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { costo, version, cambiadaEn, busqueda, ...rest } = await now();
  expect(costo.toFixed(2)).toBe('85.50');
  expect(una).toMatchObject(rest);
  const aviso = await avisoOf(said.init.headers);
  expect(aviso?.texto).toBe(`Registro actualizado de forma correcta. Costo de ${folio}: $100.00 → $85.50.`);
  await stockAction(args('stockInterno', { ...aviso!.deshacer!.campos, volver: '/sa/stockInterno' }));
  expect((await now()).costo.toFixed(2)).toBe('100.00');

  // The notice of before is about a piece that moved since.
  const late = (await stockAction(args('stockInterno', { ...aviso!.deshacer!.campos, volver: '/sa/stockInterno' }))) as
    Said | Response;
  expect(late).toMatchObject({ data: { formId: 'deshacer', choque: { cambios: [] } } });
});

test('the cost of a piece that moved is refused with both values, and 0 at its field', async () => {
  const vieja = await piezaDe((await pieza()).folio);
  expect(porQueNo(await send(stockAction, 'stockInterno', vieja, '0'))).toEqual([
    'Error: El costo debe ser un número positivo',
  ]);
  await send(stockAction, 'stockInterno', vieja, '90');
  const said = await send(stockAction, 'stockInterno', vieja, '95');
  expect(said.data.choque?.cambios).toContainEqual({ campo: 'Costo', mio: '95.00', suyo: '90.00' });
});

test('a piece without supplier or name is only read in its row: its panel asks for both', () => {
  const fila = { id: 'x', version: 1, estado: 'disponible', costo: '1.00', recuperado: '0.00' } as const;
  const con = { proveedor: 'syscom', observaciones: null, facturaFolio: null, productoId: null, descripcion: 'Cámara' };
  expect(celdaOfCosto({ ...fila, ...con })).not.toBeNull();
  expect(celdaOfCosto({ ...fila, ...con, proveedor: null })).toBeNull();
  expect(celdaOfCosto({ ...fila, ...con, descripcion: null })).toBeNull();
});

test('the cost of shipping of a product is typed in its cell, its other facts stay, and the notice takes it back', async () => {
  const { id } = await buildProductoDeStock(db);
  const form = { id, version: '1', productoMaximo: '3', precioLista: '900', autoOrden: '1' };
  await productosAction(args('productos', { ...form, intent: 'guardar' }));
  const now = () => db.selectFrom('producto').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { modelo } = await now();
  const celda = async (rol: Rol = 'sa') => {
    const { lista, edita } = await productos(args(`productos?q=${modelo}`, undefined, rol));
    return edita ? celdaOfEnvio(toWire(lista.ventana.filas.find((fila) => fila.id === id)!)) : null;
  };
  const vieja = await celda();
  const said = await send(productosAction, 'productos', vieja, '85.5');
  expect(porQueNo(said)).toEqual([]);
  expect(await now()).toMatchObject({ productoMaximo: 3, autoOrden: true });
  expect((await now()).precioLista?.toFixed(2)).toBe('900.00');
  expect((await now()).costoEnvio?.toFixed(2)).toBe('85.50');
  const aviso = await avisoOf(said.init.headers);
  expect(aviso?.texto).toBe(`Producto actualizado. Costo del envio de ${modelo}: — → $85.50.`);
  // The list showed the product before the change.
  expect((await send(productosAction, 'productos', vieja, '99')).data.choque?.cambios).toEqual([
    { campo: 'Costo del envio', mio: '99.00', suyo: '85.50' },
  ]);
  expect(await celda('cont')).toBeNull();
  await productosAction(args('productos', { ...aviso!.deshacer!.campos, volver: '/sa/productos' }));
  expect((await now()).costoEnvio).toBeNull();
});

test('the folio that a supplier answered by letter is typed in its row and confirms the order; there is no way back, and none is offered', async () => {
  await openProveedores(db, sandbox, ['tvc']);
  const venta = await buildVentaDe(db, sandbox, 'tvc');
  const id = await pedir(db, venta, 'tvc');
  const { version } = await readPedido(db, id);
  await db.transaction().execute((trx) => confirmPedido(trx, { id, version }, people.get('sa')!.id));
  await runUntilSettled();
  const fila = async () => (await pedidos(args(`ordenesPorConfirmar?q=${venta.numOrden}`))).lista.ventana.filas[0]!;
  const row = await fila();
  const said = await send(pedidosAction, 'ordenesPorConfirmar', celdaOfFolio(row), ' TVC-2406 ');
  expect(porQueNo(said)).toEqual([]);
  expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', folioProveedor: 'TVC-2406' });
  const aviso = await avisoOf(said.init.headers);
  expect(aviso).toMatchObject({ texto: `Se guardó el folio del pedido. ${row.folio}: sin folio → TVC-2406.` });
  expect(aviso?.deshacer).toBeUndefined();
  const twice = await send(pedidosAction, 'ordenesPorConfirmar', celdaOfFolio(row), 'TVC-2407');
  expect(twice.data.choque?.cambios).toEqual([{ campo: 'Estado', mio: 'como se veía', suyo: 'Confirmado' }]);
  expect(await readPedido(db, id)).toMatchObject({ folioProveedor: 'TVC-2406' });
});

/** A package that we send ourselves, with a carrier and its number, in words that JSON writes in its own way. */
async function propio(cambio: Record<string, unknown> = {}) {
  const { id, envioId, numOrden } = await buildOrden(db, { envioPropio: true });
  await db
    .updateTable('envio')
    .set({
      propio: true,
      estatus: 'enPreparacion',
      paqueteria: 'DHL',
      guia: 'DHL-1',
      paqueteriaUrl: null,
      calle: 'Calle "Ñandú" \\ 5\n\tinterior',
      referencia: 'a la vuelta\u2028de /la/ plaza \u0001',
      costo: '77.50',
      ...cambio,
    })
    .where('id', '=', envioId!)
    .execute();
  return { ordenId: id, envioId: envioId!, numOrden };
}
const envioDe = async (numOrden: string) =>
  (await envios(args(`enviosPendientes?q=${numOrden}`))).lista.ventana.filas[0]!;

test('a list marks an own shipment as its form does, whatever its address says', async () => {
  const { envioId, numOrden, ordenId } = await propio();
  const envio = await db.selectFrom('envio').selectAll().where('id', '=', envioId).executeTakeFirstOrThrow();
  expect(await envioDe(numOrden)).toMatchObject({ huella: huellaOf(envio), orden: { id: ordenId } });
});

test('a tracking number is typed in its row; what moved meanwhile is told, and the notice takes it back', async () => {
  const { envioId, numOrden } = await propio();
  const now = () =>
    db.selectFrom('envio').select(['guia', 'calle']).where('id', '=', envioId).executeTakeFirstOrThrow();
  const vieja = celdaOfGuia(await envioDe(numOrden));
  const said = await send(enviosAction, 'enviosPendientes', vieja, 'DHL-22');
  expect(porQueNo(said)).toEqual([]);
  expect(await now()).toMatchObject({ guia: 'DHL-22' });
  const aviso = await avisoOf(said.init.headers);
  expect(aviso?.texto).toBe('Datos actualizados correctamente. Guía: DHL-1 → DHL-22.');
  const late = await send(enviosAction, 'enviosPendientes', vieja, 'DHL-33');
  expect(late.data.choque?.cambios).toEqual([{ campo: 'Guía', mio: 'DHL-33', suyo: 'DHL-22' }]);
  const undone = await enviosAction(
    args('enviosPendientes', { ...aviso!.deshacer!.campos, volver: '/sa/enviosPendientes?pagina=2' }),
  );
  expect((undone as Response).headers.get('Location')).toBe('/sa/enviosPendientes?pagina=2');
  expect(await now()).toMatchObject({ guia: 'DHL-1' });
});

test('a tracking number is only read where the form would not take it, or would leave another number standing', async () => {
  const celda = async (cambio: Record<string, unknown>) =>
    celdaOfGuia(await envioDe((await propio(cambio)).numOrden)) !== null;
  expect(await celda({})).toBe(true);
  expect(await celda({ guia: null })).toBe(true);
  expect(await celda({ propio: false })).toBe(false);
  expect(await celda({ paqueteria: null })).toBe(false);
  expect(await celda({ paqueteria: 'Otra' })).toBe(false);
  expect(await celda({ estatus: 'ready_to_ship' })).toBe(false);
  expect(await celda({ paqueteriaUrl: 'https://dhl.test/DHL-1' })).toBe(false);
});
