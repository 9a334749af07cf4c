import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SCREENS } from '~/access/screens';
import { noteFailure, noteOutcome } from '~/platform/connections/breaker.server';
import { openCredential, saveCredential } from '~/platform/connections/credentials.server';
import { type FarSide } from '~/platform/connections/definition';
import { llavesOf } from '~/platform/connections/forms';
import { type ConnectionKind, CONNECTIONS } from '~/platform/connections/registry.server';
import { findEmpresa, setEmpresaActiva, listPausadas } from '~/domain/personal/empresas.server';
import { nombreCompleto, type Usuario } from '~/core/usuario';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import Tokens, { action, loader } from '~/routes/operacion/conexiones/conexiones';
import { EventBridgeCard } from '~/routes/operacion/conexiones/EventBridgeCard';
import { ComoResponde } from '~/routes/operacion/conexiones/ComoResponde';
import { Estados } from '~/routes/operacion/conexiones/Estados';
import { KeysCard } from '~/routes/operacion/conexiones/KeysCard';
import { situacionOf, ultimaPruebaDicha, vistaOf } from '~/routes/operacion/conexiones/situacion';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';

const { db } = testDatabase();
let sa: Usuario;

/** A far side nobody of the product knows by name: a row, and a client that answers what the test says. */
const far = { down: false };
const paqueteria: FarSide = {
  kind: 'paqueteria',
  as: 'guias',
  label: 'Paquetería Sol',
  wire: 'HTTP',
  budget: { atOnce: 2, perSecond: 5, burst: 10 },
  standby: 1,
  capabilities: { envios: 'envíos' },
  link: {
    type: 'keys',
    fields: [{ name: 'token', label: 'Token de guías' }],
    whoIs: ({ token }) =>
      token === 'bueno'
        ? Promise.resolve({ account: 'SOL-7', label: 'Sol del Norte' })
        : Promise.reject(token === 'html' ? new UnexpectedShape('<html>') : new Refused('no', { account: true })),
  },
  paused: { stops: 'No se piden guías.', screens: ['envios'] },
  open: () => () => ({}),
  check: () => (far.down ? Promise.reject(new Unavailable('Paquetería Sol no contesta')) : Promise.resolve()),
};
/** One that has a key more, which may be left out. */
const mensajeria: FarSide = {
  ...paqueteria,
  kind: 'mensajeria',
  as: 'mensajeria',
  label: 'Mensajería Luna',
  link: {
    type: 'keys',
    fields: [
      { name: 'usuario', label: 'Usuario' },
      { name: 'guias', label: 'Token de guías', opcional: true },
    ],
    whoIs: ({ usuario = '' }) => Promise.resolve({ account: usuario, label: null }),
  },
};
const KIND = paqueteria.kind as ConnectionKind;
const forget = CONNECTIONS.add(paqueteria);
afterAll(forget);

beforeAll(async () => {
  sa = await buildPersona(db, 'sa');
});
beforeEach(async () => {
  far.down = false;
  await sql`delete from connection`.execute(db);
  await sql`delete from credential where connection = 'paqueteria'`.execute(db);
});

function args(body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    'http://trastienda.test/sa/tokens',
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario: sa, sesion: PROBADA } as unknown as AppLoadContext };
}
const LLAVES = { intent: 'llaves', formulario: 'paqueteria', conexion: 'paqueteria' };
const LIGA = {
  connection: 'paqueteria',
  account: 'SOL-7',
  label: 'Sol del Norte',
  status: 'linked' as const,
  detail: null,
  linkedAt: new Date('2026-01-01T12:00:00Z'),
  updatedAt: new Date('2026-01-01T12:00:00Z'),
  version: 1,
};
const conexiones = async () => (await loader(args())).conexiones;
const one = async (kind: string) => (await conexiones()).find((conexion) => conexion.kind === kind)!;
async function render(element: React.ReactElement) {
  const { query, dataRoutes } = createStaticHandler([
    { path: '*', element, loader: () => ({ formularios: action.formularios }) },
  ]);
  const context = await query(new Request('http://trastienda.test/sa/tokens'));
  if (context instanceof Response) throw new Error('a page was expected');
  return renderToStaticMarkup(
    <MantineProvider>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
    </MantineProvider>,
  );
}

