import { expect, test } from 'vitest';
import { fetchPorRecibir, readFromServer, requestFromServer, ServidorFalla, SinEntrar, SinSenal } from '~/bodega/red';
import { BASE, json, pieza, sinRed, tomaTelefono, type Contesta } from './telefono';

const telefono = tomaTelefono();
const failsWith = async (contesta: Contesta): Promise<unknown> => {
  telefono().contesta = contesta;
  return requestFromServer(`${BASE}/enviar`, { method: 'POST', body: new FormData() }).catch((error: unknown) => error);
};

test('a lost signal, a server that fails and a session that ended are three things to a person', async () => {
  expect(await failsWith(sinRed)).toBeInstanceOf(SinSenal);
  expect(await failsWith(() => new Response('<html>', { status: 200 }))).toBeInstanceOf(SinSenal);
  expect(await failsWith(() => json(401, {}))).toBeInstanceOf(SinEntrar);
  for (const [status, suya] of [
    [500, true],
    [502, false],
    [504, false],
    [429, false],
    [408, false],
    [503, false],
  ] as const) {
    const error = await failsWith(() => new Response('<h1>no</h1>', { status }));
    expect([status, error instanceof ServidorFalla, (error as ServidorFalla).suya]).toEqual([status, true, suya]);
  }
  expect(await failsWith(() => json(503, { texto: 'Falta el antivirus.' }))).toMatchObject({
    suya: true,
    dice: 'Falta el antivirus.',
  });
});

test('a refusal is an answer', async () => {
  telefono().contesta = () => json(422, { texto: 'No.' });
  expect(await requestFromServer(`${BASE}/enviar`)).toEqual({ status: 422, body: { texto: 'No.' } });
});

test('what was scanned is a piece, a label, a sale, or nothing of ours', async () => {
  telefono().contesta = () => json(200, { clase: 'pieza', pieza: pieza('A-1') });
  expect(await readFromServer(BASE, 'A-1')).toMatchObject({ clase: 'pieza', pieza: { folio: 'A-1' } });
  telefono().contesta = () => json(404, { texto: 'No existe.' });
  expect(await readFromServer(BASE, 'A-1')).toEqual({ clase: 'nada' });
});

test('somebody who may not look at pieces is told so, and not that there is none', async () => {
  telefono().contesta = () => json(403, { texto: 'No puedes ver piezas.' });
  await expect(readFromServer(BASE, 'A-1')).rejects.toMatchObject({ suya: true, dice: 'No puedes ver piezas.' });
});

test('a shift begins with what waits to be received, and with nothing where the server tells nothing', async () => {
  telefono().contesta = () => json(200, { total: 2, ventas: [] });
  expect(await fetchPorRecibir(BASE)).toEqual({ total: 2, ventas: [] });
  telefono().contesta = () => json(403, {});
  expect(await fetchPorRecibir(BASE)).toEqual({ total: 0, ventas: [] });
  expect(telefono().pedidos.map(({ path }) => path)).toEqual(['/user/bodega/leer', '/user/bodega/leer']);
});
