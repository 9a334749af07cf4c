import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ROLES, type Rol } from '~/access/screens';
import { ALCANCE_LABEL, alcanceLabel, alcancesEnTexto } from '~/api/alcances';
import { CALLS, alcancesOf } from '~/api/catalog.server';
import { alcanceOf, changes, rolesOf, type Call } from '~/api/call.server';
import { createTokenApi } from '~/domain/personal/tokensApi.server';
import { misfit } from '../support/api';
import { testDatabase } from '../support/db';
import { SOME_ID } from '../support/routes';
import { buildUsuarios, PASSWORD, Web } from '../support/web';

let web: Web;
const tokens: Partial<Record<Rol, string>> = {};
const reading: Partial<Record<Rol, string>> = {};

beforeAll(async () => {
  const { db } = testDatabase();
  const ids = await buildUsuarios(db);
  web = await Web.start({ API_POR_MINUTO: '100000' });
  for (const rol of ROLES) {
    const body = JSON.stringify({ user: rol, password: PASSWORD });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await web.fetch('/api/usuario/login', { method: 'POST', headers, body });
    tokens[rol] = ((await answer.json()) as { token: string }).token;
    const alcances = alcancesOf(rol).filter((alcance) => alcance.endsWith(':leer'));
    const form = { nombre: 'Lee', vida: '7' as const, alcances };
    reading[rol] = await db.transaction().execute((trx) => createTokenApi(trx, { id: ids[rol] }, form, alcances));
  }
}, 180_000);

/** Of nothing that there is, and with nothing said: what passes the door is refused further in, or finds nothing. */
const addressOf = ({ path }: Call) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (/^(?:from|to)$/.test(name) ? '2026-11-01' : SOME_ID));

async function verdict(call: Call, token: string | undefined, method: string = call.method) {
  const address = addressOf(call);
  const answer = await web.fetch(address, {
    method,
    headers: { ...(token && { Authorization: `Bearer ${token}` }), 'Content-Type': 'application/json' },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{"_id":1}' }),
  });
  const { status } = answer;
  const type = answer.headers.get('Content-Type') ?? '';
  const text = type.includes('json') ? await answer.text() : '';
  const wrong = misfit(method, address, { status, type, text });
  if (wrong) return wrong;
  // 502: a far side that nobody has linked, which is asked beyond the door.
  return status === 401 || status === 403 || status === 405 || (status >= 500 && status !== 502) ? status : 'pasa';
}

async function wrongOf(
  calls: readonly Call[],
  expected: (call: Call) => number | string,
  ask: typeof verdict,
  token?: string,
) {
  const waiting = [...calls];
  const wrong: string[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let call = waiting.pop(); call; call = waiting.pop()) {
        const said = await ask(call, token);
        if (said !== expected(call)) wrong.push(`${call.method} ${call.path}: ${said} y no ${expected(call)}`);
      }
    }),
  );
  return wrong;
}

const closed = CALLS.filter(({ acceso }) => acceso !== 'abierta');

test('a call that is not for anyone wants a token', async () => {
  expect(closed.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  // Who says nobody may ask 300 times a minute.
  for (let from = 0; from < closed.length; from += 250) {
    await sql`delete from rate_limit`.execute(testDatabase().db);
    wrong.push(...(await wrongOf(closed.slice(from, from + 250), () => 401, verdict)));
  }
  expect(wrong).toEqual([]);
});

test.each(ROLES)('%s calls what their screens and rights let them, and nothing else', async (rol) => {
  const may = (call: Call) => (rolesOf(call).includes(rol) ? 'pasa' : 403);
  expect(await wrongOf(closed, may, verdict, tokens[rol])).toEqual([]);
});

test.each(ROLES)('a token of %s that may only read changes nothing', async (rol) => {
  const writing = closed.filter((call) => changes(call) && rolesOf(call).includes(rol) && call.acceso !== 'sesion');
  expect(await wrongOf(writing, () => 403, verdict, reading[rol])).toEqual([]);
});

test('no method passes that the table does not name, whatever the path', async () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
  const wrong: string[] = [];
  for (const path of new Set(CALLS.map((call) => call.path))) {
    const named = CALLS.filter((call) => call.path === path);
    const call = named[0]!;
    for (const method of methods.filter((one) => !named.some((other) => other.method === one) && one !== 'TRACE')) {
      // Another path with a name in that place may know it.
      const fits = CALLS.some((other) => other.method === method && sameShape(other.path, path));
      const said = fits ? 405 : await verdict(call, tokens.sa, method);
      if (said !== 405) wrong.push(`${method} ${path}: ${said}`);
    }
  }
  expect(wrong).toEqual([]);
});

const sameShape = (one: string, other: string) => {
  const [a, b] = [one.split('/'), other.split('/')];
  return a.length === b.length && a.every((part, at) => part.startsWith('{') || part === b[at]);
};

test('what the old client changed by GET names the POST that does it', async () => {
  const byGet = CALLS.filter(({ porGet }) => porGet);
  expect(byGet.map(({ path }) => path)).toContain('/api/empresa/activar/{id}');
  for (const call of byGet) {
    const address = addressOf(call);
    const answer = await web.fetch(address, { headers: { Authorization: `Bearer ${tokens.sa}` } });
    expect([call.path, answer.status, answer.headers.get('Allow'), answer.headers.get('Link')]).toEqual([
      call.path,
      405,
      'POST',
      `<${address}>; rel="alternate"; method="POST"`,
    ]);
  }
});

/** One request as it goes over the wire. */
const raw = (path: string, token: string, llave: string, body: string) =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(web.base).host}`,
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${llave}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

test('whose connection is cut after the write gets the first answer when they ask again', async () => {
  const { db } = testDatabase();
  const [nombre, llave] = ['Cortada', 'cortada'];
  const body = JSON.stringify({ nombre });
  const made = () => db.selectFrom('empresa').select('id').where('nombre', '=', nombre).execute();
  const { hostname, port } = new URL(web.base);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(raw('/api/empresa', tokens.sa!, llave, body));
  await expect.poll(made, { timeout: 20_000 }).toHaveLength(1);
  socket.destroy();
  const again = await web.fetch('/api/empresa', {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.sa}`, 'Content-Type': 'application/json', 'Idempotency-Key': llave },
    body,
  });
  const [row] = await made();
  expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
  expect(await again.json()).toMatchObject({ _id: row!.id });
  expect(await made()).toHaveLength(1);
});

test('every permission has the words of its screen', () => {
  const named = CALLS.map(({ alcance }) => alcance);
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(ALCANCE_LABEL).toSorted());
  expect(alcanceLabel('stock:escribir')).toBe('Stock interno: cambiar');
  expect(alcancesEnTexto(['stock:leer', 'ordenes:leer', 'stock:escribir'])).toBe(
    'Ordenes (leer), Stock interno (leer y cambiar)',
  );
});

test('every permission of a token is of a call, and of a role that may make it', () => {
  const known = new Set(CALLS.map(alcanceOf));
  for (const rol of ROLES) for (const alcance of alcancesOf(rol)) expect(known).toContain(alcance);
  // Who edits users gives a password first, and a program has none.
  expect(alcancesOf('sa')).not.toContain('usuarios:escribir');
  expect(alcancesOf('sa')).toContain('usuarios:leer');
  expect(alcancesOf('cont')).not.toContain('usuarios:leer');
  expect(alcancesOf('user')).not.toContain('usuarios:escribir');
});
