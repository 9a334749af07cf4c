import { hash } from '@node-rs/argon2';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppLoadContext, ServerBuild } from '@remix-run/node';
import { z } from 'zod';
import { guardBuild } from '~/access/guard.server';
import { landingOf, sessionCookie } from '~/access/session.server';
import { defineCall } from '~/api/call.server';
import { createDispatch } from '~/api/dispatch.server';
import { NotAllowed } from '~/core/errors';
import { takeRate, takeTry } from '~/platform/rateLimit.server';
import { rememberDispositivo } from '~/domain/personal/dispositivos.server';
import { authenticate } from '~/domain/personal/signIn.server';
import { TooManyAttempts } from '~/domain/personal/internal/intentos.server';
import { dispositivoDicho } from '~/domain/personal/navegador';
import {
  closeOtherSessions,
  closeOwnSession,
  closeSession,
  listSesiones,
  openSession,
  readSession,
} from '~/domain/personal/sesiones.server';
import { changePassword, setActivo, updateUsuario } from '~/domain/personal/usuarios.server';
import type { Rol, Usuario } from '~/core/usuario';
import { openTestDatabase, testDatabase } from '../../support/db';
import { buildUsuarios, PASSWORD } from '../../support/web';

const { db } = testDatabase();
let ids: Record<Rol, string>;
let sa: Usuario;

beforeAll(async () => {
  ids = await buildUsuarios(db);
  sa = await authenticate(db, { usuario: 'sa', password: PASSWORD, ip: '10.0.0.1' });
});
const forgetFailures = async () => {
  await db.deleteFrom('rateLimit').execute();
  await db.deleteFrom('espera').execute();
};
beforeEach(forgetFailures);

const open = (rol: Rol, recordar = true) =>
  db.transaction().execute((trx) => openSession(trx, { id: ids[rol] }, recordar));
const attempt = (usuario: string, password: string, ip = '10.0.0.2', dispositivo: string | null = null) =>
  authenticate(db, { usuario, password, ip, dispositivo }).then(
    () => 'entra',
    (error: unknown) => (error instanceof NotAllowed ? `${error.titulo} ${error.message}` : String(error)),
  );

test('the user name has no capitals, the password does', async () => {
  expect(await attempt('SA', PASSWORD)).toBe('entra');
  expect(await attempt('sa', PASSWORD.toLowerCase())).toBe('Error de autenticación. Usuario o contraseña incorrectos.');
});

test('an unknown user, a wrong password and an inactive user get one answer', async () => {
  await db.updateTable('usuario').set({ activo: false }).where('id', '=', ids.aux).execute();
  const answers = [await attempt('nadie', PASSWORD), await attempt('sa', 'Otra#12345'), await attempt('aux', PASSWORD)];
  await db.updateTable('usuario').set({ activo: true }).where('id', '=', ids.aux).execute();
  expect(new Set(answers)).toEqual(new Set(['Error de autenticación. Usuario o contraseña incorrectos.']));
});

test('and they take the same time', async () => {
  await db.updateTable('usuario').set({ activo: false }).where('id', '=', ids.aux).execute();
  const cases = { desconocido: 'nadie', equivocada: 'sa', inactivo: 'aux' };
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, [] as number[]])) as Record<
    keyof typeof cases,
    number[]
  >;
  for (let round = 0; round < 9; round += 1) {
    await forgetFailures();
    for (const [name, usuario] of Object.entries(cases) as [keyof typeof cases, string][]) {
      // Of the process, its threads included, and not of the clock: the cores are shared.
      const began = process.cpuUsage();
      await attempt(usuario, usuario === 'aux' ? PASSWORD : 'Otra#12345', `10.1.${round}.1`);
      const { user, system } = process.cpuUsage(began);
      times[name].push(user + system);
    }
  }
  await db.updateTable('usuario').set({ activo: true }).where('id', '=', ids.aux).execute();
  const median = (values: number[]) => values.sort((a, b) => a - b)[4]!;
  const [least, , most] = Object.values(times)
    .map(median)
    .sort((a, b) => a - b);
  // A skipped hash would be some 20 ms less; noise is not.
  expect(most! / least!).toBeLessThan(1.8);
});

