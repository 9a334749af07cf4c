import { beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../support/db';
import { buildUsuarios, cookieOf, Web } from '../support/web';

let web: Web;
let session: string;

beforeAll(async () => {
  await buildUsuarios(testDatabase().db);
  web = await Web.start();
}, 180_000);
beforeEach(async () => {
  await testDatabase().db.deleteFrom('preferencia').execute();
  session = await web.session('aux');
});

const choose = (fields: Record<string, string>) => web.post('/aux/preferencias', fields, { cookie: session });
const htmlOf = async (path: string, cookie: string) => (await web.fetch(path, { cookie })).text();
const schemeOf = (html: string) => /<html[^>]*data-mantine-color-scheme="(\w+)"/.exec(html)?.[1];
const asksSystem = (html: string) => /<head>.*?prefers-color-scheme.*?<\/head>/s.test(html);

test('the first byte of a page is in the scheme its person chose', async () => {
  expect((await choose({ intent: 'apariencia', apariencia: 'oscuro' })).status).toBe(302);
  const html = await htmlOf('/aux', session);
  expect([schemeOf(html), asksSystem(html)]).toEqual(['dark', false]);
});

test('who follows the system has it asked in the head, before anything is drawn', async () => {
  const html = await htmlOf('/aux', session);
  expect([schemeOf(html), asksSystem(html)]).toEqual(['light', true]);
  expect(html.indexOf('prefers-color-scheme')).toBeLessThan(html.indexOf('rel="stylesheet"'));
});

test('public pages are light, whoever looks', async () => {
  await choose({ intent: 'apariencia', apariencia: 'oscuro' });
  const answer = await web.fetch('/aux', { cookie: session });
  const mirror = cookieOf(answer, 'apariencia');
  for (const path of ['/terminosYCondiciones', '/no/existe'])
    expect(schemeOf(await htmlOf(path, `${session}; ${mirror}`))).toBe('light');
});

test('a page that could not be made is in the scheme of the mirror', async () => {
  await choose({ intent: 'apariencia', apariencia: 'oscuro' });
  const mirror = cookieOf(await web.fetch('/aux', { cookie: session }), 'apariencia');
  const refused = await web.fetch('/sa', { cookie: `${session}; ${mirror}` });
  expect([refused.status, schemeOf(await refused.text())]).toEqual([403, 'dark']);
});

test('the mirror is written when it is missing or says something else, and not again', async () => {
  await choose({ intent: 'apariencia', apariencia: 'claro' });
  const first = await web.fetch('/aux', { cookie: session });
  const mirror = cookieOf(first, 'apariencia');
  const again = await web.fetch('/aux', { cookie: `${session}; ${mirror}` });
  expect(again.headers.getSetCookie().filter((one) => one.startsWith('apariencia='))).toEqual([]);
});

test('it goes back to the page it was chosen on, and never to another site', async () => {
  const back = async (volver: string) =>
    (await choose({ intent: 'densidad', densidad: 'amplia', volver })).headers.get('Location');
  expect(await back('/aux/datosUsuario?x=1')).toBe('/aux/datosUsuario?x=1');
  expect(await back('//otro.example')).toBe('/aux');
});

test.each<Record<string, string>>([
  { intent: 'apariencia', apariencia: 'fucsia' },
  { intent: 'densidad', densidad: '' },
  { intent: 'etiquetas', etiquetas: 'epl' },
  { intent: 'cajon', plegado: 'quizá' },
  { intent: 'panel', panel: 'Cliente de más', ancho: '1' },
])('what is no choice is refused: %o', async (fields) => {
  expect((await choose(fields)).status).toBe(422);
});

test('nobody pins a screen that is not in their menu', async () => {
  await choose({ intent: 'fijar', pantalla: 'usuarios', fijada: '1' });
  expect(await testDatabase().db.selectFrom('preferencia').select('fijados').execute()).toEqual([]);
});

test('how wide a panel is, is kept for its kind of record and for no other', async () => {
  const anchos = () => testDatabase().db.selectFrom('preferencia').select('panelesAnchos').executeTakeFirst();
  await choose({ intent: 'panel', panel: 'orden', ancho: '1' });
  expect(await anchos()).toEqual({ panelesAnchos: ['cliente', 'datosporventa', 'orden'] });
  await choose({ intent: 'panel', panel: 'cliente', ancho: '0' });
  expect(await anchos()).toEqual({ panelesAnchos: ['datosporventa', 'orden'] });
});

test('the format of labels is chosen among one’s own data, and is shown there as chosen', async () => {
  const pressed = async () =>
    /value="(\w+)" aria-pressed="true"/.exec(
      (await htmlOf('/aux/datosUsuario', session)).split('id="etiquetas"')[1] ?? '',
    )?.[1];
  expect(await pressed()).toBe('pdf');
  await choose({ intent: 'etiquetas', etiquetas: 'zpl' });
  expect(await pressed()).toBe('zpl');
});
