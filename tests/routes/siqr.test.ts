import { randomUUID } from 'node:crypto';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { expect, test } from 'vitest';
import { landingOf, sessionCookie } from '~/access/session.server';
import { openSession } from '~/domain/personal/sesiones.server';
import type { Rol } from '~/core/usuario';
import { createEtiquetas } from '~/domain/compras/stock/etiquetas.server';
import { action, loader } from '~/routes/public/siqr';
import { buildPiezas, buildProductoDeStock } from '../support/builders/stock';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const producto = (await buildProductoDeStock(db)).id;
const usuario = await buildPersona(db, 'user');
const una = async () => (await buildPiezas(db, usuario.id, { producto }))[0]!;

async function cookieDe(rol: Rol) {
  const { id } = rol === 'user' ? usuario : await buildPersona(db, rol);
  const token = await db.transaction().execute((trx) => openSession(trx, { id }, false));
  return (await sessionCookie(token, false)).split(';')[0]!;
}

async function args(folio: string, cookie: string | null, body?: Record<string, string>): Promise<ActionFunctionArgs> {
  const request = new Request(`http://trastienda.test/siqr/${folio}`, {
    headers: cookie ? { Cookie: cookie } : {},
    ...(body && { method: 'POST', body: new URLSearchParams(body) }),
  });
  const context = { ip: '127.0.0.1' } as unknown as AppLoadContext;
  return Promise.resolve({ request, params: { folio }, context } as unknown as ActionFunctionArgs);
}

test('a stranger is told nothing of what exists, and comes back to the same piece', async () => {
  const { folio } = await una();
  for (const cual of [folio, 'DV-26-999999', 'cualquiera']) {
    const volver = `/siqr/${cual}`;
    expect(await loader(await args(cual, null))).toEqual({ clase: 'entrar', volver });
    expect(landingOf({ rol: 'user' }, volver)).toBe(volver);
  }
  const sin = (await action(await args(folio, null, { intent: 'moverPieza' }))) as Response;
  expect(sin.headers.get('Location')).toBe(`/siqr/${folio}`);
});

test('who works with stock sees the piece whole, moves it, and is told of a folio that is not there', async () => {
  const { id, folio, version } = await una();
  const cookie = await cookieDe('user');
  expect(await loader(await args(folio.toLowerCase(), cookie))).toMatchObject({
    clase: 'pieza',
    pieza: { folio, estado: 'enRevision' },
    estados: expect.arrayContaining(['enRevision', 'disponible']),
  });
  await action(await args(folio, cookie, { intent: 'moverPieza', id, version: String(version), estado: 'disponible' }));
  expect(await loader(await args(folio, cookie))).toMatchObject({ pieza: { estado: 'disponible' } });
  expect(await loader(await args('DV-26-999999', cookie))).toMatchObject({ init: { status: 404 } });
});

test('what a piece does not come back from is asked about first, and is taken back within ten minutes', async () => {
  const { id, folio, version } = await una();
  const cookie = await cookieDe('user');
  const baja = { intent: 'moverPieza', id, version: String(version), estado: 'baja' };
  expect(JSON.stringify(await action(await args(folio, cookie, baja)))).toContain(
    `¿Está seguro que desea pasar ${folio} a Baja?`,
  );
  expect(await loader(await args(folio, cookie))).toMatchObject({ pieza: { estado: 'enRevision', version } });
  await action(await args(folio, cookie, { ...baja, confirmado: '1' }));
  const vista = (await loader(await args(folio, cookie))) as { pieza: { version: number } };
  expect(vista).toMatchObject({ pieza: { estado: 'baja', regresaA: 'enRevision' } });
  await action(await args(folio, cookie, { intent: 'deshacerPieza', id, version: String(vista.pieza.version) }));
  expect(await loader(await args(folio, cookie))).toMatchObject({ pieza: { estado: 'enRevision' } });
});

test('a role without stock sees none of it', async () => {
  const { folio } = await una();
  expect(await loader(await args(folio, await cookieDe('cont')))).toMatchObject({
    data: { clase: 'sinRol' },
    init: { status: 403 },
  });
});

test('a label printed before its piece was known is hung on one, for good', async () => {
  const [pieza, otra] = [await una(), await una()];
  const [etiqueta] = await db
    .transaction()
    .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuario.id));
  const { codigo } = etiqueta!;
  const cookie = await cookieDe('user');
  expect(await loader(await args(codigo, cookie))).toEqual({ clase: 'etiqueta', codigo });
  await action(await args(codigo, cookie, { intent: 'ligar', codigo, folio: pieza.folio }));
  expect(await loader(await args(codigo, cookie))).toMatchObject({ pieza: { folio: pieza.folio } });
  const segunda = await action(await args(codigo, cookie, { intent: 'ligar', codigo, folio: otra.folio }));
  expect(JSON.stringify(segunda)).toContain('ya es de la pieza');
});
