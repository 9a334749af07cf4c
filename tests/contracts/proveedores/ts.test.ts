import { expect, test } from 'vitest';
import { ts } from '~/domain/compras/directorio/internal/ts.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { LLAVES } from '../../sandbox/ts';
import { leidosDe, primero, proveedorContract } from './suite';

const { db, far, lector, ejemplos, tried } = await proveedorContract(ts, {
  llaves: LLAVES,
  malas: { token: 'otra' },
  sinPrecio: { sinVenta: 'cero', moneda: 'moneda' },
  opciones: {},
  leido: [1, '6065b590481a'],
  renueva: false,
});

test('the whole catalogue is asked for once in half an hour, by all processes, and no question waits for it', async () => {
  const { catalogo } = await lector();
  await primero(catalogo!(null));
  const again = await tried(primero(ts.proveedor!.leer(db, 'maquina').catalogo!(null)));
  expect(again.error).toBeInstanceOf(Unavailable);
  expect((again.error as Unavailable).details.retryAfterMs).toBeGreaterThan(29 * 60_000);
  const { id } = (await ejemplos()).normal![0]!;
  expect((await ts.proveedor!.leer(db, 'persona').producto(id))!.idProveedor).toBe(id);
});

test('a price that is missing is none, and what it suggests to sell at does not stand in for it', async () => {
  const { id } = (await ejemplos()).sinVenta![0]!;
  await far.post('/interruptores', { sinVenta: 'ausente' });
  expect(await (await lector()).producto(id)).toMatchObject({ precio: null, sinPrecio: 'cero' });
});

test('what it no longer sells is kept and told as such', async () => {
  const { descontinuado, normal } = await ejemplos();
  expect(await (await lector()).producto(descontinuado![0]!.id)).toMatchObject({ enVenta: false });
  expect(await (await lector()).producto(normal![0]!.id)).toMatchObject({ enVenta: true });
});

test.each(['utf8', 'latin1', 'bom'])(
  'names keep their accents, written as %s and with entities',
  async (codificacion) => {
    await far.post('/interruptores', { codificacion, textos: 'conEntidades' });
    const { items } = leidosDe(await primero((await lector()).catalogo!(null)));
    expect(items.find(({ nombre }) => nombre?.startsWith('C'))!.nombre).toMatch(
      /^(Cámara bala|Cámara domo|Control de acceso) /,
    );
    expect(items.every(({ nombre }) => !/[&;]|\s$/.test(nombre!))).toBe(true);
  },
);

test('a no in its own words, with status 200, is shown and breaks no link', async () => {
  const { id } = (await ejemplos()).normal![0]!;
  await far.failNext('refuse', { message: 'Servicio suspendido' });
  const { error } = await tried((await lector()).producto(id));
  expect(error).toBeInstanceOf(Refused);
  expect(error).toMatchObject({ message: 'TecnoSinergia: Servicio suspendido' });
  expect(error).not.toMatchObject({ details: { account: true } });
});
