/** Users, companies and agents of `/api/v1`: edited by who saw them as they are, and by nobody else's right. */
import { beforeAll, expect, test } from 'vitest';
import { openSession, noteProof } from '~/domain/personal/sesiones.server';
import { createTokenApi } from '~/domain/personal/tokensApi.server';
import { ask, get } from '../support/api';
import { testDatabase } from '../support/db';
import { SOME_ID } from '../support/routes';
import { buildUsuarios } from '../support/web';

const { db } = testDatabase();
const tokens: Record<string, string> = {};
let ids: Awaited<ReturnType<typeof buildUsuarios>>;

async function entrar(id: string) {
  const token = await db.transaction().execute((trx) => openSession(trx, { id }, true));
  await noteProof(db, token);
  return token;
}

beforeAll(async () => {
  ids = await buildUsuarios(db);
  for (const rol of ['sa', 'admin'] as const) tokens[rol] = await entrar(ids[rol]);
});

type Body = { id: string; version: number; codigo?: string };
const send = (method: string, address: string, body: object, mark?: string | null, token = tokens.sa) =>
  ask(method, address, { token, body, ...(mark && { headers: { 'If-Match': mark } }) });

const ANA = {
  usuario: 'ana',
  nombre: 'Ana',
  apellidos: 'Núñez',
  email: 'ana@ejemplo.mx',
  rol: 'user',
  password: 'Ejemplo#2026',
};

test('a user is made, edited by the mark, stopped, and enters with the new password', async () => {
  const made = await send('POST', '/api/v1/usuarios', ANA);
  expect([made.status, made.body]).toMatchObject([201, { usuario: 'ana', activo: true, sesiones: 0 }]);
  expect(made.text).not.toContain('password');
  const address = `/api/v1/usuarios/${(made.body as Body).id}`;
  const { password: _, ...datos } = ANA;
  const changed = await send('PUT', address, { ...datos, nombre: 'Ana María' }, made.headers.get('ETag'));
  expect(changed.body).toMatchObject({ nombre: 'Ana María', version: 2 });
  expect((await send('PUT', address, datos, made.headers.get('ETag'))).body).toMatchObject({
    codigo: 'version-movida',
  });
  const word = { password: 'Otra#Llave26' };
  const moved = await send('PUT', `${address}/password`, word, changed.headers.get('ETag'));
  expect(moved.status).toBe(200);
  expect((await send('PUT', `${address}/password`, word, changed.headers.get('ETag'))).status).toBe(412);
  const login = () => ask('POST', '/api/usuario/login', { body: { user: 'ana', password: word.password } });
  expect((await login()).status).toBe(200);
  const now = await get(address, tokens.sa);
  expect(now.body).toMatchObject({ sesiones: 1 });
  const off = await send('PATCH', address, { activo: false }, now.headers.get('ETag'));
  expect(off.body).toMatchObject({ activo: false, sesiones: 0 });
  expect((await login()).body).toMatchObject({ error: true });
});

test('who administers neither sees, reads nor edits a Super Usuario, and a personal token edits nobody', async () => {
  const address = `/api/v1/usuarios/${ids.sa}`;
  const { datos } = (await get('/api/v1/usuarios?limite=200', tokens.admin)).body as { datos: { rol: string }[] };
  expect(datos.length).toBeGreaterThan(3);
  expect(datos.map(({ rol }) => rol)).not.toContain('sa');
  const { text } = await ask('GET', '/api/v1/usuarios?formato=ndjson', { token: tokens.admin });
  expect(text.split('\n').filter(Boolean)).toHaveLength(datos.length);
  expect((await get(address, tokens.admin)).status).toBe(404);
  expect((await send('PATCH', address, { activo: false }, '"v0"', tokens.admin)).status).toBe(404);
  const { password: _, ...as } = ANA;
  expect(
    (await send('POST', '/api/v1/usuarios', { ...ANA, usuario: 'otra', rol: 'sa' }, null, tokens.admin)).body,
  ).toMatchObject({
    errores: [{ campo: 'rol' }],
  });
  const alcances = ['usuarios:leer', 'usuarios:escribir'];
  const token = await db
    .transaction()
    .execute((trx) => createTokenApi(trx, { id: ids.sa }, { nombre: 'P', vida: '7', alcances }, alcances));
  expect((await get(address, token)).status).toBe(200);
  expect((await send('PUT', address, as, '"v0"', token)).body).toMatchObject({ codigo: 'prueba-requerida' });
});

test('a company is made once, renamed and stopped by the mark', async () => {
  const made = await send('POST', '/api/v1/empresas', { nombre: 'Cámaras del Norte' });
  expect([made.status, made.body]).toMatchObject([201, { nombre: 'Cámaras del Norte', activo: true, conexion: null }]);
  expect((await send('POST', '/api/v1/empresas', { nombre: 'CAMARAS DEL NORTE' })).body).toMatchObject({
    errores: [{ campo: 'nombre' }],
  });
  const address = `/api/v1/empresas/${(made.body as Body).id}`;
  const named = await send('PUT', address, { nombre: 'Cámaras del Sur' }, made.headers.get('ETag'));
  expect(named.body).toMatchObject({ nombre: 'Cámaras del Sur', version: 2 });
  expect((await send('PATCH', address, { activo: false }, made.headers.get('ETag'))).status).toBe(412);
  const off = await send('PATCH', address, { activo: false }, named.headers.get('ETag'));
  expect(off.body).toMatchObject({ activo: false, version: 3 });
  expect((await send('PUT', `/api/v1/empresas/${SOME_ID}`, { nombre: 'X' }, '"v0"')).status).toBe(404);
});

test('an agent is of a supplier that there is, and stops by the mark', async () => {
  const agente = { nombre: 'Luis', apellidos: 'Ríos', email: 'luis@ejemplo.mx', proveedor: 'syscom' };
  const made = await send('POST', '/api/v1/agentes', agente);
  expect([made.status, made.body]).toMatchObject([
    201,
    { ...agente, proveedorLabel: expect.any(String), activo: true },
  ]);
  expect((await send('POST', '/api/v1/agentes', { ...agente, proveedor: 'nadie' })).body).toMatchObject({
    errores: [{ campo: 'proveedor' }],
  });
  const address = `/api/v1/agentes/${(made.body as Body).id}`;
  const moved = await send(
    'PUT',
    address,
    { ...agente, email: 'luis@syscom.test', proveedor: 'ct' },
    made.headers.get('ETag'),
  );
  expect(moved.body).toMatchObject({ email: 'luis@syscom.test', proveedor: 'ct', activo: true, version: 2 });
  const unknown = await send('PUT', address, { ...agente, proveedor: 'nadie' }, moved.headers.get('ETag'));
  expect(unknown.body).toMatchObject({ errores: [{ campo: 'proveedor' }] });
  const off = await send('PATCH', address, { activo: false }, moved.headers.get('ETag'));
  expect(off.body).toMatchObject({ activo: false, version: 3 });
  expect((await send('PATCH', address, { activo: true }, made.headers.get('ETag'))).status).toBe(412);
  const { datos } = (await get('/api/v1/agentes?q=luis', tokens.sa)).body as { datos: Body[] };
  expect(datos).toMatchObject([{ proveedor: 'ct', activo: false }]);
});
