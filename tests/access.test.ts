import type { ServerBuild } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { entradasOf, menuOf, primeraOf, pulgarOf } from '~/access/menu';
import { accessOf, guardBuild } from '~/access/guard.server';
import { files, ROLES, screens, screensOf, type Rol } from '~/access/screens';
import { testDatabase } from './support/db';
import { entriesOf, type Entry } from './support/routes';
import { buildUsuarios, Web } from './support/web';

type Visitor = Rol | 'anonimo';
const VISITORS: readonly Visitor[] = ['anonimo', ...ROLES];

const entries = entriesOf();
const guarded = entries.filter((entry) => accessOf(entry.id) !== 'open');
const areaOf = (entry: Entry) => entry.id.split('/')[0]!;
const mayEnter = (visitor: Visitor, entry: Entry) => {
  const access = accessOf(entry.id);
  return access === 'open' || (visitor !== 'anonimo' && access.roles.includes(visitor));
};

let web: Web;
const cookies: Partial<Record<Visitor, string>> = {};

beforeAll(async () => {
  await buildUsuarios(testDatabase().db);
  web = await Web.start();
  for (const rol of ROLES) cookies[rol] = await web.session(rol);
}, 180_000);

/** 'pasa', or how the visitor was turned away. A download may lack its file; a form may be refused for what it says. */
async function verdict(response: Response, entry: Entry): Promise<string> {
  const { status } = response;
  const to = response.headers.get('Location') ?? (status === 202 ? await response.text() : '');
  if (to.includes('/login?volver=')) return 'a /login';
  if (status === 403) return '403';
  const mayRefuse = files.some(([key]) => entry.id.endsWith(`/${key}`)) || response.url.includes('?forma');
  return status < 400 || (mayRefuse && status < 500) ? 'pasa' : `falla ${status}`;
}

const expected = (visitor: Visitor, entry: Entry) =>
  mayEnter(visitor, entry) ? 'pasa' : visitor === 'anonimo' ? 'a /login' : '403';

/** Where the answer is not what the table says. Several are asked at once: the web draws one while PostgreSQL reads for another. */
async function wrongAnswers(
  visitor: Visitor,
  urlOf: (entry: Entry) => string,
  ask: (url: string) => Promise<Response>,
  asked: readonly Entry[] = guarded,
): Promise<string[]> {
  const waiting = [...asked];
  const wrong: string[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
        const url = urlOf(entry);
        const said = await verdict(await ask(url), entry);
        if (said !== expected(visitor, entry)) wrong.push(`${url} (${entry.id}): ${said}`);
      }
    }),
  );
  return wrong;
}

/**
 * What opens, each screen for the first role that has it, and the first address of each area that does not: a page costs ten times its data, and both pass
 * the same door.
 */
function pagesFor(visitor: Visitor): Entry[] {
  const closed = guarded.filter((entry) => !mayEnter(visitor, entry));
  const screenOf = ({ id }: Entry) => id.slice(id.indexOf('/') + 1);
  return guarded.filter((entry) =>
    mayEnter(visitor, entry)
      ? guarded.find((one) => screenOf(one) === screenOf(entry)) === entry
      : closed.find((one) => areaOf(one) === areaOf(entry)) === entry,
  );
}

test.each(VISITORS)('%s opens the pages of the table and no other', async (visitor) => {
  expect(
    await wrongAnswers(
      visitor,
      ({ url }) => url,
      (url) => web.fetch(url, { cookie: cookies[visitor] }),
      pagesFor(visitor),
    ),
  ).toEqual([]);
});

/** As the browser asks while navigating: of one route alone, without those around it. */
const dataOf = ({ id, index, url }: Entry) =>
  `${url}.data?${index || url === '/' ? 'index&' : ''}_routes=${encodeURIComponent(id)}`;

test.each(VISITORS)('%s reads the data of the table and no other', async (visitor) => {
  expect(await wrongAnswers(visitor, dataOf, (url) => web.fetch(url, { cookie: cookies[visitor] }))).toEqual([]);
});

test.each(VISITORS)('%s sends forms to the screens of the table and to no other', async (visitor) => {
  const formOf = ({ index, url }: Entry) => `${url}.data?forma${index || url === '/' ? '&index' : ''}`;
  expect(await wrongAnswers(visitor, formOf, (url) => web.post(url, {}, { cookie: cookies[visitor] }))).toEqual([]);
});

