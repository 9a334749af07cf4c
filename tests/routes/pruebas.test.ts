import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { needsProof, type Action } from '~/access/actions';
import { authenticate } from '~/domain/personal/signIn.server';
import { buildFactura } from '../support/builders/facturas';
import { testDatabase } from '../support/db';
import { filesUnder } from '../support/sources';
import { buildUsuarios, PASSWORD, Web } from '../support/web';
import { screenName } from '../support/screenNames';

const { db } = testDatabase();
const NUEVA = 'Lluvia&Cobre73';
let web: Web;
let ids: Awaited<ReturnType<typeof buildUsuarios>>;
let factura: string;
let cookie: string;

beforeAll(async () => {
  ids = await buildUsuarios(db);
  factura = (await buildFactura(db, {})).id;
  // Whose role needs a second factor takes off none.
  web = await Web.start({ SEGUNDO_FACTOR: '' });
}, 180_000);
beforeEach(async () => {
  await db.deleteFrom('espera').execute();
  await db.deleteFrom('porProbar').execute();
  cookie = await web.session('sa');
  await age(16);
});

const age = (minutes: number) =>
  db
    .updateTable('sesion')
    .set({ probadaEn: sql<Date>`now() - make_interval(mins => ${minutes})` })
    .execute();
async function send(path: string, fields: Record<string, string>) {
  const response = await web.post(path, fields, { cookie, headers: { Accept: 'text/html' } });
  return { status: response.status, to: response.headers.get('Location'), html: await response.text() };
}
const PREGUNTA = 'Confirma que eres tú';
const tokenOf = (html: string) => /name="porProbar" value="([^"]+)"/.exec(html)![1]!;
const waiting = () => db.selectFrom('porProbar').selectAll().execute();

/** A form of every intent that asks for a proof, as a person would send it. */
const FORMS: Record<string, () => Record<string, string>> = {
  'usuarios.agregar': () => ({
    nombre: 'Ana',
    apellidos: 'Paz',
    usuario: 'ana',
    email: 'ana@ejemplo.mx',
    rol: 'user',
    password: NUEVA,
    confirmar: NUEVA,
  }),
  'usuarios.informacion': () => ({
    id: ids.user,
    version: '1',
    nombre: 'Otro',
    apellidos: 'Paz',
    usuario: 'user',
    email: 'user@ejemplo.mx',
    rol: 'admin',
  }),
  'usuarios.password': () => ({ id: ids.user, version: '1', password: NUEVA, confirmar: NUEVA }),
  'usuarios.estatus': () => ({ id: ids.user, version: '1', activo: '0' }),
  'usuarios.quitarSegundoFactor': () => ({ id: ids.user }),
  'facturasClientes.cancelar': () => ({
    factura,
    tipo: 'individual',
    huella: 'la que se mostró',
    motivo: '03',
  }),
  'facturasClientes.sustituir': () => ({ factura }),
  'facturasClientes.pedirOtraVez': () => ({ factura, tipo: 'individual' }),
  'pendientes.repetida': () => ({
    effectId: ids.user,
    huella: 'la que se mostró',
    repetida: '6128396F-C09B-4EC6-8699-43C5F7E3B230',
  }),
  'tokens.activar': () => ({ conexion: 'mercadolibre' }),
  'tokens.vincularEB': () => ({}),
  'tokens.asociarEB': () => ({ nameResource: 'aws.partner/sellingpartnerapi.amazon.com/1/trastienda' }),
  'tokens.llaves': () => ({ conexion: 'facturacom', apiKey: 'una llave', secret: 'un secreto' }),
  'ganchos.crear': () => ({ nombre: 'ERP', url: 'https://ejemplo.mx/avisos', tipos: 'orden.creada' }),
  'ganchos.quitar': () => ({ gancho: ids.user, version: '1' }),
  'ganchos.rotar': () => ({ gancho: ids.user, version: '1' }),
  'tokensApi.crearClave': () => ({ nombreClave: 'Un programa de antes' }),
  'tokensApi.crear': () => ({ nombre: 'Un programa', vida: '30', alcances: 'ordenes:leer' }),
  'segundoFactor.empezar': () => ({}),
  'segundoFactor.renovar': () => ({}),
  'segundoFactor.quitar': () => ({}),
  'datosUsuario.cerrarSesion': () => ({ sesion: 'a'.repeat(64) }),
  'datosUsuario.cerrarDemas': () => ({}),
};
const pathOf = (row: string) => `/sa/${row.split('.')[0]!}`;

/** Verbs of the domain that give or take rights and keys, or cancel a CFDI. */
const COMMANDS =
  /\b(createUsuario|updateUsuario|setActivo|changePassword|dropSegundoFactor|dropOwnSegundoFactor|startSegundoFactor|renewCodigos|linkKeys|startOauth|requestCancelacion|acceptCancelRepetida|requestAgain|openSustitucion|closeOwnSession|closeOtherSessions)\(/;

/** The intents of all screens, as Prettier writes them. */
const INTENTS = filesUnder('app/routes').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^( *)(\w+): \{\n[\s\S]*?^\1\},/gm)].map(([row, , name]) => ({
    name: `${screenName(path)}.${name}`,
    row,
    right: /right: '([\w.]+)'/.exec(row)?.[1] as Action | undefined,
  })),
);
const isProven = (right: Action | undefined) => right !== undefined && needsProof(right);