test('a hash of older parameters opens once more, and is one of today from then on', async () => {
  const kept = () =>
    db.selectFrom('usuario').select('passwordHash').where('id', '=', ids.cont).executeTakeFirstOrThrow();
  const older = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 3, parallelism: 1 });
  await db.updateTable('usuario').set({ passwordHash: older }).where('id', '=', ids.cont).execute();
  expect(await attempt('cont', 'Otra#12345')).not.toBe('entra');
  expect((await kept()).passwordHash).toBe(older);
  expect(await attempt('cont', PASSWORD)).toBe('entra');
  const { passwordHash } = await kept();
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await attempt('cont', PASSWORD)).toBe('entra');
  expect((await kept()).passwordHash).toBe(passwordHash);
});

test('the table keeps the hash of a token and never the token', async () => {
  const token = await open('admin');
  const { tokenHash } = await db
    .selectFrom('sesion')
    .select('tokenHash')
    .where('usuarioId', '=', ids.admin)
    .executeTakeFirstOrThrow();
  expect(tokenHash).toEqual(createHash('sha256').update(token).digest());
  expect((await readSession(db, token))?.usuario.rol).toBe('admin');
  expect(await readSession(db, `${token}x`)).toBeNull();
  await closeSession(db, token);
  expect(await readSession(db, token)).toBeNull();
});

test('Recordarme lasts 30 days, without it 12 hours, and use moves the end', async () => {
  const hoursLeft = async (token: string) => {
    const { left } = await db
      .selectFrom('sesion')
      .select(sql<string>`extract(epoch from vence_en - now()) / 3600`.as('left'))
      .where('tokenHash', '=', createHash('sha256').update(token).digest())
      .executeTakeFirstOrThrow();
    return Math.round(Number(left));
  };
  const age = (token: string, hours: number) =>
    db
      .updateTable('sesion')
      .set({
        venceEn: sql`vence_en - make_interval(hours => ${hours})`,
        vistaEn: sql`vista_en - make_interval(hours => ${hours})`,
      })
      .where('tokenHash', '=', createHash('sha256').update(token).digest())
      .execute();
  const [kept, brief] = [await open('user', true), await open('user', false)];
  expect([await hoursLeft(kept), await hoursLeft(brief)]).toEqual([720, 12]);
  await age(kept, 48);
  await age(brief, 11);
  expect((await readSession(db, kept))?.renewed).toBe(true);
  expect((await readSession(db, kept))?.renewed).toBe(false);
  expect((await readSession(db, brief))?.renewed).toBe(true);
  expect([await hoursLeft(kept), await hoursLeft(brief)]).toEqual([720, 12]);
  await age(brief, 13);
  expect(await readSession(db, brief)).toBeNull();
});

test('a session ends at its age, however much it is used: 90 days with Recordarme, 24 hours without', async () => {
  const made = (token: string, hours: number) =>
    db
      .updateTable('sesion')
      .set({ creadaEn: sql`now() - make_interval(hours => ${hours})` })
      .where('tokenHash', '=', createHash('sha256').update(token).digest())
      .execute();
  for (const [recordar, hours] of [
    [true, 90 * 24],
    [false, 24],
  ] as const) {
    const token = await open('user', recordar);
    await made(token, hours - 1);
    expect(await readSession(db, token)).not.toBeNull();
    await made(token, hours + 1);
    expect(await readSession(db, token)).toBeNull();
  }
});

