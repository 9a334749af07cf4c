import { expect, test } from 'vitest';
import { saveKeys } from '~/platform/connections/keys.server';
import { tvc } from '~/domain/compras/directorio/internal/tvc.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { Refused } from '~/integrations/errors';
import { LLAVES } from '../../sandbox/tvc';
import { proveedorContract } from './suite';

const DIA = 86_400;

const { db, far, lector, ejemplos, tried } = await proveedorContract(tvc, {
  llaves: LLAVES,
  malas: { token: 'otra' },
  sinPrecio: { proyecto: 'proyecto', guion: 'ilegible', sinPrecio: 'ilegible', cero: 'cero' },
  opciones: {},
  leido: [1, 'ea5a0f90929c'],
  renueva: false,
});

const conLlave = async (segundos: number) => saveKeys(db, tvc, await far.post('/ficha', { segundos }), null);
const told = async () => (await CONDICIONES.find(({ clave }) => clave === 'llavesPorVencer')!.mira(db)) ?? null;

test('a key that nobody renews is told before its end, and as lost after it', async () => {
  expect(await told()).toBeNull();
  expect(await tvc.seen!(db)).toMatchObject([{ tono: 'ok', texto: 'La llave de TVC vence el 31/12/2099.' }]);
  await conLlave(30 * DIA);
  expect(await told()).toBeNull();
  await conLlave(10 * DIA);
  expect(await told()).toMatchObject({ nivel: 'aviso', texto: expect.stringMatching(/^La llave de TVC vence el /) });
  await far.post('/reloj', { segundos: 11 * DIA });
  for (const vencida of ['401', '403']) {
    await far.post('/interruptores', { vencida });
    const { error } = await tried((await lector()).comprobar());
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ details: { account: true } });
  }
});

test('warehouses and images are those of the product, also where an image is told without its host', async () => {
  const { id } = (await ejemplos()).normal!.at(-1)!;
  const absolute = (await (await lector()).producto(id))!;
  expect(absolute.existencia.almacenes.map(({ almacen, nombre }) => [almacen, nombre])).toEqual([
    ['1', 'Mexico'],
    ['4', 'Monterrey'],
  ]);
  await far.post('/interruptores', { medios: 'relativos' });
  const [relative] = (await (await lector()).producto(id))!.imagenes;
  expect(relative).toMatch(/^https:\/\/cdn\.tvc\.mx\/media\//);
  // The sandbox serves the pictures that are told whole, at its own address.
  expect(absolute.imagenes).toEqual([relative!.replace('https://', `${process.env.SANDBOX_URL}/imagenes/`)]);
});
