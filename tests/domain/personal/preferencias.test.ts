import { beforeAll, expect, test } from 'vitest';
import { PREFERENCIAS } from '~/core/aspecto';
import { foldGroup, pinPantalla, savePreferencias } from '~/domain/personal/preferencias.server';
import { openSession, readSession } from '~/domain/personal/sesiones.server';
import type { Rol } from '~/core/usuario';
import { testDatabase } from '../../support/db';
import { buildUsuarios } from '../../support/web';

const { db } = testDatabase();
let ids: Record<Rol, string>;

beforeAll(async () => {
  ids = await buildUsuarios(db);
});

async function preferenciasOf(rol: Rol) {
  const token = await db.transaction().execute((trx) => openSession(trx, { id: ids[rol] }, false));
  return (await readSession(db, token))!.preferencias;
}

test('who never chose has what everybody has', async () => {
  expect(await preferenciasOf('cont')).toEqual(PREFERENCIAS);
});

test('the first row of a person holds what everybody has, but for what they chose', async () => {
  await savePreferencias(db, ids.aux, { cajonPlegado: true });
  expect(await preferenciasOf('aux')).toEqual({ ...PREFERENCIAS, cajonPlegado: true });
});

test('what one person chose is theirs in every session, and changes nothing else of theirs nor of others', async () => {
  await savePreferencias(db, ids.sa, { apariencia: 'oscuro' });
  await savePreferencias(db, ids.sa, { densidad: 'compacta' });
  expect(await preferenciasOf('sa')).toEqual({ ...PREFERENCIAS, apariencia: 'oscuro', densidad: 'compacta' });
  expect(await preferenciasOf('admin')).toEqual(PREFERENCIAS);
});

test('a group folds and unfolds however often it is pressed, beside the others', async () => {
  await foldGroup(db, ids.user, 'catalogos', true);
  await foldGroup(db, ids.user, 'catalogos', true);
  expect((await preferenciasOf('user')).plegados).toEqual([...PREFERENCIAS.plegados, 'catalogos']);
  await foldGroup(db, ids.user, 'reportes', false);
  expect((await preferenciasOf('user')).plegados).toEqual(['configuracion', 'catalogos']);
});

test('screens are pinned in the order of the presses, once each, and taken away again', async () => {
  for (const pantalla of ['ordenes', 'envios', 'ordenes']) await pinPantalla(db, ids.cont, pantalla, true);
  expect(await preferenciasOf('cont')).toEqual({ ...PREFERENCIAS, fijados: ['envios', 'ordenes'] });
  await pinPantalla(db, ids.cont, 'envios', false);
  expect((await preferenciasOf('cont')).fijados).toEqual(['ordenes']);
});

test('the first fold of a person keeps what is folded for everybody', async () => {
  await foldGroup(db, ids.admin, 'reportes', false);
  expect((await preferenciasOf('admin')).plegados).toEqual(['configuracion']);
});
