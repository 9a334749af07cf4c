import { beforeAll, describe, expect, test } from 'vitest';
import { filesOf, screensOf } from '~/access/screens';
import { readAddress } from '~/http/address.server';
import { isOurHost } from '~/http/host.server';
import { readSources } from '../support/sources';
import { testDatabase } from '../support/db';
import { buildUsuarios, cookieOf, Web } from '../support/web';

let web: Web;
let secure: Web;

beforeAll(async () => {
  await buildUsuarios(testDatabase().db);
  web = await Web.start();
  secure = await Web.start({ APP_URL: 'https://trastienda.example', PROXY_HOPS: '1' });
}, 240_000);

const host = () => `Host: ${new URL(web.base).host}`;

/** The address and what it is answered with, so that a failure names both. */
const statuses = (paths: string[], cookie?: string) =>
  Promise.all(
    paths.map(async (path) => {
      const { status } = await web.raw([`GET ${path} HTTP/1.1`, host(), ...(cookie ? [`Cookie: ${cookie}`] : [])]);
      return [path.slice(0, 40), status];
    }),
  );

test('an address deeper or longer than any of ours is refused at once', async () => {
  const staff = await web.fetch('/sa/mensual', { cookie: await web.session('sa') });
  const version = /manifest-(\w+)\.js/.exec(await staff.text())![1]!;
  const cases: [string, number, string][] = [
    ['/a'.repeat(6_000), 414, 'La dirección es demasiado larga.'],
    [`${'/a'.repeat(6_000)}.data`, 414, 'La dirección es demasiado larga.'],
    ['/a'.repeat(200), 404, 'No existe.'],
    [`/sa${'/a'.repeat(200)}?x=${'y'.repeat(8_000)}`, 404, 'No existe.'],
    [`/sa/ordenes?q=${'%'.repeat(4_100)}`, 414, 'La dirección es demasiado larga.'],
    [`/__manifest?version=${version}&p=${'/a'.repeat(3_000)}`, 400, 'No se entiende la dirección.'],
    [`/__manifest?version=${version}&p=%2Flogin&p=${'%2Fa'.repeat(100)}`, 400, 'No se entiende la dirección.'],
  ];
  for (const [path, status, texto] of cases) {
    const began = performance.now();
    const answer = await web.raw([`GET ${path} HTTP/1.1`, host()]);
    expect([path.slice(0, 40), answer.status, answer.text.endsWith(texto)]).toEqual([path.slice(0, 40), status, true]);
    expect(performance.now() - began).toBeLessThan(1_000);
  }
  expect((await web.fetch(`/__manifest?version=${version}&p=%2Flogin&p=%2Fsa%2Fordenes`)).status).toBe(200);
});

test('who has to enter first is led back to where they were, unless that address would be no header', async () => {
  const leads = async (path: string) => (await web.fetch(path)).headers.get('Location');
  expect(await leads('/sa/ordenes?q=camara')).toBe('/login?volver=%2Fsa%2Fordenes%3Fq%3Dcamara');
  expect(await leads(`/sa/ordenes?q=${'%7C'.repeat(1_300)}`)).toBe('/login');
});

test('an address that could be read in two ways is no address', async () => {
  const cookie = await web.session('sa');
  const unreadable = [
    '/%5C',
    '/\\login',
    '/%00',
    '/facturacion/%00',
    '/facturacion/%0A',
    '/sa/descargas%2Fnota/x',
    '//avisos/mercadolibre/x',
    '/avisos/../sa/ordenes',
    '/avisos/%2e%2e/sa/ordenes',
    '/sa//ordenes',
    '/s%61/ordenes',
    '/facturacion/%ed%a0%80',
    'http://127.0.0.1/login',
  ];
  expect(await statuses(unreadable, cookie)).toEqual(unreadable.map((path) => [path, 400]));
  expect(await statuses(['/sa/ordenes', '/sa/ordenes/', '/sa/ordenes.data', '/sa?index'], cookie)).toEqual([
    ['/sa/ordenes', 200],
    ['/sa/ordenes/', 200],
    ['/sa/ordenes.data', 200],
    ['/sa?index', 200],
  ]);
});

