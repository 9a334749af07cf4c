import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import { findSession } from '~/access/session.server';
import { env } from '~/core/env.server';
import type { Rol } from '~/core/usuario';
import { createClaveApi, listClavesApi, revokeClaveApi } from '~/domain/personal/clavesApi.server';
import { entradasAnteriores } from '~/domain/personal/internal/colaAnteriores.server';
import { confirmSegundoFactor, readNuevo, startSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { openSession, readSession, revokeSessions } from '~/domain/personal/sesiones.server';
import { ownCookie } from '~/core/cookie.server';
import { avisoOf, get, post } from '../support/api';
import { testDatabase } from '../support/db';
import { buildUsuarios, PASSWORD } from '../support/web';

/** Programs of the old client whose person has to have a second factor. */
const { db } = testDatabase();
let ids: Record<Rol, string>;

beforeEach(async () => {
  for (const table of ['sesion', 'segundoFactor', 'plazoSegundoFactor', 'entradaAnterior', 'claveApi'] as const)
    await db.deleteFrom(table).execute();
  await db
    .updateTable('usuario')
    .set({ usuario: sql<string>`'viejo-' || id`, rol: 'aux', activo: false })
    .execute();
  ids = await buildUsuarios(db);
  env().SEGUNDO_FACTOR = undefined;
});

const enter = (password: string, user = 'sa', codigo?: string) =>
  post('/api/usuario/login', { user, password, ...(codigo && { codigo }) });
const tokenOf = (answer: { body: unknown }) => (answer.body as { token?: string }).token!;
const statusOf = async (token: string) => (await get('/api/v1/ordenes', token)).status;
const crear = (rol: Rol) =>
  db.transaction().execute((trx) => createClaveApi(trx, { id: ids[rol] }, { nombreClave: 'Caja' }));
const later = (days: number) =>
  db
    .updateTable('plazoSegundoFactor')
    .set({ desde: sql<Date>`desde - make_interval(days => ${days}::int)` })
    .execute();
const look = async (rol: Rol) =>
  (
    await entradasAnteriores.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien: { id: ids[rol], rol } })
  ).cosas.map(({ titulo, vence }) => [titulo, vence !== null]);

/** Makes a person's second factor, as its screen does. */
async function activate(rol: Rol) {
  const quien = { id: ids[rol], usuario: rol };
  const token = await db.transaction().execute((trx) => openSession(trx, quien, true));
  await db.transaction().execute((trx) => startSegundoFactor(trx, quien));
  const { secreto } = (await readNuevo(db, quien))!;
  const codigo = TOTP.generate({ secret: Secret.fromBase32(secreto) });
  await db.transaction().execute((trx) => confirmSegundoFactor(trx, quien, token, codigo));
}

test('a role that has to have a second factor has a week from its first session, then nothing opens', async () => {
  const token = tokenOf(await enter(PASSWORD));
  expect(await statusOf(token)).toBe(200);
  const first = (await readSession(db, token))!;
  expect(first.debeActivar).toBe(false);
  expect(first.plazoSegundoFactor!.getTime()).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
  await later(3);
  // The grace is counted from the first session, not from each.
  const again = (await readSession(db, tokenOf(await enter(PASSWORD))))!;
  expect(again.plazoSegundoFactor!.getTime()).toBeLessThan(Date.now() + 4.1 * 86_400_000);
  await later(4);
  expect(await readSession(db, token)).toMatchObject({ debeActivar: true, plazoSegundoFactor: null });
  expect(await statusOf(token)).toBe(403);
  expect(avisoOf(await enter(PASSWORD))).toContain('haz una contraseña de API');
});

