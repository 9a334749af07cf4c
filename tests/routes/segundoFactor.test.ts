import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { filesOf, screensOf, type Rol } from '~/access/screens';
import { testDatabase } from '../support/db';
import { buildUsuarios, cookieOf, PASSWORD, Web } from '../support/web';

/** The whole way of a browser without JavaScript, where `admin` has to have a second factor. */
const { db } = testDatabase();
let web: Web;

beforeAll(async () => {
  web = await Web.start({ SEGUNDO_FACTOR: 'admin' });
}, 180_000);
beforeEach(async () => {
  for (const table of ['sesion', 'segundoFactor', 'espera', 'rateLimit'] as const) await db.deleteFrom(table).execute();
  await db
    .updateTable('usuario')
    .set({ usuario: sql<string>`'viejo-' || id`, rol: 'aux', activo: false })
    .execute();
  await buildUsuarios(db);
});

const HTML = { Accept: 'text/html' };
const placeOf = (response: Response) => response.headers.get('Location');
async function read(path: string, cookie: string) {
  const response = await web.fetch(path, { cookie, headers: HTML });
  return { status: response.status, to: placeOf(response), html: await response.text() };
}
async function send(path: string, fields: Record<string, string>, cookie: string) {
  const response = await web.post(path, fields, { cookie, headers: HTML });
  return { response, status: response.status, to: placeOf(response), html: await response.text() };
}
const codeOf = (secreto: string) => TOTP.generate({ secret: Secret.fromBase32(secreto) });

/** Makes a second factor on its screen, and gives back the step that took. */
async function activate(rol: Rol, cookie: string) {
  const path = `/${rol}/segundoFactor`;
  expect((await send(path, { intent: 'empezar' }, cookie)).status).toBe(302);
  const { html } = await read(path, cookie);
  const secreto = /class="clave">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', '');
  expect(html).toContain('<svg');
  expect(html).toContain(`secret=${secreto}`);
  const shown = await send(path, { intent: 'confirmar', codigo: codeOf(secreto) }, cookie);
  const codigos = [...shown.html.matchAll(/<li><code>([0-9A-Z ]{34})<\/code>/g)].map(([, codigo]) => codigo!);
  expect([shown.status, codigos.length]).toEqual([200, 10]);
  await db.updateTable('segundoFactor').set({ ultimoPaso: 0 }).execute();
  return { secreto, codigos };
}

test('who has to have one is led to make it, and until then nothing else opens', async () => {
  const cookie = await web.session('admin');
  const paths = [
    '/admin',
    ...screensOf('admin').flatMap(([key, { homeOnly }]) => (homeOnly ? [] : [`/admin/${key}`])),
    ...filesOf('admin').map(([, row]) => `/admin/${row.path.replace(/:\w+/g, 'x')}`),
    '/activacion',
  ];
  const open = [];
  for (const path of paths) {
    const got = await read(path, cookie);
    if (!got.to?.includes('/admin/segundoFactor?volver=')) open.push(path);
  }
  expect(open).toEqual(['/admin/segundoFactor']);
  const { response } = await send('/admin/usuarios', { intent: 'agregar' }, cookie);
  expect(placeOf(response)).toContain('/admin/segundoFactor?volver=');
  const { html } = await read('/admin/segundoFactor?volver=%2Fadmin%2Fusuarios', cookie);
  expect(html).toContain('Tu rol necesita la verificación en dos pasos.');
  expect(html).not.toContain('href="/admin/ordenes"');

  await activate('admin', cookie);
  expect((await read('/admin/usuarios', cookie)).status).toBe(200);
  expect((await send('/admin/segundoFactor', { intent: 'quitar', confirmado: '1' }, cookie)).html).toContain(
    'Tu rol necesita la verificación en dos pasos.',
  );
});

test('who need not have one opens everything', async () => {
  expect((await read('/sa/usuarios', await web.session('sa'))).status).toBe(200);
});

test('after the password comes the code, which opens once', async () => {
  const { secreto } = await activate('sa', await web.session('sa'));
  const asked = await web.login('sa', { volver: '/sa/usuarios' });
  expect(placeOf(asked)).toBe('/login/codigo?volver=%2Fsa%2Fusuarios');
  expect(asked.headers.getSetCookie().map((one) => one.split('=')[0])).toEqual(['entrada']);
  const entrada = cookieOf(asked, 'entrada');
  expect((await read('/sa', entrada)).to).toContain('/login');
  const { html } = await read('/login/codigo?volver=/sa/usuarios', entrada);
  expect(html).toMatch(/<input[^>]*autoComplete="one-time-code"[^>]*>/i);
  expect(html).toMatch(/<input[^>]*inputMode="numeric"[^>]*>/i);
  expect(html).toContain('No tengo mi teléfono');

  const wrong = await send('/login/codigo', { intent: 'entrar', codigo: '000 000' }, entrada);
  expect([wrong.status, wrong.html.includes('El código no es correcto o ya se usó.')]).toEqual([401, true]);
  const codigo = codeOf(secreto);
  const fields = { intent: 'entrar', codigo: `${codigo.slice(0, 3)} ${codigo.slice(3)}`, volver: '/sa/usuarios' };
  const entered = await send('/login/codigo', fields, entrada);
  expect(entered.to).toBe('/sa/usuarios');
  expect((await read('/sa/usuarios', cookieOf(entered.response))).status).toBe(200);

  // The password's page is over, and on another one the same code opens nothing.
  expect((await read('/login/codigo', entrada)).to).toBe('/login');
  const other = cookieOf(await web.login('sa'), 'entrada');
  expect((await send('/login/codigo', { intent: 'entrar', codigo }, other)).status).toBe(401);
});