test('an address that gives one name two values draws no screen', async () => {
  const cookie = await web.session('sa');
  const paths = [
    ...screensOf('sa')
      // The page of the warehouse is one shell for every address.
      .filter(([key, { homeOnly }]) => !homeOnly && key !== 'bodega')
      .map(([key]) => `/sa/${key}`),
    '/sa',
    '/login',
    '/siqr/x',
  ];
  const twice = paths.map((path) => `${path}?q=uno&q=dos`);
  expect(await statuses(twice, cookie)).toEqual(twice.map((path) => [path.slice(0, 40), 400]));
  const html = await (await web.fetch(twice[0]!, { cookie, headers: { Accept: 'text/html' } })).text();
  expect(html).toContain('No se entiende la dirección.');
  expect(await statuses(['/sa/ordenes.data?q=uno&q=dos', '/sa/ordenes?q=uno&Q=dos'], cookie)).toEqual([
    ['/sa/ordenes.data?q=uno&q=dos', 400],
    ['/sa/ordenes?q=uno&Q=dos', 200],
  ]);
  // A sheet of labels names its pieces one by one.
  const hoja = await web.fetch('/sa/descargas/etiquetas?pieza=x&pieza=y', { cookie });
  expect(await hoja.text()).not.toContain('No se entiende la dirección.');
}, 60_000);

test('an area is written in small letters', async () => {
  const cookie = await web.session('sa');
  const others = ['/SA/mensual', '/Sa', '/sa/MENSUAL', '/SA/mensual.data', '/ADMIN/ordenes'];
  // A script is told to open the page of what does not exist as a document.
  for (const [path, status] of await statuses(others, cookie))
    expect([path, status]).toEqual([path, `${path}`.endsWith('.data') ? 202 : 418]);
  expect((await web.fetch('/sa/mensual', { cookie })).status).toBe(200);
});