test.each(VISITORS)('%s sends forms without JavaScript to where a page opens, and nowhere else', async (visitor) => {
  const formOf = ({ index, url }: Entry) => `${url}?forma${index ? '&index' : ''}`;
  const one = (opens: boolean) => guarded.find((entry) => entry.index && mayEnter(visitor, entry) === opens);
  const asked = [one(true), one(false)].filter((entry) => entry !== undefined);
  expect(asked.length).toBe(visitor === 'anonimo' ? 1 : 2);
  expect(await wrongAnswers(visitor, formOf, (url) => web.post(url, {}, { cookie: cookies[visitor] }), asked)).toEqual(
    [],
  );
});

test('a screen that a role does not list does not exist in its area', async () => {
  const wrong: string[] = [];
  for (const rol of ROLES) {
    const own = new Set(screensOf(rol).map(([key]) => key));
    for (const [key] of screens) {
      if (own.has(key)) continue;
      const { status } = await web.fetch(`/${rol}/${key}`, { cookie: cookies[rol] });
      if (status !== 418) wrong.push(`/${rol}/${key}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('what a file refuses is said in our words, to who follows a link and to a program', async () => {
  const refused: [path: string, status: number, titulo: string, said: string][] = [
    ['/sa/preferencias', 405, 'Error.', 'Esta dirección solo recibe datos.'],
    ['/sa/exportaciones?lista=%00', 400, 'Error.', 'Este texto tiene caracteres que no se pueden guardar.'],
    ['/admin/novedades', 403, 'Error de autenticación.', 'El rol de este usuario no tiene acceso a esta pagina.'],
  ];
  for (const [path, status, titulo, said] of refused) {
    const ask = (headers: Record<string, string>) => web.fetch(path, { cookie: cookies.sa, headers });
    const page = await ask({ Accept: 'text/html', Referer: 'http://otro.test/sa/ordenes?q="1"' });
    const html = await page.text();
    expect([path, page.status, page.headers.get('Content-Type')]).toEqual([path, status, 'text/html; charset=utf-8']);
    expect(html).toContain(`<h1>${titulo}</h1><p>${said}</p>`);
    expect(html).toContain('<a href="/sa/ordenes?q=%221%22">Volver</a>');
    const program = await ask({ Accept: '*/*' });
    expect([program.status, await program.json()]).toEqual([status, { titulo, texto: said }]);
  }
});

test('every row of the table is mounted, for each of its roles', () => {
  const ids = new Set(entries.map((entry) => entry.id));
  const missing = screens.flatMap(([key, screen]) =>
    [
      ...screen.roles.filter((rol) => !screen.homeOnly && !ids.has(`${rol}/${key}`)),
      ...(screen.home ?? []).filter((rol) => !ids.has(`${rol}/home`)),
    ].map((rol) => `${rol}/${key}`),
  );
  const missingFiles = files
    .filter(([key, row]) => !ids.has(row.at === 'area' ? `${row.roles[0]}/${key}` : `files/${key}`))
    .map(([key]) => key);
  expect([...missing, ...missingFiles]).toEqual([]);
});

test('each role has one home', () => {
  expect(ROLES.map((rol) => screens.filter(([, screen]) => screen.home?.includes(rol)).length)).toEqual(
    ROLES.map(() => 1),
  );
});

test('a route that is not in the table stops the start', () => {
  const build = {
    routes: { 'sa/secreto': { id: 'sa/secreto', module: { default: () => null } } },
  } as unknown as ServerBuild;
  expect(() => guardBuild(build, (_id, run) => run)).toThrow('sa/secreto is not in the table');
  expect(() => accessOf('cont/usuarios')).toThrow();
  expect(() => accessOf('cualquiera')).toThrow();
});

test('each group of the menu is sorted as Spanish sorts, and offers only what opens', () => {
  for (const rol of ROLES)
    for (const { entradas } of menuOf(rol)) {
      expect(entradas.map((entry) => entry.label)).toEqual(
        entradas.map((entry) => entry.label).sort(new Intl.Collator('es-MX').compare),
      );
      for (const { to } of [primeraOf(rol), ...entradas, ...pulgarOf(rol)])
        expect(entries.some((entry) => entry.url === to.split('?')[0] && mayEnter(rol, entry))).toBe(true);
    }
});

test('at the thumb a name is one line of a fifth of a telephone', () => {
  for (const rol of ROLES)
    for (const { label } of [primeraOf(rol), ...pulgarOf(rol)]) expect(label.length, label).toBeLessThanOrEqual(12);
});

test('every screen of a menu stands in it once, under its heading', () => {
  for (const rol of ROLES) {
    const shown = screens.filter(([, screen]) => !screen.homeOnly && screen.roles.includes(rol));
    const expected = shown
      .filter(([, screen]) => (screen.menu ?? screen.roles).includes(rol))
      .map(([key]) => `/${rol}/${key}`);
    expect(
      entradasOf(rol)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(expected.sort());
  }
});