test.each([
  [
    'deactivation',
    (rol: Rol, version: number) =>
      db.transaction().execute((trx) => setActivo(trx, sa, { id: ids[rol], activo: false, version })),
  ],
  [
    'a change of role',
    (rol: Rol, version: number) =>
      db.transaction().execute((trx) =>
        updateUsuario(trx, sa, {
          id: ids[rol],
          version,
          rol: 'admin',
          nombre: 'N',
          apellidos: 'A',
          usuario: rol,
          email: 'n@ejemplo.mx',
        }),
      ),
  ],
  [
    'a change of password',
    (rol: Rol) => db.transaction().execute((trx) => changePassword(trx, sa, ids[rol], 'Nueva#1234')),
  ],
])('%s ends every session of that user at once', async (_what, change) => {
  const tokens = [await open('cont'), await open('cont', false)];
  const other = await open('admin');
  const before = await db
    .selectFrom('usuario')
    .select(['version', 'rol'])
    .where('id', '=', ids.cont)
    .executeTakeFirstOrThrow();
  await change('cont', before.version);
  expect(await Promise.all(tokens.map((token) => readSession(db, token)))).toEqual([null, null]);
  expect(await readSession(db, other)).not.toBeNull();
  await db.updateTable('usuario').set({ activo: true, rol: 'cont' }).where('id', '=', ids.cont).execute();
});

test('a password changed while one was signing in with the old one opens nothing', async () => {
  const known = await authenticate(db, { usuario: 'cont', password: 'Nueva#1234', ip: '10.0.0.3' });
  await db.transaction().execute((trx) => changePassword(trx, sa, ids.cont, 'Nueva#5678'));
  await expect(db.transaction().execute((trx) => openSession(trx, known, true))).rejects.toThrow(
    'Usuario o contraseña incorrectos.',
  );
});

test('sessions that end in a transaction that is undone live on', async () => {
  const token = await open('cont');
  await expect(
    db.transaction().execute(async (trx) => {
      await changePassword(trx, sa, ids.cont, 'Nueva#1234');
      throw new Error('algo más falló');
    }),
  ).rejects.toThrow();
  expect(await readSession(db, token)).not.toBeNull();
});

const WAIT = /^Error de autenticación\. Demasiados intentos\. Espera \d+ minutos? y vuelve a intentarlo\.$/;
const guess = async (times: number, one: (at: number) => Promise<unknown>) => {
  for (let at = 0; at < times; at += 1) await one(at);
};
/** The wait of every account and browser ends. */
const waitOut = () =>
  db
    .updateTable('espera')
    .set({ abreEn: sql`now()` })
    .execute();
const remember = (rol: Rol, brought: string | null = null) =>
  db.transaction().execute((trx) => rememberDispositivo(trx, ids[rol], brought));

test('five wrong passwords for one user, from wherever, and the sixth waits, whichever process asks', async () => {
  const other = openTestDatabase().db;
  const tries = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      authenticate(at % 2 ? db : other, { usuario: 'sa', password: 'Otra#12345', ip: `10.0.9.${at}` }).catch(
        (error: unknown) => error,
      ),
    ),
  );
  expect(tries.filter((error) => error instanceof TooManyAttempts)).toHaveLength(5);
  expect(await attempt('SA', PASSWORD, '10.0.0.9')).toMatch(WAIT);
  expect(await attempt('admin', PASSWORD, '10.0.9.1')).toBe('entra');
});

test('each failure after the fifth waits twice as long, a quarter of an hour at most, and entering ends it', async () => {
  const waits: number[] = [];
  for (let at = 1; at <= 12; at += 1) {
    await waitOut();
    await attempt('sa', 'Otra#12345', `10.0.8.${at}`);
    const { wait } = await db
      .selectFrom('espera')
      .select(sql<string>`extract(epoch from abre_en - ultimo_en)`.as('wait'))
      .executeTakeFirstOrThrow();
    waits.push(Number(wait));
  }
  expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
  expect(await attempt('sa', PASSWORD)).toMatch(WAIT);
  await waitOut();
  expect(await attempt('sa', PASSWORD)).toBe('entra');
  await guess(4, () => attempt('sa', 'Otra#12345'));
  expect(await attempt('sa', PASSWORD)).toBe('entra');
});

