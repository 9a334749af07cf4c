import type { ActionFunctionArgs } from '@remix-run/node';
import { describe, expect, test } from 'vitest';
import { recall, listEntradas } from '~/bodega/almacen';
import { versionOf } from '~/bodega/cola';
import { viewPieza } from '~/domain/compras/stock/bodega.server';
import { action as recibeEnvio } from '~/routes/bodega/enviar';
import { buildPiezas, buildProductoDeStock } from '../support/builders/stock';
import { testDatabase } from '../support/db';
import { buildUsuarios } from '../support/web';
import { ANA, BASE, hecho, json, LUIS, pieza, sinRed, tomaTelefono, type Pedido } from './telefono';

const telefono = tomaTelefono();
const estados = async () => (await listEntradas()).map(({ sobre, que, estado }) => [sobre, que, estado]);
const leido = (cual: ReturnType<typeof pieza>) => json(200, { clase: 'pieza', pieza: cual });
const isLectura = ({ path }: Pedido) => path.startsWith('/user/bodega/leer');
const foto = () => new Blob(['una foto'], { type: 'image/jpeg' });

describe('what is pressed without signal', () => {
  test('is sent once the signal is back, in the order of the presses, each one once', async () => {
    const uno = telefono();
    uno.contesta = sinRed;
    const claves = [
      await uno.presiona({ sobre: 'A-1' }),
      await uno.presiona({ sobre: 'A-2' }),
      await uno.presiona({ sobre: 'A-1', que: 'surtir' }),
    ];
    expect(await uno.envia()).toBe('sinSenal');
    // Nothing else is tried where the first press had no signal.
    expect(uno.llegaron()).toEqual([claves[0]]);
    expect(await listEntradas()).toMatchObject(claves.map((clave) => ({ clave, estado: 'espera' })));

    uno.pedidos.length = 0;
    uno.contesta = () => hecho(2, 'Se guardó.');
    expect(await uno.envia()).toBe('todo');
    expect(uno.llegaron()).toEqual(claves);
    expect(uno.hechos.map(({ aviso }) => aviso)).toEqual(Array(3).fill('Se guardó.'));
    expect(await listEntradas()).toEqual([]);
    expect(await uno.envia()).toBe('nada');
    expect(uno.llegaron()).toEqual(claves);
  });

  test('goes with everything that was written, under the name of who pressed it', async () => {
    const uno = telefono();
    const clave = await uno.presiona({ sobre: 'A-1' });
    await uno.presiona({ sobre: 'A-2', que: 'foto', campos: { id: 'id-A-2' }, foto: foto() });
    await uno.envia();
    const [cambio, retrato] = uno.pedidos;
    expect(cambio).toEqual({
      path: '/user/bodega/enviar',
      campos: { que: 'estado', clave, usuario: ANA, id: 'id-A-1', version: '1', estado: 'vendido' },
    });
    expect([retrato!.foto?.name, await retrato!.foto?.text()]).toEqual(['foto.jpg', 'una foto']);
  });

  test('is not sent by whoever holds the phone next', async () => {
    const uno = telefono();
    const suya = await uno.presiona({ sobre: 'A-1' });
    expect(await uno.envia(LUIS)).toBe('nada');
    expect([uno.pedidos, await estados()]).toEqual([[], [['A-1', 'estado', 'espera']]]);
    await uno.envia(ANA);
    expect(uno.llegaron()).toEqual([suya]);
  });

  test('is sent by one page of the phone, however many are open', async () => {
    const uno = telefono();
    const clave = await uno.presiona({ sobre: 'A-1' });
    expect((await Promise.all([uno.envia(), uno.envia(), uno.envia()])).sort()).toEqual(['nada', 'nada', 'todo']);
    expect(uno.llegaron()).toEqual([clave]);
  });

  test('and while others are on their way is sent with them', async () => {
    const uno = telefono();
    const claves = [await uno.presiona({ sobre: 'A-1' })];
    uno.contesta = async () => {
      if (claves.length < 3) claves.push(await uno.presiona({ sobre: `A-${claves.length + 1}` }));
      return hecho(2);
    };
    expect(await uno.envia()).toBe('todo');
    expect([uno.llegaron(), await listEntradas()]).toEqual([claves, []]);
  });
});