test('no way around the check of where a form comes from, nor to a larger body', async () => {
  const cookie = await web.session('sa');
  const evil = (path: string) =>
    web.raw(
      [
        `POST ${path} HTTP/1.1`,
        host(),
        `Cookie: ${cookie}`,
        'Origin: https://malo.test',
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 25',
      ],
      'intent=salir&confirmado=1',
    );
  for (const path of [
    '/avisos/../salir',
    '/avisos/%2e%2e/salir',
    '/avisos/..%2fsalir',
    '//avisos/../salir',
    '/avisos/..\\salir',
  ])
    expect([path, (await evil(path)).status]).toEqual([path, 400]);
  for (const path of ['/salir', '/salir.data', '/salir/', '/Avisos/salir', '/avisos.data'])
    expect([path, (await evil(path)).status]).toEqual([path, 403]);
  expect((await web.fetch('/sa', { cookie })).status).toBe(200);

  const big = { cookie, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  const send = (path: string) =>
    web.fetch(path, { ...big, method: 'POST', body: `intent=nada&x=${'y'.repeat(300_000)}` });
  for (const path of ['/sa/ordenes', '/sa/ordenes.data', '/sa/ordenes/'])
    expect([path, (await send(path)).status]).toEqual([path, 400]);
  for (const path of ['/sa/usuarios', '/sa/usuarios.data', '/cont/ordenes', '/sa/ordenes/x'])
    expect([path, (await send(path)).status]).toEqual([path, 413]);
});

/** All of them where inputs are tried at length, and here one by turns. */
const byTurn = <Of>(all: readonly Of[], turn: number): readonly Of[] =>
  process.env.ENTRADAS === 'long' ? all : [all[turn % all.length]!];

test('what a form is sent as is a form, or refused', async () => {
  const cookie = await web.session('sa');
  const post = (path: string, type: string | undefined, body: string) =>
    web.raw(
      [
        `POST ${path} HTTP/1.1`,
        host(),
        `Origin: ${web.base}`,
        ...(path === '/login' ? [] : [`Cookie: ${cookie}`]),
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
        `Content-Length: ${Buffer.byteLength(body)}`,
      ],
      body,
    );
  const types = [
    undefined,
    '',
    'x',
    ';',
    'application/json',
    'text/plain, application/x-www-form-urlencoded',
    'application/x-www-form-urlencodedx',
    'application/x-www-form-urlencoded-x',
    'application/x-www-form-urlencoded; charset=utf-16',
    'application/x-www-form-urlencoded; =;',
    'application/x-www-form-urlencoded, multipart/form-data',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="',
    'multipart/form-data; boundary=b; boundary=c',
    `multipart/form-data; boundary=${'b'.repeat(200)}`,
    'multipart/form-data-x; boundary=b',
    'multipart/mixed; boundary=b',
  ];
  const bodies = [
    '',
    'x',
    'intent=nada',
    '--b\r\n\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="a\0"\r\n\r\n\0\r\n--b--\r\n',
  ];
  for (const [place, path] of ['/sa/ordenes', '/login', '/salir.data', '/sa/exportaciones'].entries())
    for (const [turn, type] of types.entries())
      for (const body of byTurn(bodies, place + turn)) {
        const { status } = await post(path, type, body);
        // A form nobody filled in comes back on its page.
        const answered = (status >= 400 && status < 500) || (status === 200 && path === '/salir.data');
        expect([path, type, body, status, answered]).toEqual([path, type, body, status, true]);
      }
  for (const path of ['/login?_data=public%2Flogin', '/sa/ordenes?_data=sa%2Fordenes', '/sa?_data=', '/nada?a=1&_data'])
    expect([path, (await post(path, 'application/x-www-form-urlencoded', 'intent=nada')).status]).toEqual([path, 400]);
});

describe('the name a request asks for', () => {
  test('is the one of APP_URL, its port included, or one of the machine', () => {
    const yes: [string, string][] = [
      ['trastienda.example', 'https://trastienda.example'],
      ['TRASTIENDA.example:443', 'https://trastienda.example'],
      ['10.0.0.5:3000', 'http://10.0.0.5:3000'],
      ['127.0.0.1:3456', 'https://trastienda.example'],
      ['localhost', 'http://127.0.0.1:3000'],
      ['[::1]:3000', 'http://127.0.0.1:3000'],
    ];
    for (const [name, appUrl] of yes) expect([name, isOurHost(name, appUrl)]).toEqual([name, true]);
    const no = [
      'malo.test',
      'trastienda.example:8443',
      'trastienda.example.',
      'x@trastienda.example',
      'localhost.malo.test',
    ].concat(['', ' ', '[', 'a b', 'a/b', 'localhost:99999', 'trastienda.example/..', '127.0.0.1.malo.test', '127.1']);
    for (const name of no) expect([name, isOurHost(name, 'https://trastienda.example')]).toEqual([name, false]);
  });

  test('any other gets a 421, malformed ones too', async () => {
    for (const name of ['malo.test', 'a b', '[', '%', 'x@127.0.0.1', '127.0.0.1:x', ''])
      expect([name, (await web.raw(['GET /login HTTP/1.1', `Host: ${name}`])).status]).toEqual([name, 421]);
    expect((await web.raw(['GET /login HTTP/1.0'])).status).toBe(421);
    for (const name of ['trastienda.test', 'localhost:1', '127.0.0.1'])
      expect([name, (await web.raw(['GET /login HTTP/1.1', `Host: ${name}`])).status]).toEqual([name, 200]);
    // Without a trusted proxy nobody says under which name they came.
    expect((await web.fetch('/login', { headers: { 'X-Forwarded-Host': 'malo.test' } })).status).toBe(200);
  });

  test('is the one the trusted proxy was called by', async () => {
    const via = async (headers: string[]) => (await secure.raw(['GET /login HTTP/1.1', ...headers])).status;
    expect(await via(['Host: web:3000', 'X-Forwarded-Host: trastienda.example', 'X-Forwarded-Proto: https'])).toBe(200);
    expect(await via(['Host: trastienda.example', 'X-Forwarded-Host: malo.test'])).toBe(421);
    expect(await via(['Host: trastienda.example', 'X-Forwarded-Host: ['])).toBe(421);
    expect(await via(['Host: web:3000'])).toBe(421);
    expect(await via(['Host: trastienda.example', 'X-Forwarded-Proto: ht tp'])).toBe(400);
    expect(await via(['Host: trastienda.example', 'X-Forwarded-Proto: javascript'])).toBe(400);
  });
});

describe('cookies', () => {
  test('over https carry the prefix that ties them to this host; over http browsers would refuse it', async () => {
    const signed = await secure.login('sa');
    expect(signed.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-sesion=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-dispositivo=[^;]+; Max-Age=\d{8}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const cookie = cookieOf(signed);
    expect((await secure.fetch('/sa', { cookie })).status).toBe(200);
    const left = await secure.post('/salir', { intent: 'salir', confirmado: '1' }, { cookie });
    expect(left.headers.getSetCookie()[0]).toMatch(/^__Host-sesion=; Max-Age=0; Path=\/;.* Secure/);
    expect((await web.login('sa')).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sesion=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^dispositivo=[^;]+; Max-Age=\d{8}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('of who was signed in before the prefix are replaced by the first page, and never outrank it', async () => {
    const value = cookieOf(await secure.login('sa')).replace('__Host-sesion=', '');
    const first = await secure.fetch('/sa', { cookie: `sesion=${value}` });
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-sesion=[^;]+;.*Max-Age=2592000;.*Secure/),
      expect.stringMatching(/^sesion=; Max-Age=0; Path=\//),
    ]);
    const own = cookieOf(first);
    const next = await secure.fetch('/sa', { cookie: own });
    expect([next.status, next.headers.getSetCookie()]).toEqual([200, []]);
    const other = cookieOf(await secure.login('cont')).replace('__Host-sesion=', '');
    expect((await secure.fetch('/sa', { cookie: `sesion=${other}; ${own}` })).status).toBe(200);
  });

  test('come from one factory', () => {
    const makers = readSources(['app', 'jobs'])
      .filter(({ text }) => /\bcreateCookie|\bcookie\.serialize\(/i.test(text))
      .map(({ path }) => path);
    expect(makers).toEqual(['app/core/cookie.server.ts']);
  });

  test('that nobody of ours wrote are none', async () => {
    for (const cookie of [
      'sesion=%',
      'sesion="',
      'sesion=%00',
      `sesion=${'x'.repeat(4_000)}`,
      'aviso=bnVsbA==; sesion=e30=',
      '=;=;',
    ])
      expect([cookie, (await web.fetch('/sa', { cookie })).status]).toEqual([cookie, 302]);
    const cookie = await web.session('sa');
    for (const aviso of ['%', 'bnVsbA==', 'e30=', '"'])
      expect([aviso, (await web.fetch('/sa', { cookie: `${cookie}; aviso=${aviso}` })).status]).toEqual([aviso, 200]);
  });
});

test('a text that the database cannot keep is no failure of any screen or file', async () => {
  const cookie = await web.session('sa');
  const before = web.lines.length;
  const names = [
    'q',
    'ver',
    'editar',
    'numOrden',
    'borrador',
    'paso',
    'mes',
    'desde',
    'lista',
    'proveedor',
    'pagina',
    'activacion',
  ].concat(['proveedorFactura', 'code', 'state', 'orden', 'volver', 'buscar', 'ventana', 'total', 'corte', 'search']);
  const query = (value: string) => names.map((name) => `${name}=${value}`).join('&');
  const paths = [
    ...['/', '/login', '/facturacion/x', '/datosEnvio/x', '/activacion'],
    ...screensOf('sa')
      .filter(([, { homeOnly }]) => !homeOnly)
      .map(([key]) => `/sa/${key}`),
    ...filesOf('sa').map(([, { path }]) => `/sa/${path.replace(/:\w+/g, 'x')}`),
  ];
  const values = ['%00', '%ED%A0%80', 'a%00b', '%5Cu0000'];
  for (const [turn, path] of paths.entries())
    for (const value of byTurn(values, turn)) {
      const { status } = await web.fetch(`${path}?${query(value)}`, { cookie });
      expect([path, value, status < 500]).toEqual([path, value, true]);
    }
  // A warning would say that only the database stood in its way.
  expect(web.lines.slice(before).filter(({ level }) => level !== 'info')).toEqual([]);
  const claves = await web.fetch('/sa/clavesSat?q=a%00b', { cookie });
  expect([claves.status, await claves.json()]).toEqual([200, { q: 'a\0b', claves: [] }]);
}, 120_000);

test('a path is read decoded, without .data and without its last slash', () => {
  expect(readAddress('/')).toEqual({ path: '/' });
  expect(readAddress('/sa/ordenes/?q=//..%5C')).toEqual({ path: '/sa/ordenes' });
  expect(readAddress('/sa/ordenes/.data?index')).toEqual({ path: '/sa/ordenes' });
  expect(readAddress('/a%C3%B1o')).toEqual({ path: '/año' });
  expect(readAddress('')).toMatchObject({ status: 400 });
  expect(readAddress('*')).toMatchObject({ status: 400 });
});
