import { expect, test } from 'vitest';
import { ct } from '~/domain/compras/directorio/internal/ct.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { precioEn } from '~/integrations/proveedores/cara';
import { createCtWriter } from '~/integrations/proveedores/ct/write.server';
import { GUIA, leidosDe, primero, proveedorContract } from './suite';

const { far, lector, escritor, nuevo, pedidos, ejemplos, tried } = await proveedorContract(ct, {
  llaves: { email: 'COMPRAS@DEMO.MX', cliente: 'HMO0000', rfc: 'XAXX010101000' },
  // The case of the e-mail matters there.
  malas: { email: 'compras@demo.mx', cliente: 'HMO0000', rfc: 'XAXX010101000' },
  sinPrecio: { cero: 'cero', moneda: 'moneda' },
  opciones: { tipoPago: '99' },
  almacen: '13A',
  factura: 600,
  real: () => createCtWriter({ baseUrl: 'http://connect.ctonline.mx:3001', acceso: accesoFijo('') }),
  seBusca: true,
  leido: [1, 'a86492f5dab5'],
  renueva: true,
});

test('an order it objects to exists with a folio, says why, and is not confirmed', async () => {
  const pedido = await nuevo('40');
  const many = { ...pedido, lineas: pedido.lineas.map((linea) => ({ ...linea, cantidad: 900 })) };
  const { folio, errores } = await escritor().crearPedido!(many);
  expect(errores).toEqual(['Inventario insuficiente']);
  expect(await pedidos()).toMatchObject([{ folio }]);
  await far.post('/interruptores', { errores: 'arriba' });
  const { error } = await tried(escritor().crearPedido!({ ...many, folio: '41' }));
  expect(error).toMatchObject({ details: { code: 'sinExistencia' } });
});

test.each([
  ['otro', 2],
  ['primero', 1],
  ['rechaza', 1],
])('a repeated reference may make another order: %s', async (repetido, made) => {
  await far.post('/interruptores', { repetido });
  const pedido = await nuevo('50');
  await escritor().crearPedido!(pedido);
  await tried(escritor().crearPedido!(pedido));
  expect(await pedidos()).toHaveLength(made);
});

test.each([
  ['cancelado', 'cancelado'],
  ['desaparece', null],
  ['error', Refused],
])('an order lapses after two days, which is told as: %s', async (lapso, told) => {
  await far.post('/interruptores', { lapso });
  const { folio } = await escritor().crearPedido!(await nuevo('60'));
  await far.post('/reloj', { segundos: 49 * 3_600 });
  const { value, error } = await tried((await lector()).estatus!(folio));
  if (told === Refused) expect(error).toBeInstanceOf(Refused);
  else expect(value?.estado ?? null).toBe(told);
  expect((await tried(escritor().confirmar!(folio))).error).toBeInstanceOf(Refused);
});

test('a label that is not taken before the invoice is refused, and taken after it', async () => {
  await far.post('/interruptores', { guias: 'alFacturar', segundoConfirmar: 'ok' });
  const { folio } = await escritor().crearPedido!(await nuevo('70'));
  await escritor().confirmar!(folio);
  await escritor().confirmar!(folio);
  expect((await tried(escritor().enviarGuia!(folio, GUIA))).error).toBeInstanceOf(Refused);
  await far.post('/reloj', { segundos: 600 });
  await escritor().enviarGuia!(folio, GUIA);
  expect(await pedidos()).toMatchObject([{ guias: [{ guia: GUIA.numero, bytes: GUIA.archivo.length }] }]);
});

test.each(['precio', 'porciento'])(
  'a promotion counts at its warehouse and within its dates, told as its %s',
  async (promocion) => {
    await far.post('/interruptores', { promocion });
    const { id, precio } = (await ejemplos()).promocion![0]!;
    const item = (await (await lector()).producto(id))!;
    const [now, later] = [new Date(), new Date(Date.now() + 3 * 86_400_000)];
    const less = item.precio!.importe.times(9).dividedBy(10).cents();
    expect(precioEn(item, '13A', now)!.importe.cents().equals(less)).toBe(true);
    expect(precioEn(item, '13A', later)!.importe.toString()).toBe(precio);
    expect(precioEn(item, '01A', now)!.importe.toString()).toBe(precio);
  },
);

test('a warehouse that nobody knows is kept', async () => {
  const { id } = (await ejemplos()).normal![0]!;
  const { almacenes } = (await (await lector()).existencia(id))!;
  expect(almacenes.find(({ almacen }) => almacen === '44A')).toMatchObject({ nombre: null });
  expect(almacenes.find(({ almacen }) => almacen === '13A')).toMatchObject({ nombre: 'Guadalajara' });
});

test('a file that was cut where it is made has no end, though its answer came whole', async () => {
  await far.failNext('archivo-cortado', { route: 'productos.json' });
  const { error } = await tried(
    (async () => {
      for await (const tramo of (await lector()).catalogo!(null)) expect(tramo.sigue).not.toBeNull();
    })(),
  );
  expect(error).toBeInstanceOf(Unavailable);
  expect((error as Error).message).toContain('llegó cortada');
});

test('its file names warehouses in its own way, keeps one that nobody knows, and tells what is no longer sold', async () => {
  const { items } = leidosDe(await primero((await lector()).catalogo!(null)));
  const [{ existencia, nombre, gtins }] = items as [(typeof items)[number]];
  expect(existencia.almacenes.map(({ almacen, nombre: place }) => [almacen, place])).toEqual([
    ['01A', 'Hermosillo'],
    ['13A', 'Guadalajara'],
    ['35A', 'Azcapotzalco'],
    ['44A', null],
  ]);
  expect([nombre, gtins]).toEqual([expect.any(String), [expect.stringMatching(/^\d{12}$/)]]);
  const { inactivo, promocion } = await ejemplos();
  const el = (id: string) => items.find(({ idProveedor }) => idProveedor === id)!;
  expect(el(inactivo![0]!.id).enVenta).toBe(false);
  const rebajado = el(promocion![0]!.id);
  expect(precioEn(rebajado, '13A', new Date())!.importe.compare(rebajado.precio!.importe)).toBe(-1);
});