describe('an answer that is lost', () => {
  test('is asked again with the same key and the same words', async () => {
    const uno = telefono();
    const clave = await uno.presiona({ sobre: 'A-1' });
    uno.contesta = sinRed;
    expect(await uno.envia()).toBe('sinSenal');
    uno.contesta = () => hecho(2);
    expect(await uno.envia()).toBe('todo');
    expect(uno.llegaron()).toEqual([clave, clave]);
    expect(uno.pedidos[1]).toEqual(uno.pedidos[0]);
  });

  test('moved the piece once, and the phone learns so: with the server of the house', async () => {
    const { db } = testDatabase();
    const usuarios = await buildUsuarios(db);
    const usuario = { id: usuarios.user, rol: 'user' };
    const [una] = await buildPiezas(db, usuario.id, { producto: (await buildProductoDeStock(db)).id });
    const { id, folio, version } = una!;
    const movimientos = async () => (await viewPieza(db, id))!.version;

    const uno = telefono();
    let seOye = false;
    uno.contesta = async ({ path, campos }) => {
      const request = new Request(`http://trastienda.test${path}`, {
        method: 'POST',
        body: new URLSearchParams(campos),
      });
      const said = await recibeEnvio({ request, params: {}, context: { usuario } } as unknown as ActionFunctionArgs);
      return seOye ? said : sinRed();
    };
    await uno.presiona({
      sobre: folio,
      usuario: usuario.id,
      campos: { id, version: String(version), estado: 'disponible' },
    });
    expect(await uno.envia(usuario.id)).toBe('sinSenal');
    expect(await movimientos()).toBe(version + 1);
    seOye = true;
    expect(await uno.envia(usuario.id)).toBe('todo');
    expect([await movimientos(), await listEntradas()]).toEqual([version + 1, []]);
  });

  test('is no answer of the server: the page of a network that asks for its own sign-in says nothing', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1' });
    uno.contesta = () => new Response('<h1>Bienvenido al WiFi</h1>', { headers: { 'Content-Type': 'text/html' } });
    expect(await uno.envia()).toBe('sinSenal');
    expect(await estados()).toEqual([['A-1', 'estado', 'espera']]);
  });
});

describe('a press that the server refuses', () => {
  const no = (body: object = { titulo: 'Error.', texto: 'Esa pieza ya se vendió.' }) => json(422, body);

  test('stays on the phone with what was said of it, and is not sent again by itself', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1' });
    uno.contesta = () => no({ titulo: 'Error.', texto: 'Esa pieza ya se vendió.', marcas: { repetida: 1 } });
    expect(await uno.envia()).toBe('todo');
    const [queda] = await listEntradas();
    expect([queda!.estado, queda!.porque]).toEqual([
      'no',
      { titulo: 'Error.', texto: 'Esa pieza ya se vendió.', pieza: null, marcas: { repetida: 1 } },
    ]);
    expect(uno.hechos).toEqual([]);
    expect(await uno.envia()).toBe('nada');
    expect(uno.llegaron()).toHaveLength(1);
  });

  test('holds back what was pressed later about its piece, and nothing about another', async () => {
    const uno = telefono();
    const [mala, detras, otra] = [
      await uno.presiona({ sobre: 'A-1' }),
      await uno.presiona({ sobre: 'A-1', que: 'surtir' }),
      await uno.presiona({ sobre: 'A-2' }),
    ];
    uno.contesta = ({ campos }) => (campos.clave === mala ? no() : hecho(2));
    await uno.envia();
    expect(uno.llegaron()).toEqual([mala, otra]);
    expect(await listEntradas()).toMatchObject([
      { clave: mala, estado: 'no' },
      { clave: detras, estado: 'espera' },
    ]);
  });

  test('holds back nothing where it is only a photograph', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1', que: 'foto', campos: { id: 'id-A-1' }, foto: foto() });
    await uno.presiona({ sobre: 'A-1' });
    uno.contesta = ({ campos }) => (campos.que === 'foto' ? no() : hecho(2));
    await uno.envia();
    expect(await estados()).toEqual([['A-1', 'foto', 'no']]);
  });

  test('about a piece that somebody else moved is told with how the piece stands now', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1' });
    const ahora = pieza('A-1', { estado: 'baja', estadoLabel: 'Baja', version: 9 });
    uno.contesta = () => json(409, { choque: true, titulo: 'Cambió.', texto: 'Luis la movió.', pieza: ahora });
    await uno.envia();
    const [queda] = await listEntradas();
    expect([queda!.estado, queda!.porque?.texto, queda!.porque?.pieza]).toEqual(['choque', 'Luis la movió.', ahora]);
    // Whoever opens the piece without signal sees it so, too.
    expect((await recall('A-1'))?.value).toMatchObject({ estado: 'baja', version: 9 });
  });

  test('by something that speaks no words of ours is told by its number', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1' });
    uno.contesta = () => new Response('<h1>Too large</h1>', { status: 413 });
    await uno.envia();
    expect((await listEntradas())[0]).toMatchObject({
      estado: 'no',
      porque: { texto: 'El servidor no lo aceptó (413). Avisa a quien administra.' },
    });
  });
});