test.each([
  [null, null, false],
  ['aws.partner/1', null, false],
  ['aws.partner/1', 'arn:aws:events:us-east-1:1:event-bus/aws.partner/1', true],
])('the dialog of the event bridge with %s and %s says OK: %s', async (nameResource, arn, ok) => {
  const bridge = { nameResource, arn, suscripciones: 2 };
  const page = await render(<EventBridgeCard bridge={bridge} abierto />);
  expect(page.includes('>OK</a>')).toBe(ok);
  expect(page.includes('Ya lo asocié en AWS')).toBe(nameResource !== null && arn === null);
  expect(await render(<EventBridgeCard bridge={bridge} abierto={false} />)).not.toContain('<dialog');
});

test('a key that may be left out is absent then, and the others are asked for', () => {
  const llaves = llavesOf([
    { name: 'usuario', label: 'Usuario' },
    { name: 'guias', label: 'Token de guías', opcional: true },
  ]);
  const olvidar: string[] = [];
  expect(llaves.parse({ usuario: ' ana ', olvidar })).toEqual({ usuario: 'ana' });
  expect(llaves.parse({ usuario: 'ana', guias: 'x', olvidar })).toEqual({ usuario: 'ana', guias: 'x' });
  expect(llaves.parse({ usuario: 'ana', olvidar: ['guias'] })).toEqual({ usuario: 'ana', guias: '' });
  expect(llaves.safeParse({ guias: 'x', olvidar }).success).toBe(false);
  expect(llaves.safeParse({ usuario: 'ana', olvidar: ['usuario'] }).success).toBe(false);
});

test('a far side that was only registered has its card and its row in the breaker table, as the others have', async () => {
  const all = await conexiones();
  expect(all.map(({ kind }) => kind)).toEqual(CONNECTIONS.all().map(({ kind }) => kind));
  expect(all.at(-1)!.kind).toBe('paqueteria');
  const sol = all.at(-1)!;
  const facturacom = all.find(({ kind }) => kind === 'facturacom')!;
  expect(Object.keys(sol)).toEqual(Object.keys(facturacom));
  expect(sol.link).toEqual({ type: 'keys', fields: [{ name: 'token', label: 'Token de guías' }], guardadas: [] });
  expect(sol.breaker.map(({ call, state }) => [call, state])).toEqual([
    ['send', 'sinUso'],
    ['look', 'sinUso'],
    ['read', 'sinUso'],
  ]);
  const card = await render(
    <KeysCard conexion={sol} fields={[{ name: 'token', label: 'Token de guías' }]} guardadas={[]} principal />,
  );
  expect(card).toContain('El token de la empresa Paquetería Sol no existe.');
  expect(card).toContain('name="token"');
  expect(card).toContain('value="paqueteria"');
  const table = await render(<Estados conexiones={all} empresas={{}} />);
  expect(table).toContain('href="/sa/tokens?abrir=paqueteria#titulo-paqueteria"');
  expect(table.match(/<tr>/g)).toHaveLength(1 + all.length);
});

test('a second account of a kind has a row of its own', async () => {
  await sql`insert into connection (kind, account) values ('facturacom', 'OTRA010101AAA')`.execute(db);
  expect((await conexiones()).map(({ kind, account }) => `${kind} ${account}`)).toEqual(
    CONNECTIONS.all().flatMap(({ kind }) =>
      kind === 'facturacom' ? ['facturacom ', 'facturacom OTRA010101AAA'] : [`${kind} `],
    ),
  );
});