test('a browser to be remembered is not asked again, another one is', async () => {
  const { secreto } = await activate('sa', await web.session('sa'));
  const entrada = cookieOf(await web.login('sa'), 'entrada');
  const fields = { intent: 'entrar', codigo: codeOf(secreto), dispositivo: 'on' };
  const dispositivo = cookieOf((await send('/login/codigo', fields, entrada)).response, 'dispositivo');
  const credentials = { intent: 'entrar', usuario: 'sa', password: PASSWORD };
  const again = await send('/login', credentials, dispositivo);
  expect(again.to).toBe('/sa');
  expect((await read('/sa/usuarios', cookieOf(again.response))).status).toBe(200);
  expect(placeOf(await web.login('sa'))).toBe('/login/codigo');
});

test('who lost the telephone enters with a recovery code, and reads how many are left', async () => {
  const { codigos } = await activate('sa', await web.session('sa'));
  const entrada = cookieOf(await web.login('sa'), 'entrada');
  const recuperar = (recuperacion: string) => send('/login/codigo', { intent: 'recuperar', recuperacion }, entrada);
  // 28 letters of 5 bits; codes of 16 letters were made before, and are still looked up.
  expect(codigos.map((codigo) => codigo.replaceAll(' ', '').length)).toEqual(Array(10).fill(28));
  expect((await recuperar('AAAA BBBB CCCC DDDD')).status).toBe(401);
  expect((await recuperar('AAAA BBBB CCCC DDDD EEEE')).status).toBe(422);
  const entered = await recuperar(codigos[3]!.toLowerCase().replaceAll(' ', '-'));
  expect(entered.to).toBe('/sa');
  const [sesion, aviso] = [cookieOf(entered.response), cookieOf(entered.response, 'aviso')];
  expect((await read('/sa/datosUsuario', `${sesion}; ${aviso}`)).html).toContain(
    'Te quedan 9 códigos de recuperación.',
  );
  expect((await read('/sa/segundoFactor', sesion)).html).toContain('Quedan 9 códigos de recuperación');
});

test('without a password that was just given there is no page for a code', async () => {
  expect((await read('/login/codigo', '')).to).toBe('/login');
  expect((await send('/login/codigo', { intent: 'entrar', codigo: '123456' }, 'entrada=nada')).to).toBe('/login');
});

test('an sa takes another’s away in the screen of users; an admin has no button for it, and no right', async () => {
  const cookie = await web.session('user');
  await activate('user', cookie);
  const { id } = await db.selectFrom('usuario').select('id').where('usuario', '=', 'user').executeTakeFirstOrThrow();
  const sa = await web.session('sa');
  expect((await read(`/sa/usuarios?ver=${id}`, sa)).html).toContain('Quitar la verificación');
  const fields = { intent: 'quitarSegundoFactor', id };
  expect((await send('/sa/usuarios', fields, sa)).html).toContain('Antes comprueba que quien lo pide es esa persona.');
  expect((await send('/sa/usuarios', { ...fields, confirmado: '1' }, sa)).status).toBe(302);
  expect((await read('/user', cookie)).to).toContain('/login');
  expect(placeOf(await web.login('user'))).toBe('/user');

  const admin = await web.session('admin');
  await activate('admin', admin);
  expect((await read(`/admin/usuarios?ver=${id}`, admin)).html).not.toContain('Quitar la verificación');
  expect((await send('/admin/usuarios', { ...fields, confirmado: '1' }, admin)).status).toBe(422);
});

test('by default an sa is told of the grace on every screen, and is led to the code when it is over', async () => {
  const own = web;
  web = await Web.start();
  try {
    const cookie = await web.session('sa');
    const { html } = await read('/sa/usuarios', cookie);
    expect(html).toContain('Activa la verificación en dos pasos.');
    expect((await read('/sa/segundoFactor', cookie)).html).toContain('Actívala antes del');
    await db
      .updateTable('plazoSegundoFactor')
      .set({ desde: sql<Date>`now() - interval '7 days'` })
      .execute();
    expect((await read('/sa/usuarios', cookie)).to).toContain('/sa/segundoFactor?volver=');
    await activate('sa', cookie);
    const after = await read('/sa/usuarios', cookie);
    expect([after.status, after.html.includes('Activa la verificación')]).toEqual([200, false]);
    const { html: propia } = await read('/user', await web.session('user'));
    expect(propia).not.toContain('Activa la verificación');
  } finally {
    web = own;
  }
}, 120_000);