test('a day without failures forgets them', async () => {
  await guess(5, () => attempt('sa', 'Otra#12345'));
  await db
    .updateTable('espera')
    .set({ ultimoEn: sql`ultimo_en - interval '25 hours'`, abreEn: sql`abre_en - interval '25 hours'` })
    .execute();
  await guess(4, () => attempt('sa', 'Otra#12345'));
  expect(await attempt('sa', PASSWORD)).toBe('entra');
});

test('strangers keep nobody off their own computer, and there too one waits after five', async () => {
  const own = await remember('sa');
  await guess(6, (at) => attempt('sa', 'Otra#12345', `10.0.7.${at}`));
  await guess(60, (at) => attempt(`nadie${at}`, 'Otra#12345', '10.0.7.9'));
  expect(await attempt('sa', PASSWORD, '10.0.7.9')).toMatch(WAIT);
  expect(await attempt('sa', PASSWORD, '10.0.7.9', own)).toBe('entra');
  await guess(5, () => attempt('sa', 'Otra#12345', '10.0.7.10', own));
  expect(await attempt('sa', PASSWORD, '10.0.7.10', own)).toMatch(WAIT);
});

test('a browser is known for those who entered there, by its last token, until their password changes', async () => {
  const first = await remember('sa');
  const second = await remember('admin', first);
  await guess(5, (at) => attempt('sa', 'Otra#12345', `10.0.6.${at}`));
  await guess(5, (at) => attempt('user', 'Otra#12345', `10.0.6.${at}`));
  expect(await attempt('sa', PASSWORD, '10.0.6.1', first)).toMatch(WAIT);
  expect(await attempt('sa', PASSWORD, '10.0.6.1', second)).toBe('entra');
  expect(await attempt('user', PASSWORD, '10.0.6.1', second)).toMatch(WAIT);
  expect(JSON.stringify(await db.selectFrom('dispositivo').selectAll().execute())).not.toContain(second);
  await db
    .transaction()
    .execute(async (trx) => {
      await changePassword(trx, sa, ids.sa, 'Nueva#1234');
      expect(await trx.selectFrom('dispositivo').select('id').where('usuarioId', '=', ids.sa).execute()).toEqual([]);
      throw new Error('nada de esto queda');
    })
    .catch(() => undefined);
});

test('whoever enters at a shared computer gives nobody else there more tries', async () => {
  let token = await remember('sa');
  token = await remember('admin', token);
  await guess(5, () => attempt('sa', 'Otra#12345', '10.0.5.1', token));
  token = await remember('admin', token);
  expect(await attempt('sa', PASSWORD, '10.0.5.1', token)).toMatch(WAIT);
});

test('whoever insists on one account uses up neither its address nor a longer wait', async () => {
  await guess(80, () => attempt('sa', 'Otra#12345', '10.0.4.1'));
  expect(await attempt('admin', PASSWORD, '10.0.4.1')).toBe('entra');
  expect((await db.selectFrom('espera').select('fallos').execute()).map(({ fallos }) => fallos)).toEqual([5]);
});

test('an address that tries many names waits too, and those who enter do not count', async () => {
  // 49 failures in this quarter of an hour and in the next, whichever it is when the tries come.
  for (const ip of ['10.0.1.1', '10.0.1.2']) await takeRate(db, `login:${ip}`, { hits: 50, seconds: 900 });
  await db.updateTable('rateLimit').set({ hits: 49 }).execute();
  await sql`insert into rate_limit (key, window_start, hits)
    select key, window_start + interval '15 minutes', 49 from rate_limit`.execute(db);
  for (let times = 0; times < 3; times++) expect(await attempt('sa', PASSWORD, '10.0.1.1')).toBe('entra');
  const wrong: string[] = [];
  await guess(2, async (at) => wrong.push(await attempt(`nadie${at}`, 'Otra#12345', '10.0.1.2')));
  expect(wrong.map((answer) => answer.includes('Demasiados intentos'))).toEqual([false, true]);
});