test('its keys are asked whose they are and kept; it is a company that people pause', async () => {
  const refused = await action(args({ ...LLAVES, token: 'malo' }));
  expect(refused).toMatchObject({ data: { titulo: 'Error de actualización.', formId: 'paqueteria' } });
  // A page of a proxy in place of an answer: nothing is known of the keys, and nothing breaks.
  const unread = await action(args({ ...LLAVES, token: 'html' }));
  expect(JSON.stringify(unread)).toContain('Paquetería Sol no contesta en este momento. Tus llaves no se guardaron');
  expect(await openCredential(db, 'paqueteria')).toBeNull();
  const saved = await action(args({ ...LLAVES, token: 'bueno' }));
  expect(saved).toMatchObject({ status: 302 });
  expect(await openCredential(db, 'paqueteria')).toMatchObject({ account: 'SOL-7', secrets: { token: 'bueno' } });
  expect((await one('paqueteria')).linked).toMatchObject({ account: 'SOL-7', label: 'Sol del Norte' });
  // What is there is replaced only when that is confirmed, and never shown.
  const unconfirmed = await action(args({ ...LLAVES, token: 'bueno' }));
  expect(JSON.stringify(unconfirmed)).toContain('¿Estas seguro que quieres actualizar los Tokens?');
  expect(JSON.stringify(unconfirmed)).not.toContain('bueno');

  const { id } = await db
    .selectFrom('empresa')
    .select('id')
    .where('conexion', '=', 'paqueteria')
    .executeTakeFirstOrThrow();
  const { version } = (await findEmpresa(db, id))!;
  await db.transaction().execute((trx) => setEmpresaActiva(trx, sa, { id, version, activo: false }));
  expect(await listPausadas(db)).toMatchObject([
    { conexion: 'paqueteria', seDetiene: 'No se piden guías.', pantallas: ['envios'] },
  ]);
  expect((await one('paqueteria')).pausedAt).toEqual(expect.any(Date));
});

test('a key that may be left out and is left empty stays what it was, until it is replaced, taken away or of another account', async () => {
  const quitar = CONNECTIONS.add(mensajeria);
  const guardar = (llaves: Record<string, string>) =>
    action(args({ intent: 'llaves', formulario: 'mensajeria', conexion: 'mensajeria', confirmado: '1', ...llaves }));
  const guardado = async () => (await openCredential(db, 'mensajeria'))!.secrets;
  const enLaTarjeta = async () => (await one('mensajeria')).link;
  try {
    await guardar({ usuario: 'ana', guias: 'sello-1' });
    await guardar({ usuario: 'ana', guias: '' });
    expect(await guardado()).toEqual({ usuario: 'ana', guias: 'sello-1' });
    expect(await enLaTarjeta()).toMatchObject({ guardadas: ['guias'] });
    await guardar({ usuario: 'ana', guias: 'sello-2' });
    expect(await guardado()).toEqual({ usuario: 'ana', guias: 'sello-2' });
    await guardar({ usuario: 'ana', guias: '', olvidar: 'guias' });
    expect(await guardado()).toEqual({ usuario: 'ana', guias: '' });
    expect(await enLaTarjeta()).toMatchObject({ guardadas: [] });
    await guardar({ usuario: 'ana', guias: 'sello-3' });
    await guardar({ usuario: 'eva', guias: '' });
    expect(await guardado()).toEqual({ usuario: 'eva' });
  } finally {
    quitar();
  }
});