test('every intent that gives or takes rights and keys, or cancels a CFDI, asks for a proof', () => {
  const commands = INTENTS.filter(({ row }) => COMMANDS.test(row));
  expect(commands.length).toBeGreaterThanOrEqual(15);
  expect(commands.filter(({ right }) => !isProven(right)).map(({ name }) => name)).toEqual([]);
});

test('every one of them has a form here', () => {
  const proven = INTENTS.filter(({ right }) => isProven(right)).map(({ name }) => name);
  expect(proven.sort()).toEqual(Object.keys(FORMS).sort());
});

test.each(Object.keys(FORMS))('%s asks for it, and keeps what was sent out of the page', async (row) => {
  const facts = async () => {
    const tables = ['usuario', 'credential', 'effect', 'facturaDraft', 'oauthState', 'segundoFactor'] as const;
    return Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  };
  const before = await facts();
  const fields = { intent: row.split('.')[1]!, confirmado: '1', ...FORMS[row]!() };
  const { status, html } = await send(pathOf(row), fields);
  expect([status, html.includes(PREGUNTA)]).toEqual([200, true]);
  expect(await facts()).toEqual(before);
  expect(await waiting()).toHaveLength(1);
  for (const secret of [NUEVA, 'una llave', 'un secreto']) expect(html).not.toContain(secret);
});

test.each(Object.keys(FORMS))('%s asks for none when it was given a moment ago', async (row) => {
  await age(14);
  const { html } = await send(pathOf(row), { intent: row.split('.')[1]!, ...FORMS[row]!() });
  expect(html).not.toContain(PREGUNTA);
  expect(await waiting()).toEqual([]);
});

test('with the password the form goes on as it was sent, secrets included, and the next one is not asked', async () => {
  const asked = await send('/sa/usuarios', {
    intent: 'agregar',
    ...FORMS['usuarios.agregar']!(),
    usuario: 'berta',
  });
  const porProbar = tokenOf(asked.html);
  const prove = (passwordDePrueba: string) => send('/sa/usuarios', { intent: 'agregar', porProbar, passwordDePrueba });
  const wrong = await prove('Otra#12345');
  expect([wrong.status, wrong.html.includes('La contraseña actual no es correcta.')]).toEqual([422, true]);
  expect(wrong.html).toContain(porProbar);
  expect((await prove('')).html).toContain('Este dato es requerido');
  expect((await prove(PASSWORD)).status).toBe(302);
  expect((await authenticate(db, { usuario: 'berta', password: NUEVA, ip: '::1' })).usuario).toBe('berta');
  expect(await waiting()).toEqual([]);
  // The same press again makes no second one, and says that nothing waits any more.
  expect((await prove(PASSWORD)).html).toContain('Pasó demasiado tiempo y no se hizo nada.');
  const next = await send('/sa/usuarios', {
    intent: 'estatus',
    confirmado: '1',
    id: ids.cont,
    version: '1',
    activo: '0',
  });
  expect(next.html).not.toContain(PREGUNTA);
});

test('errors of the form and its question come before the proof', async () => {
  const wrong = await send('/sa/usuarios', { intent: 'agregar', usuario: 'con espacio' });
  expect([wrong.status, wrong.html.includes(PREGUNTA)]).toEqual([422, false]);
  const question = await send('/sa/usuarios', { intent: 'estatus', ...FORMS['usuarios.estatus']!() });
  expect([question.html.includes('¿Esta seguro que desea'), question.html.includes(PREGUNTA)]).toEqual([true, false]);
});

test('what waits goes on in no other session and on no other screen', async () => {
  const fields = { intent: 'estatus', confirmado: '1', ...FORMS['usuarios.estatus']!() };
  const porProbar = tokenOf((await send('/sa/usuarios', fields)).html);
  cookie = await web.session('sa');
  const elsewhere = await send('/sa/usuarios', { intent: 'estatus', porProbar, passwordDePrueba: PASSWORD });
  expect(elsewhere.status).toBe(422);
  const { activo } = await db
    .selectFrom('usuario')
    .select('activo')
    .where('id', '=', ids.user)
    .executeTakeFirstOrThrow();
  expect(activo).toBe(true);
});

test('a code of the second factor proves it too', async () => {
  const { Secret, TOTP } = await import('otpauth');
  await age(0);
  await send('/sa/segundoFactor', { intent: 'empezar' });
  const { html } = await web.fetch('/sa/segundoFactor', { cookie }).then(async (page) => ({ html: await page.text() }));
  const secret = Secret.fromBase32(/class="clave">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', ''));
  await send('/sa/segundoFactor', { intent: 'confirmar', codigo: TOTP.generate({ secret }) });
  await db.updateTable('segundoFactor').set({ ultimoPaso: 0 }).execute();
  await age(16);
  const asked = await send('/sa/segundoFactor', { intent: 'quitar', confirmado: '1' });
  expect(asked.html).toContain('autoComplete="one-time-code"');
  const codigoDePrueba = TOTP.generate({ secret });
  const fields = { intent: 'quitar', porProbar: tokenOf(asked.html), codigoDePrueba };
  expect((await send('/sa/segundoFactor', fields)).status).toBe(302);
  expect(await db.selectFrom('segundoFactor').selectAll().execute()).toEqual([]);
});

test('a stranger’s form that claims to wait is a form like any other', async () => {
  const answer = await web.post('/login', {
    intent: 'entrar',
    porProbar: 'x',
    usuario: 'nadie',
    password: 'Otra#12345',
  });
  expect(answer.status).toBe(401);
});