describe('a server that fails', () => {
  test('at one press is asked again later, and takes the presses about other pieces meanwhile', async () => {
    const uno = telefono();
    const [mala, detras, otra] = [
      await uno.presiona({ sobre: 'A-1' }),
      await uno.presiona({ sobre: 'A-1', que: 'surtir' }),
      await uno.presiona({ sobre: 'A-2' }),
    ];
    uno.contesta = ({ campos }) => (campos.clave === mala ? json(500, { texto: 'Incidente 7.' }) : hecho(2));
    expect(await uno.envia()).toBe('falla');
    expect(uno.llegaron()).toEqual([mala, otra]);
    expect(await listEntradas()).toMatchObject([
      { clave: mala, estado: 'espera', fallo: 'Incidente 7.' },
      { clave: detras, estado: 'espera' },
    ]);
    uno.pedidos.length = 0;
    uno.contesta = () => hecho(3);
    expect(await uno.envia()).toBe('todo');
    expect([uno.llegaron(), await listEntradas()]).toEqual([[mala, detras], []]);
  });

  test('whole, or that asks for time, is left alone with everything that waits', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1' });
    await uno.presiona({ sobre: 'A-2' });
    for (const status of [408, 429, 502, 503, 504]) {
      uno.pedidos.length = 0;
      uno.contesta = () => new Response('<h1>Upstream</h1>', { status });
      expect([status, await uno.envia(), uno.pedidos.length]).toEqual([status, 'falla', 1]);
    }
    expect(await estados()).toEqual([
      ['A-1', 'estado', 'espera'],
      ['A-2', 'estado', 'espera'],
    ]);
  });

  test('says of a scanner that is away that it concerns one photograph: others go on', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'A-1', que: 'foto', campos: { id: 'id-A-1' }, foto: foto() });
    const otra = await uno.presiona({ sobre: 'A-2' });
    uno.contesta = ({ campos }) => (campos.que === 'foto' ? json(503, { texto: 'Falta el antivirus.' }) : hecho(2));
    expect(await uno.envia()).toBe('falla');
    expect(uno.llegaron()).toContain(otra);
    expect(await listEntradas()).toMatchObject([{ que: 'foto', estado: 'espera', fallo: 'Falta el antivirus.' }]);
  });
});

test('a session that ended loses nothing: what waits is sent once somebody is signed in again', async () => {
  const uno = telefono();
  const clave = await uno.presiona({ sobre: 'A-1' });
  uno.contesta = () => json(401, { texto: 'Entra otra vez.' });
  expect(await uno.envia()).toBe('sinEntrar');
  const login = new Response('<h1>Entrar</h1>');
  Object.defineProperty(login, 'redirected', { value: true });
  uno.contesta = () => login;
  expect(await uno.envia()).toBe('sinEntrar');
  expect(await listEntradas()).toMatchObject([{ clave, estado: 'espera' }]);
  uno.contesta = () => hecho(2);
  expect(await uno.envia()).toBe('todo');
});

describe('a piece that nobody had seen', () => {
  const ciega = { sobre: 'A-9', visto: null, campos: { estado: 'vendido' } };

  test('is moved by nobody: its state is asked about once the piece is seen', async () => {
    const uno = telefono();
    await uno.presiona(ciega);
    uno.contesta = () => leido(pieza('A-9'));
    await uno.envia();
    expect(uno.pedidos.map(({ path }) => path)).toEqual(['/user/bodega/leer?texto=A-9']);
    expect(await listEntradas()).toMatchObject([
      { estado: 'choque', campos: { id: 'id-A-9' }, porque: { titulo: 'Esta pieza no se había visto.' } },
    ]);
  });

  test('is photographed all the same', async () => {
    const uno = telefono();
    await uno.presiona({ ...ciega, que: 'foto', campos: {}, foto: foto() });
    uno.contesta = (pedido) => (isLectura(pedido) ? leido(pieza('A-9')) : hecho());
    expect(await uno.envia()).toBe('todo');
    expect([uno.pedidos.at(-1)!.campos.id, await listEntradas()]).toEqual(['id-A-9', []]);
  });

  test('and does not exist is told so', async () => {
    const uno = telefono();
    await uno.presiona(ciega);
    uno.contesta = () => json(404, { clase: 'nada' });
    await uno.envia();
    expect(await listEntradas()).toMatchObject([{ estado: 'no', porque: { texto: 'Ese folio no existe.' } }]);
  });
});

describe('two presses of one person about one piece', () => {
  test('never collide: the second one is about the piece as the first one left it', async () => {
    const uno = telefono();
    await uno.presiona({ sobre: 'B-1' });
    await uno.presiona({ sobre: 'B-1', que: 'surtir' });
    const ajena = await uno.presiona({ sobre: 'B-1', usuario: LUIS });
    uno.contesta = ({ campos }) => hecho(Number(campos.version) + 1);
    await uno.envia();
    expect(uno.pedidos.map(({ campos }) => campos.version)).toEqual(['1', '2']);
    // Somebody else saw another piece, and is asked.
    expect(await listEntradas()).toMatchObject([{ clave: ajena, campos: { version: '1' } }]);
    // The screen still shows the version of before both.
    expect([versionOf('B-1', '1'), versionOf('B-1', '3'), versionOf('B-2', '1')]).toEqual(['3', '3', '1']);
  });
});

test('a folio is looked up under the address of the warehouse of this role', async () => {
  const uno = telefono();
  await uno.presiona({ sobre: 'A 1&x', que: 'foto', campos: {}, foto: foto() });
  uno.contesta = (pedido) => (isLectura(pedido) ? leido(pieza('A 1&x')) : hecho());
  await uno.envia();
  expect(uno.pedidos[0]!.path).toBe(`${new URL(BASE).pathname}/leer?texto=A+1%26x`);
});