test('a rest and a problem with the account are shown where they are', async () => {
  for (let n = 0; n < 5; n++) await noteFailure(db, KIND, 'look', 'tardó demasiado');
  const sol = await one('paqueteria');
  expect(sol.breaker.find(({ call }) => call === 'look')).toMatchObject({
    state: 'descansa',
    until: expect.any(Date),
    lastError: 'tardó demasiado',
  });
  expect(sol.breaker.find(({ call }) => call === 'send')).toMatchObject({ state: 'sinUso' });
  const card = (conexion: typeof sol) => render(<ComoResponde conexion={vistaOf(conexion)} ahora={new Date()} />);
  expect(await card(sol)).not.toContain('Probar');
  const linked = { ...sol, linked: LIGA };
  expect(await card(linked)).toContain('Descansa hasta');
  expect(await card(linked)).toContain('aria-label="Probar Paquetería Sol"');
  await noteOutcome(db, KIND, 'send', new Refused('El token venció', { account: true }));
  const broken = await one('paqueteria');
  expect(broken).toMatchObject({ accountProblem: 'El token venció', accountSince: expect.any(Date) });
  const table = await render(<Estados conexiones={[vistaOf({ ...broken, linked: LIGA })]} empresas={{}} />);
  expect(table).toContain('Problema con la cuenta');
  expect(table).toContain('Guardar llaves nuevas');
  expect(situacionOf({ ...broken, linked: LIGA })).toMatchObject({ motivo: 'El token venció', urge: true });
});

test('«Probar» reads once and keeps what it learnt as a read', async () => {
  expect(await action(args({ intent: 'probar', conexion: 'paqueteria' }))).toMatchObject({ status: 302 });
  const read = async () => (await one('paqueteria')).breaker.find(({ call }) => call === 'read');
  expect(await read()).toMatchObject({ state: 'bien', failures: 0, lastOkAt: expect.any(Date) });
  far.down = true;
  await action(args({ intent: 'probar', conexion: 'paqueteria' }));
  expect(await read()).toMatchObject({ state: 'bien', failures: 1, lastError: 'Paquetería Sol no contesta' });
});

test('what the card says of the last test stays true after forty good calls', async () => {
  const dicha = async () => ultimaPruebaDicha(await one('paqueteria'));
  far.down = true;
  await action(args({ intent: 'probar', conexion: 'paqueteria' }));
  expect(await dicha()).toMatch(
    new RegExp(
      `^Última prueba, de ${nombreCompleto(sa)}, el [\\d/: ]+: falló: Paquetería Sol no contesta. Desde entonces no consta`,
    ),
  );
  for (let n = 0; n < 40; n++) await noteOutcome(db, KIND, 'send');
  expect(await dicha()).toMatch(/no contesta\. Después respondió a lo que se le pidió; la última vez, el /);
  expect(await dicha()).not.toContain('no consta');
  await noteOutcome(db, KIND, 'send', new Unavailable('tardó demasiado'));
  expect(await dicha()).toMatch(/Después respondió, la última vez el .*, y falló el .*: tardó demasiado\.$/);
  // Keys of another day: that test says nothing of these.
  const nueva = { ...(await one('paqueteria')), linked: { ...LIGA, linkedAt: new Date(Date.now() + 1_000) } };
  expect(ultimaPruebaDicha(nueva)).toBe('Nadie la ha probado todavía. Tampoco se ha llamado.');
});

/** The screen as the server writes it, at an address and after an answer. */
async function page(search: string, answer?: unknown): Promise<string> {
  const loaded = await loader({ ...args(), request: new Request(`http://trastienda.test/sa/tokens${search}`) });
  const routes = [
    {
      path: '/sa/tokens',
      element: <Tokens />,
      loader: () => ({ ...loaded, formularios: action.formularios }),
      action: () => answer ?? null,
    },
  ];
  const { query, dataRoutes } = createStaticHandler(routes);
  const sent = answer === undefined ? {} : { method: 'POST', body: new URLSearchParams({ intent: 'llaves' }) };
  const context = await query(new Request(`http://trastienda.test/sa/tokens${search}`, sent));
  if (context instanceof Response) throw new Error('a page was expected');
  return renderToStaticMarkup(
    <MantineProvider>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
    </MantineProvider>,
  );
}
const openOnes = (html: string) =>
  [...html.matchAll(/<details [^>]*name="conexion"[^>]*>/g)].flatMap(([tag]) =>
    / open=""/.test(tag) ? [/data-tarjeta="([^"]*)"/.exec(tag)![1]] : [],
  );