test('one sees where one is signed in, and closes every session but the one at hand', async () => {
  await db.deleteFrom('sesion').execute();
  const [here, there] = [await open('cont'), await open('cont', false)];
  const lugar = { direccion: '10.0.5.1', navegador: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36' };
  await readSession(db, there, lugar);
  const seen = await listSesiones(db, ids.cont, here);
  expect(seen.map(({ esta, direccion, navegador }) => [esta, direccion, dispositivoDicho(navegador)]).sort()).toEqual([
    [false, '10.0.5.1', 'Chrome en Windows'],
    [true, null, 'Sin dato'],
  ]);
  expect(await db.transaction().execute((trx) => closeOtherSessions(trx, ids.cont, here))).toBe(1);
  expect([await readSession(db, there), (await readSession(db, here))?.usuario.rol]).toEqual([null, 'cont']);
  const told = await db.selectFrom('bitacora').select('datos').where('accion', '=', 'cerrarDemas').execute();
  expect(told).toEqual([{ datos: { cuantas: 1 } }]);
});

test('one closes one session of one’s own by its id: not the one at hand, and nobody else’s', async () => {
  await db.deleteFrom('sesion').execute();
  const [here, there, other] = [await open('cont'), await open('cont', false), await open('aux')];
  const idOf = async (quien: 'cont' | 'aux', token: string) =>
    (await listSesiones(db, ids[quien], token)).find(({ esta }) => esta)!.id;
  const close = (id: string) => db.transaction().execute((trx) => closeOwnSession(trx, ids.cont, id, here));
  await expect(close(await idOf('cont', here))).rejects.toThrow('Es la sesión en la que estás.');
  await close(await idOf('aux', other));
  await close(await idOf('cont', there));
  const living = await Promise.all([here, there, other].map((token) => readSession(db, token)));
  expect(living.map((sesion) => sesion?.usuario.rol)).toEqual(['cont', undefined, 'aux']);
  const told = await db.selectFrom('bitacora').select('entidadId').where('accion', '=', 'cerrarUna').execute();
  expect(told).toEqual([{ entidadId: ids.cont }]);
});

test('who is refused a screen or a call is in the bitacora, by name and place', async () => {
  const token = await open('cont');
  const build = { routes: { 'sa/empresas': { module: { default: () => null } } } } as unknown as ServerBuild;
  const screen = guardBuild(build, (_id, run) => run).routes['sa/empresas']!.module.loader!;
  const cookie = (await sessionCookie(token, true)).split(';')[0]!;
  const look = () =>
    Promise.resolve(
      screen({
        request: new Request('http://trastienda.test/sa/empresas', { headers: { Cookie: cookie } }),
        params: {},
        context: { ip: '10.0.6.1', setCookie: () => undefined } as unknown as AppLoadContext,
      }),
    );
  await expect(look()).rejects.toMatchObject({ init: { status: 403 } });
  const call = defineCall({
    method: 'GET',
    path: '/api/x/{rfc}',
    resumen: '',
    alcance: 'x',
    acceso: { pantalla: 'empresas' },
    answer: z.object({}),
    run: () => Promise.resolve({}),
  });
  const headers = { Authorization: `Bearer ${token}` };
  const path = '/api/x/MEGJ800101QX1';
  const request = new Request(`http://trastienda.test${path}`, { headers });
  const { status } = await createDispatch([call])({ request, path, requestId: 'r', ip: '10.0.6.2' });
  expect(status).toBe(403);
  const told = () =>
    db
      .selectFrom('bitacora')
      .select(['usuarioId', 'entidadId', 'datos'])
      .where('entidad', '=', 'acceso')
      .orderBy('id')
      .execute();
  expect(await told()).toEqual([
    { usuarioId: ids.cont, entidadId: 'sa/empresas', datos: { rol: 'cont', motivo: 'rol', direccion: '10.0.6.1' } },
    {
      usuarioId: ids.cont,
      entidadId: 'GET /api/x/{rfc}',
      datos: { rol: 'cont', motivo: 'sin-permiso', direccion: '10.0.6.2' },
    },
  ]);
});

test('the bitacora tells who was tried, from where and why not, and neither a password nor a name that nobody has', async () => {
  const failures = () =>
    db
      .selectFrom('bitacora')
      .select(['usuarioId', 'entidadId', 'datos'])
      .where('entidad', '=', 'sesion')
      .where('accion', '=', 'rechazar')
      .orderBy('id')
      .execute();
  const before = (await failures()).length;
  await attempt('SA', 'Otra#12345', '10.0.3.1');
  await attempt('sa', 'Otra#54321', '10.0.3.2');
  await attempt('Secreta#99', 'sa', '10.0.3.1');
  await db.updateTable('usuario').set({ activo: false }).where('id', '=', ids.aux).execute();
  await attempt('aux', PASSWORD, '10.0.3.1');
  await db.updateTable('usuario').set({ activo: true }).where('id', '=', ids.aux).execute();
  await attempt('admin', PASSWORD, '10.0.3.1');
  expect((await failures()).slice(before)).toEqual([
    { usuarioId: null, entidadId: ids.sa, datos: { motivo: 'contraseña', direccion: '10.0.3.1', fallos: 1 } },
    { usuarioId: null, entidadId: ids.sa, datos: { motivo: 'contraseña', direccion: '10.0.3.2', fallos: 2 } },
    { usuarioId: null, entidadId: 'desconocido', datos: { motivo: 'desconocido', direccion: '10.0.3.1', fallos: 1 } },
    { usuarioId: null, entidadId: ids.aux, datos: { motivo: 'inactivo', direccion: '10.0.3.1', fallos: 1 } },
  ]);
});

test('a flood of failures leaves so many lines an hour, and the last says that there were more', async () => {
  const before = await db.selectFrom('bitacora').select('id').execute();
  await guess(22, async () => {
    await waitOut();
    await attempt('user', 'Otra#12345', '10.0.3.3');
  });
  const lines = (await db.selectFrom('bitacora').select('datos').orderBy('id').execute()).slice(before.length);
  expect(lines).toHaveLength(20);
  expect(lines.map(({ datos }) => datos).filter((datos) => JSON.stringify(datos).includes('masSinAnotar'))).toEqual([
    expect.objectContaining({ fallos: 20, masSinAnotar: true }),
  ]);
});

test('a limit names nobody: its rows are hashes, and its window ends', async () => {
  const taken = await takeRate(db, 'login:juana:10.0.0.1', { hits: 1, seconds: 60 });
  expect([taken.allowed, (await takeRate(db, 'login:juana:10.0.0.1', { hits: 1, seconds: 60 })).allowed]).toEqual([
    true,
    false,
  ]);
  expect(taken.retryAfterSeconds).toBeLessThanOrEqual(60);
  await takeTry(db, 'cuenta:juana');
  const kept = [
    await db.selectFrom('rateLimit').select('key').execute(),
    await db.selectFrom('espera').select('clave').execute(),
  ];
  expect(JSON.stringify(kept)).not.toContain('juana');
  await db
    .updateTable('rateLimit')
    .set({ windowStart: sql`window_start - interval '60 seconds'` })
    .execute();
  expect((await takeRate(db, 'login:juana:10.0.0.1', { hits: 1, seconds: 60 })).allowed).toBe(true);
});

test('after entering one goes home, or back to where one was in the own area, and never elsewhere', () => {
  const admin = { rol: 'admin' } as const;
  expect(landingOf(admin, null)).toBe('/admin');
  expect(landingOf(admin, '/admin/usuarios?q=ana&ver=1')).toBe('/admin/usuarios?q=ana&ver=1');
  expect(landingOf(admin, '/activacion?amazon_state=1')).toBe('/activacion?amazon_state=1');
  expect(landingOf({ rol: 'user' }, '/activacion?amazon_state=1')).toBe('/user');
  for (const elsewhere of [
    '/sa/usuarios',
    '/administrador',
    '//malo.test',
    '/\\malo.test',
    'https://malo.test/admin',
    '/admin/../sa',
    '/admin\n/x',
    'admin',
    'javascript:alert(1)',
  ]) {
    expect(landingOf(admin, elsewhere)).toBe('/admin');
  }
});