test('who need not have one has no grace: other roles, the demo, and what the setting says', async () => {
  const of = async (rol: Rol) => {
    const { debeActivar, plazoSegundoFactor } = (await readSession(
      db,
      await db.transaction().execute((trx) => openSession(trx, { id: ids[rol] }, true)),
    ))!;
    return [debeActivar, plazoSegundoFactor !== null];
  };
  expect([await of('user'), await of('admin')]).toEqual([
    [false, false],
    [false, true],
  ]);
  env().SEGUNDO_FACTOR = [];
  expect(await of('sa')).toEqual([false, false]);
  env().SEGUNDO_FACTOR = ['user'];
  expect([await of('user'), await of('sa')]).toEqual([
    [true, false],
    [false, false],
  ]);
  env().SEGUNDO_FACTOR = undefined;
  env().DEMO = '1';
  try {
    expect(await of('sa')).toEqual([false, false]);
  } finally {
    env().DEMO = '';
  }
});

test('an API password opens the API and no screen, proves nobody, and ends at once', async () => {
  const clave = await crear('sa');
  await activate('sa');
  const token = tokenOf(await enter(clave));
  expect(await statusOf(token)).toBe(200);
  expect(await readSession(db, token)).toMatchObject({ probada: false, soloApi: true, debeActivar: false });
  const cookie = (await ownCookie('sesion').write(token)).split(';')[0]!;
  expect(await findSession(db, new Request('http://x.test/', { headers: { Cookie: cookie } }))).toBeNull();
  expect((await post('/api/v1/claves-api', { nombreClave: 'Otra' }, token)).status).toBe(403);

  // The table keeps its hash, and it is the password of nobody else.
  expect(JSON.stringify(await db.selectFrom('claveApi').selectAll().execute())).not.toContain(clave);
  expect(avisoOf(await enter(clave, 'admin'))).toBe('Usuario o contraseña incorrectos.');

  const { id, usadaEn } = (await listClavesApi(db, ids.sa))[0]!;
  expect(usadaEn).not.toBeNull();
  await db.transaction().execute((trx) => revokeClaveApi(trx, { id: ids.admin }, id));
  expect(await statusOf(token)).toBe(200);
  await db.transaction().execute((trx) => revokeClaveApi(trx, { id: ids.sa }, id));
  expect([await statusOf(token), avisoOf(await enter(clave))]).toEqual([401, 'Usuario o contraseña incorrectos.']);
});

test('an API password ends with the password that its person had', async () => {
  const clave = await crear('user');
  const token = tokenOf(await enter(clave, 'user'));
  await db.transaction().execute((trx) => revokeSessions(trx, ids.user));
  expect([await statusOf(token), avisoOf(await enter(clave, 'user'))]).toEqual([
    401,
    'Usuario o contraseña incorrectos.',
  ]);
});

test('a program that entered by the own password goes on, without screens, until the grace ends', async () => {
  expect(await statusOf(tokenOf(await enter(PASSWORD)))).toBe(200);
  await activate('sa');
  const token = tokenOf(await enter(PASSWORD));
  expect(await statusOf(token)).toBe(200);
  expect(await readSession(db, token)).toMatchObject({ soloApi: true });
  await later(7);
  expect(await statusOf(token)).toBe(401);
  expect(avisoOf(await enter(PASSWORD))).toContain('contraseña de API');
});

test('who had a second factor before is not let in by the password alone', async () => {
  await activate('sa');
  expect(avisoOf(await enter(PASSWORD))).toContain('envía también su codigo');
});

test("'Hoy' tells who enters by the old calls with the own password, until there is an API password", async () => {
  await enter(PASSWORD, 'user');
  expect(await statusOf(tokenOf(await enter(PASSWORD)))).toBe(200);
  expect(await look('user')).toEqual([['user entra por las llamadas anteriores', false]]);
  expect((await look('sa')).toSorted()).toEqual([
    ['sa entra por las llamadas anteriores', true],
    ['user entra por las llamadas anteriores', false],
  ]);
  await enter(await crear('user'), 'user');
  expect(await look('user')).toEqual([]);
  await enter(PASSWORD, 'user');
  expect(await look('user')).toHaveLength(1);
});
