import { beforeAll, beforeEach, expect, test } from 'vitest';
import { alcancesOf } from '~/api/catalog.server';
import { createTokenApi, revokeTokenApi } from '~/domain/personal/tokensApi.server';
import { revokeSessions } from '~/domain/personal/sesiones.server';
import { setActivo, updateUsuario } from '~/domain/personal/usuarios.server';
import type { Rol, Usuario } from '~/core/usuario';
import { ask, avisoOf, get, post } from '../support/api';
import { testDatabase } from '../support/db';
import { buildUsuarios, PASSWORD } from '../support/web';

const { db } = testDatabase();
let ids: Record<Rol, string>;
const LISTA = '/api/v1/ordenes';

beforeAll(async () => {
  ids = await buildUsuarios(db);
});

const personOf = (rol: Rol): Promise<Usuario> =>
  db
    .selectFrom('usuario')
    .select(['id', 'usuario', 'nombre', 'apellidos', 'email', 'rol', 'activo'])
    .where('id', '=', ids[rol])
    .executeTakeFirstOrThrow();

const make = (rol: Rol, alcances: string[], permitidos = alcancesOf(rol)) =>
  db
    .transaction()
    .execute((trx) =>
      createTokenApi(trx, { id: ids[rol] }, { nombre: 'Un programa', vida: '7', alcances }, permitidos),
    );

const statusOf = async (token: string, address = LISTA) => (await get(address, token)).status;

test('who gives a password gets a token that says who they are', async () => {
  const { status, body, headers } = await post('/api/usuario/login', { user: 'user', password: PASSWORD });
  const { token } = body as { token: string };
  expect([status, body]).toEqual([200, { token, rol: 'user', error: false, message: '' }]);
  expect(headers.get('RateLimit')).toMatch(/^"api";r=\d+;t=\d+$/);
  expect((await post('/api/usuario/login/token', { token })).body).toEqual({
    nombre: 'Nombre user',
    apellidos: 'De Prueba',
    rol: 'user',
    error: false,
    message: '',
  });
  expect((await get(`/api/checkToken/${token}`)).body).toEqual({ token, error: false, message: '' });
  expect(await statusOf(token)).toBe(200);
});

test.each([
  [{ user: 'user', password: 'Otra#1234' }, 'Usuario o contraseña incorrectos.'],
  [{ user: 'nadie', password: PASSWORD }, 'Usuario o contraseña incorrectos.'],
  [{ user: 'user' }, expect.stringMatching(/, por favor revisar sus datos: .*\(password\)/) as string],
])('the old client reads why it was refused: %o', async (body, message) => {
  const answer = await post('/api/usuario/login', body);
  expect([answer.status, answer.body]).toMatchObject([200, { error: true, message }]);
});

test('without a token, with a wrong one or with a cookie nobody gets in', async () => {
  const said = await get(LISTA);
  expect([said.status, said.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="trastienda"']);
  expect(said.headers.get('Content-Type')).toBe('application/problem+json');
  expect(await statusOf('tst_nada')).toBe(401);
  expect(await statusOf('nada')).toBe(401);
  expect(
    (await ask('GET', LISTA, { headers: { Cookie: 'sesion=nada', Authorization: 'Basic c2E6c2E=' } })).status,
  ).toBe(401);
  for (const dead of [await get('/api/checkToken/nada'), await post('/api/usuario/login/token', { token: 'nada' })])
    expect(avisoOf(dead)).toBe('El token no existe, venció o se revocó.');
});

test('a token of a program may do what it was given and nothing else, and is kept as a hash', async () => {
  const token = await make('sa', ['ordenes:leer']);
  expect(await statusOf(token)).toBe(200);
  const other = await make('sa', ['ordenes:escribir'], ['ordenes:escribir']);
  expect((await get(LISTA, other)).body).toMatchObject({ codigo: 'sin-permiso', status: 403 });
  const rows = await db.selectFrom('tokenApi').selectAll().execute();
  expect(JSON.stringify(rows.map((row) => ({ ...row, tokenHash: row.tokenHash.toString('base64url') })))).not.toContain(
    token.slice(4, 30),
  );
  expect(rows.find(({ pista }) => token.endsWith(pista))?.usadoEn).toBeInstanceOf(Date);
});

test('nobody gives a program what their role may not do', async () => {
  expect(alcancesOf('aux')).not.toContain('ordenes:leer');
  await expect(make('aux', ['ordenes:leer'])).rejects.toThrow('Tu rol no puede dar esos permisos.');
});

let token: string;
beforeEach(async () => {
  await db.deleteFrom('tokenApi').execute();
  token = await make('user', ['ordenes:leer']);
  expect(await statusOf(token)).toBe(200);
});

const versionOf = async (rol: Rol) =>
  (await db.selectFrom('usuario').select('version').where('id', '=', ids[rol]).executeTakeFirstOrThrow()).version;

test('it ends at once when it is revoked, and nobody ends that of another', async () => {
  const { id } = await db.selectFrom('tokenApi').select('id').executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => revokeTokenApi(trx, { id: ids.sa }, id));
  expect(await statusOf(token)).toBe(200);
  await db.transaction().execute((trx) => revokeTokenApi(trx, { id: ids.user }, id));
  expect(await statusOf(token)).toBe(401);
});

test('it ends when its time is over', async () => {
  await db
    .updateTable('tokenApi')
    .set({ creadoEn: new Date(0), venceEn: new Date(1) })
    .execute();
  expect(await statusOf(token)).toBe(401);
});

test('it ends with the role and with the person', async () => {
  const sa = await personOf('sa');
  const { rol: _, activo: __, ...user } = await personOf('user');
  await db
    .transaction()
    .execute(async (trx) => updateUsuario(trx, sa, { ...user, rol: 'cont', version: await versionOf('user') }));
  expect(await statusOf(token)).toBe(401);
  token = await make('user', ['ordenes:leer']);
  await db
    .transaction()
    .execute(async (trx) => setActivo(trx, sa, { id: ids.user, activo: false, version: await versionOf('user') }));
  expect(await statusOf(token)).toBe(401);
  await db
    .transaction()
    .execute(async (trx) => setActivo(trx, sa, { id: ids.user, activo: true, version: await versionOf('user') }));
  expect(await statusOf(token)).toBe(401);
});

test('a login ends with the sessions of its person', async () => {
  const { token: login } = (await post('/api/usuario/login', { user: 'admin', password: PASSWORD })).body as {
    token: string;
  };
  expect(await statusOf(login)).toBe(200);
  await db.transaction().execute((trx) => revokeSessions(trx, ids.admin));
  expect(await statusOf(login)).toBe(401);
});