test('states come first and cards are closed; the address opens one, and else the one that needs somebody', async () => {
  const quiet = await page('');
  expect(openOnes(quiet)).toEqual([]);
  expect(quiet.indexOf('Estado de las conexiones')).toBeLessThan(quiet.indexOf('<details'));
  expect(openOnes(await page('?abrir=ct'))).toEqual(['ct']);
  expect(openOnes(await page('?abrir=ct&abrir=syscom'))).toEqual(['ct']);
  await saveCredential(db, 'paqueteria', { account: 'SOL-7', secrets: { token: 'bueno' } });
  expect(openOnes(await page(''))).toEqual([]);
  await noteOutcome(db, KIND, 'send', new Refused('El token venció', { account: true }));
  expect(openOnes(await page(''))).toEqual(['paqueteria']);
  // Closed by hand, and opened elsewhere.
  expect(openOnes(await page('?abrir='))).toEqual([]);
  expect(openOnes(await page('?abrir=ct'))).toEqual(['ct']);
});

const cardsIn = (html: string) => html.split('<section class="hoja tarjeta"').slice(1);
const idOf = (card: string) => /data-tarjeta="([^"]*)"/.exec(card)![1]!;

test('every form of a card goes to its card, so that a refusal finds it open; an unsaid key is wrong at its field', async () => {
  const cards = cardsIn(await page('?abrir=paqueteria'));
  expect(cards.length).toBeGreaterThan(CONNECTIONS.all().length);
  for (const card of cards)
    for (const [form] of card.matchAll(/<form\b[^>]*>/g))
      expect(form).toContain(`action="/sa/tokens?abrir=${idOf(card)}`);
  const refused = (await action(args({ ...LLAVES, token: '' }))) as { data: unknown };
  const shown = await page('?abrir=paqueteria', refused.data);
  expect(openOnes(shown)).toEqual(['paqueteria']);
  expect(shown).toMatch(/<input[^>]*(name="token"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="token")/);
});

test('one primary at most stands in a card: the next step of its state', async () => {
  await saveCredential(db, 'paqueteria', { account: 'SOL-7', secrets: { token: 'bueno' } });
  const primaries = async () =>
    Object.fromEntries(
      cardsIn(await page('?abrir=paqueteria')).map((card) => [
        idOf(card),
        [...card.matchAll(/<(?:button|a) [^>]*data-tono="acento"[^>]*>([^<]*)/g)].map(([, text]) => text),
      ]),
    );
  const all = await primaries();
  for (const texts of Object.values(all)) expect(texts.length).toBeLessThan(2);
  expect(all.paqueteria).toEqual(['Probar']);
  await noteOutcome(db, KIND, 'send', new Refused('El token venció', { account: true }));
  expect((await primaries()).paqueteria).toEqual(['Actualizar Token']);
  await sql`update connection set paused_at = now() where kind = 'paqueteria'`.execute(db);
  expect((await primaries()).paqueteria).toEqual(['Activar en Empresas']);
  // Oauth: 'Activar' is the primary until the account is active, and never beside another.
  const mercados = CONNECTIONS.all().filter(({ link }) => link.type === 'oauth' && !link.falta?.().length);
  for (const { kind, label } of mercados) {
    expect(all[kind]).toEqual([`Activar ${label}`]);
    await saveCredential(db, kind, { account: '1', secrets: {} });
    expect((await primaries())[kind]).toEqual(['Probar']);
  }
});

test('a form about a far side that is not registered is about nothing', async () => {
  for (const intent of ['activar', 'probar', 'llaves'])
    await expect(action(args({ intent, conexion: 'inventada' }))).rejects.toMatchObject({ status: 404 });
});

test('a pause is told on screens that exist', () => {
  const told = CONNECTIONS.all().flatMap(({ paused }) => paused.screens);
  expect(told.filter((screen) => !Object.hasOwn(SCREENS, screen))).toEqual([]);
});
