import { afterAll, expect, test, vi } from 'vitest';
import { cva } from '~/domain/compras/directorio/internal/cva.server';
import { saveKeys } from '~/platform/connections/keys.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { precioEn } from '~/integrations/proveedores/cara';
import { opensAt } from '~/integrations/proveedores/cva/horario';
import { createCvaWriter } from '~/integrations/proveedores/cva/write.server';
import { LLAVES } from '../../sandbox/cva';
import { GUIA, primero, proveedorContract } from './suite';

// Ten at night in Mexico City, when it answers everything.
vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T04:00:00Z') });
afterAll(() => vi.useRealTimers());

const { db, far, lector, escritor, nuevo, pedidos, ejemplos, tried } = await proveedorContract(cva, {
  llaves: LLAVES,
  malas: { ...LLAVES, password: 'otra' },
  sinPrecio: { cero: 'cero', moneda: 'moneda' },
  opciones: {},
  almacen: '46',
  factura: 60,
  // Its words before an invoice are not told.
  calla: ['estatus:otro', 'estatus:nulo'],
  // What it answers to a label is not told either.
  incierto: ['guia:mensaje', 'guia:vacia'],
  niega: ['guia:error'],
  real: () =>
    createCvaWriter({
      baseUrl: 'https://apicvaservices.grupocva.com/api/v2',
      acceso: accesoFijo(''),
      guias: accesoFijo('x'),
    }),
  seBusca: true,
  leido: [1, 'd5c6e769e8dd'],
  renueva: true,
});

test('from nine to seven its texts and its whole list are closed, and one product is not', async () => {
  const at = (hour: string) => opensAt(new Date(`2026-11-20T${hour}:00-06:00`)) / 60_000;
  expect(['08:59', '09:00', '18:59', '19:00'].map(at)).toEqual([0, 600, 1, 0]);
  const { id, texto } = (await ejemplos()).normal![0]!;
  // Its clock may not be ours: then it says so itself, in ways that nobody wrote down.
  await far.post('/reloj', { segundos: 12 * 3_600 });
  for (const horario of ['200', '403', '404']) {
    await far.post('/interruptores', { horario });
    expect((await tried((await lector()).buscar!(texto, 1))).error, horario).toBeInstanceOf(Unavailable);
    expect((await tried(primero((await lector()).catalogo!(null)))).error, horario).toBeInstanceOf(Unavailable);
    expect((await (await lector()).producto(id))!.idProveedor).toBe(id);
  }
  expect((await far.get<{ dados: number }>('/tokens')).dados).toBe(2);
});

test('a promotion counts in its own currency, until its day and while there are pieces', async () => {
  const [{ promocion, promocionAgotada }, now] = [await ejemplos(), new Date()];
  const item = (await (await lector()).producto(promocion![0]!.id))!;
  const less = precioEn(item, '46', now)!.importe;
  expect(less.equals(item.precio!.importe.times(9).dividedBy(10).cents())).toBe(true);
  expect(precioEn(item, '46', new Date(now.getTime() + 3 * 86_400_000))).toEqual(item.precio);
  const gone = (await (await lector()).producto(promocionAgotada![0]!.id))!;
  expect(precioEn(gone, '46', now)).toEqual(gone.precio);
});

test('stock is told by the key of each branch, and its row of totals is not one', async () => {
  const { id } = (await ejemplos()).normal![0]!;
  const { almacenes } = (await (await lector()).existencia(id))!;
  expect(almacenes.map(({ almacen }) => almacen)).toEqual(['9', '46', '24']);
  expect(await (await lector()).producto(id)).toMatchObject({ tipoCambio: { micros: 18_550_000n } });
});

test('its answer to an order names whom a letter goes to, and what it costs', async () => {
  const made = await escritor().crearPedido!(await nuevo('TR-1'));
  expect(made).toMatchObject({ correos: ['agente@demo.mx', 'almacen@demo.mx'], total: { moneda: 'USD' } });
  expect(await (await lector()).factura!(made.folio)).toBeNull();
  await far.post('/reloj', { segundos: 60 });
  expect(await (await lector()).factura!(made.folio)).toMatchObject({ fecha: '2026-11-19', total: { moneda: 'MXN' } });
});

test.each([
  ['otro', 2],
  ['elMismo', 1],
  ['rechaza', 1],
])('a repeated reference may make another order: %s', async (repetido, made) => {
  await far.post('/interruptores', { repetido });
  const pedido = await nuevo('TR-2');
  await escritor().crearPedido!(pedido);
  await tried(escritor().crearPedido!(pedido));
  expect(await pedidos()).toHaveLength(made);
});

test('an order is of a branch by its number, and nothing is asked for without it', async () => {
  const { error } = await tried(escritor().crearPedido!({ ...(await nuevo('TR-3')), almacen: 'VENTAS DF TALLER' }));
  expect(error).toMatchObject({ details: { code: 'validacion' } });
  expect(await pedidos()).toEqual([]);
});

test('a label goes by the token that CVA gave apart; without one, or with another, it was not sent', async () => {
  const { folio } = await escritor().crearPedido!(await nuevo('TR-4'));
  for (const tokenGuias of ['', 'otro']) {
    await saveKeys(db, cva, { ...LLAVES, tokenGuias }, null);
    const { error } = await tried(escritor().enviarGuia!(folio, GUIA));
    expect(error).toBeInstanceOf(Refused);
    expect((await cva.proveedor!.capacidadesDe(db)).enviarGuia).toBe(tokenGuias === '' ? 'correo' : 'api');
    // The account buys on: only its labels do not go.
    expect(error).not.toMatchObject({ details: { account: true } });
    expect(await pedidos()).toMatchObject([{ guias: [] }]);
  }
  await saveKeys(db, cva, LLAVES, null);
  await escritor().enviarGuia!(folio, GUIA);
  expect(await pedidos()).toMatchObject([{ guias: [{ guia: GUIA.numero, bytes: GUIA.archivo.length }] }]);
});

test.each(['401', '403', '200'])('keys it does not know are told with status %s', async (llaveMala) => {
  await far.post('/interruptores', { llaveMala });
  await expect(saveKeys(db, cva, { ...LLAVES, password: 'otra' }, null)).rejects.toThrow('CVA no reconoce esas llaves');
});

test('its branches are told with their numbers', async () => {
  const { sucursal } = await (await lector()).elecciones!();
  expect(sucursal).toContainEqual({ clave: '46', nombre: 'Centro de Distribución Guadalajara' });
});

test('a promotion of its list of stock counts for the day on which it was read', async () => {
  const [{ promocion }, now] = [await ejemplos(), new Date()];
  let suya;
  for await (const { crudos, itemOf } of (await lector()).precios!(null))
    suya ??= crudos.map(({ raw }) => itemOf(raw, now)).find(({ idProveedor }) => idProveedor === promocion![0]!.id);
  const less = precioEn(suya!, '46', now)!.importe;
  expect(less.equals(suya!.precio!.importe.times(9).dividedBy(10).cents())).toBe(true);
  expect(precioEn(suya!, '46', new Date(now.getTime() + 86_400_000))).toEqual(suya!.precio);
});
