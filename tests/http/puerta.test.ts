import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { log } from '~/core/log.server';
import { readAddress, refuseAtDoor, requireAddress } from '~/http/address.server';
import { staticFiles } from '~/http/assets.server';
import { bodyLimitOf, dropRest, limitBody, requireForm, requireMethod } from '~/http/bodyLimit.server';
import { securityHeaders } from '~/http/headers.server';
import { requireHost } from '~/http/host.server';
import { leadByHeader } from '~/http/lead.server';
import { identify, maskPath } from '~/http/requestLog.server';
import { isSameOrigin, requireSameOrigin } from '~/http/sameOrigin.server';

/** The door of the web process, in its order, before a far end that says what reached it. */
const app = express();
app.set('trust proxy', 1);
app.use(identify, dropRest, securityHeaders({ dev: false }), requireHost, leadByHeader, requireAddress, staticFiles());
app.use(requireMethod, limitBody, requireForm, requireSameOrigin);
// A reader that takes the first piece of a body, and no more.
app.post('/api/a-medias', (req, res) => void req.once('data', () => (req.pause(), res.status(401).end())));
app.get('/api/nombrada/:rfc', (_req, res) => void ((res.locals.ruta = '/api/nombrada/{rfc}'), res.status(404).end()));
app.get('/lleva', (_req, res) => res.redirect('/login?volver=x'));
app.get('/sinLugar', (_req, res) => void res.status(304).end());
app.use(express.raw({ type: () => true, limit: '1gb' }), (req, res) => {
  const { origin, 'x-forwarded-host': called } = req.headers;
  const bytes = Buffer.isBuffer(req.body) ? req.body.length : 0;
  res.json({ path: String(res.locals.path), origin, called, bytes });
});
app.use(((_error, _req, res, _next) => {
  if (!res.headersSent) res.status(404).end();
}) as ErrorRequestHandler);
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const port = (server.address() as AddressInfo).port;
afterAll(() => new Promise((resolve) => server.close(resolve)));

type Sent = { method?: string; headers?: Record<string, string>; body?: string | string[]; at?: number; agent?: Agent };
type Said = { status: number; headers: Record<string, unknown>; text: string; json(): Record<string, unknown> };

/** As a browser on a page of ours sends it, unless a header says otherwise. */
function ask(path: string, { method = 'GET', headers = {}, body, at = port, agent }: Sent = {}): Promise<Said> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port: at,
      path,
      method,
      agent,
      headers: { Host: 'trastienda.test', ...headers },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as Record<string, unknown>,
        }),
      );
    });
    for (const part of [body ?? []].flat()) call.write(part);
    call.end();
  });
}
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://trastienda.test' };
const post = (path: string, { headers = {}, ...sent }: Sent = {}) =>
  ask(path, { method: 'POST', headers: { ...FORM, ...headers }, ...sent });

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
  process.env.PROXY_HOPS = '0';
  forgetEnv();
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).split('\n').filter(Boolean))
      if (line.startsWith('{')) lines.push(JSON.parse(line) as Record<string, unknown>);
    return true;
  });
  return () => vi.mocked(process.stdout.write).mockRestore();
});

test('an address that no page has is refused in words for people, and in the shape of its API for programs', async () => {
  const long = 'a'.repeat(600);
  expect([(await ask(`/${long}`)).status, (await ask(`/${long}`)).text]).toEqual([
    414,
    'La dirección es demasiado larga.',
  ]);
  const old = await ask(`/api/${long}`);
  expect([old.status, old.json()]).toEqual([414, { error: true, message: 'La dirección es demasiado larga.' }]);
  const deep = await ask(`/api/v1${'/a'.repeat(20)}`);
  expect([deep.status, deep.headers['content-type'], deep.json()]).toEqual([
    404,
    expect.stringContaining('application/problem+json'),
    {
      type: 'urn:trastienda:problema:no-encontrado',
      title: 'Error.',
      status: 404,
      detail: 'No existe.',
      codigo: 'no-encontrado',
      instance: deep.headers['x-request-id'],
    },
  ]);
  expect((await ask('/sa/ordenes?_data=sa%2Fordenes')).status).toBe(400);
  expect((await ask('/__manifest?p=%2Fsa&p=%2F..%2Fsa')).status).toBe(400);
  expect((await ask('/sa/ordenes.data?q=1')).json()).toMatchObject({ path: '/sa/ordenes' });
});

test('a body that is refused early leaves its connection to the next request, or ends it', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const refused: [string, Sent, number][] = [
    ['/api/a-medias', { body: 'x'.repeat(200_000) }, 401],
    ['/login', { body: 'x'.repeat(900_000) }, 413],
    ['/login', { body: 'x'.repeat(200_000), headers: { 'Content-Type': 'text/plain' } }, 415],
    ['/salir', { body: 'x'.repeat(200_000), headers: { Origin: 'https://malo.test' } }, 403],
    ['/login', { body: ['x'.repeat(200_000), 'x'.repeat(200_000)] }, 413],
  ];
  for (const [path, { body, headers }, status] of refused) {
    const length: Record<string, string> = typeof body === 'string' ? { 'Content-Length': String(body.length) } : {};
    const answer = await post(path, { body, headers: { ...length, ...headers }, agent });
    expect([path, answer.status]).toEqual([path, status]);
    const began = performance.now();
    expect((await ask('/login', { agent })).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(1_500);
  }
  agent.destroy();
});

test('a method that nothing of ours knows is refused, in the shape of its API for programs', async () => {
  for (const [method, path] of [
    ['TRACE', '/login'],
    ['PROPFIND', '/sa/ordenes'],
    ['PUT', '/avisos/mercadolibre/x'],
  ])
    expect([method, (await ask(path!, { method })).status]).toEqual([method, 405]);
  const old = await ask('/api/proveedores', { method: 'TRACE' });
  expect([old.status, old.json()]).toEqual([405, { error: true, message: 'Ese método no se usa aquí.' }]);
  expect((await ask('/api/v1/ordenes', { method: 'LOCK' })).json()).toMatchObject({ codigo: 'metodo-no-permitido' });
});

test('an address has one way to be written', () => {
  for (const path of ['/a//b', '/a/../b', '/%2e%2e/b', '/a%2fb', '/a%5Cb', '/%73a', '/a\\b', '/a%00', '/%ff', 'a'])
    expect([path, readAddress(path)]).toEqual([path, { status: 400, texto: 'No se entiende la dirección.' }]);
  // A value in a path of the API may hold a slash: the path keeps as many parts as it was written with.
  expect(readAddress('/api/apiML/categoria/predict/1%2F2')).toEqual({ path: '/api/apiML/categoria/predict/1%2F2' });
  expect(readAddress(`/__manifest?p=${'a'.repeat(7_000)}`)).toEqual({ path: '/__manifest' });
  expect(readAddress(`/sa/ordenes?q=${'a'.repeat(7_000)}`)).toMatchObject({ status: 414 });
});

test('another name than ours is answered by nobody, and the log says so once', async () => {
  for (const name of ['malo.test', 'otro.test'])
    expect((await ask('/login', { headers: { Host: name } })).status).toBe(421);
  expect(lines.filter(({ message }) => String(message).includes('421'))).toHaveLength(1);
  expect((await ask('/login', { headers: { Host: 'localhost:9' } })).status).toBe(200);
  // Without a proxy that counts nobody says under which name they came.
  expect((await ask('/login', { headers: { 'X-Forwarded-Host': 'malo.test' } })).status).toBe(200);
  process.env.PROXY_HOPS = '1';
  forgetEnv();
  expect((await ask('/login', { headers: { 'X-Forwarded-Host': 'malo.test' } })).status).toBe(421);
  const named = await ask('/login', {
    headers: { Host: 'web:3000', 'X-Forwarded-Host': 'trastienda.test, malo.test' },
  });
  expect([named.status, named.json().called]).toEqual([200, 'trastienda.test']);
  expect((await ask('/login', { headers: { 'X-Forwarded-Proto': 'javascript' } })).status).toBe(400);
});

test('a form comes from a page of ours: Origin says so, else Sec-Fetch-Site, else Referer', async () => {
  const claims: [Record<string, string>, number][] = [
    [{ Origin: 'http://trastienda.test' }, 200],
    [{ Origin: 'https://malo.test' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'https://malo.test', 'Sec-Fetch-Site': 'same-origin' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ 'Sec-Fetch-Site': 'same-site', Referer: 'http://trastienda.test/sa' }, 403],
    [{ Referer: 'http://trastienda.test/sa' }, 200],
    [{ Referer: 'http://trastienda.test.malo.test/sa' }, 403],
    [{ Referer: 'no es una dirección' }, 403],
    [{}, 403],
  ];
  for (const [headers, status] of claims) {
    const answer = await ask('/sa/ordenes', {
      method: 'POST',
      headers: { 'Content-Type': FORM['Content-Type'], ...headers },
    });
    expect([headers, answer.status]).toEqual([headers, status]);
    if (status === 403) expect(answer.text).toBe('La petición no viene de esta aplicación.');
  }
  expect((await ask('/sa/ordenes', { headers: { Origin: 'https://malo.test' } })).status).toBe(200);
  // Remix compares Origin with the name it was called by.
  expect((await post('/sa/ordenes', { headers: { Host: 'localhost' } })).json()).toMatchObject({
    called: 'trastienda.test',
  });
  expect(isSameOrigin({ origin: '' }, ['http://trastienda.test'])).toBe(false);
});

test('what a machine sends needs no page, and says nothing of where it comes from', async () => {
  for (const path of ['/avisos/mercadolibre/secreto', '/api/v1/ordenes']) {
    const answer = await ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://malo.test' },
      body: '{}',
    });
    expect([path, answer.status, answer.json()]).toEqual([path, 200, { path, bytes: 2 }]);
  }
  expect((await ask('/api/v1/ordenes/1', { method: 'DELETE' })).status).toBe(200);
});

test('a page is changed by a form that is posted, and by nothing else', async () => {
  const put = await ask('/sa/ordenes', { method: 'PUT', headers: FORM });
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencodedx'])
    expect([type, (await post('/sa/ordenes', { headers: { 'Content-Type': type } })).status]).toEqual([type, 415]);
  for (const type of ['multipart/form-data; boundary=b', 'APPLICATION/X-WWW-FORM-URLENCODED ; charset=utf-8'])
    expect([type, (await post('/sa/ordenes', { headers: { 'Content-Type': type } })).status]).toEqual([type, 200]);
});

test('a body over the limit of its address is refused by what it declares, or by what arrives', async () => {
  const limit = bodyLimitOf('/login');
  const declared = (bytes: number) =>
    post('/login', { headers: { 'Content-Length': String(bytes) }, body: 'x'.repeat(bytes) }).catch(() => undefined);
  expect((await declared(limit))!.json()).toMatchObject({ bytes: limit });
  const over = await ask('/api/v1/ordenes', {
    method: 'POST',
    headers: { 'Content-Length': String(bodyLimitOf('/api/v1/ordenes') + 1) },
  }).catch(() => undefined);
  expect(over?.status ?? 413).toBe(413);
  const chunked = await post('/login', {
    headers: { 'Transfer-Encoding': 'chunked' },
    body: ['x'.repeat(limit), 'y'.repeat(limit)],
  });
  expect([chunked.status, chunked.text]).toEqual([413, 'Lo que se envió es demasiado grande.']);
  const within = await post('/login', { headers: { 'Transfer-Encoding': 'chunked' }, body: ['x'.repeat(1_000), 'y'] });
  expect(within.json()).toMatchObject({ bytes: 1_001 });
});

test('a chunked body counts from its first byte, also where the bytes came before anybody looked', async () => {
  const late = express().use((req, res, next) => {
    res.locals.path = '/login';
    const look = () => void (req.readableLength === 0 ? setImmediate(look) : next());
    look();
  }, limitBody);
  late.use(express.raw({ type: () => true, limit: '1gb' }), (_req, res) => void res.end());
  const server = late.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const chunked = { headers: { 'Transfer-Encoding': 'chunked' }, at: (server.address() as AddressInfo).port };
  const limit = bodyLimitOf('/login');
  const first = 'x'.repeat(16_000);
  const [within, over] = [limit, limit + 1].map((all) =>
    post('/login', { ...chunked, body: [first, 'x'.repeat(all - first.length)] }),
  );
  expect([(await within!).status, (await over!).status]).toEqual([200, 413]);
  await new Promise((resolve) => server.close(resolve));
});

test('each screen that takes files takes as much as its files need, and every other one a form', () => {
  const MB = 1_024 * 1_024;
  const limits: [string, number][] = [
    ['/avisos/mercadolibre/x', 64 * 1_024],
    ['/sa/ordenes', 11 * MB],
    ['/user/bodega/enviar', 3 * MB],
    ['/user/bodega/enviar/x', 256 * 1_024],
    ['/cont/bodega/enviar', 256 * 1_024],
    ['/facturacion/abc', 8 * MB],
    ['/facturacion/abc/pdf', 256 * 1_024],
    ['/sa/reclamos', 16 * MB],
    ['/user/publicadorML', 48 * MB],
    ['/aux/productos', 256 * 1_024],
    ['/sa/subirApp/parte', 5 * MB],
    ['/api/v1/stock/1', 21 * MB],
    ['/api/v1/proveedor-facturas/xml', 11 * MB],
    ['/api/v1/proveedor-facturas/xml/1/reparto', 256 * 1_024],
    ['/login', 256 * 1_024],
  ];
  for (const [path, bytes] of limits) expect([path, bodyLimitOf(path)]).toEqual([path, bytes]);
});

test('a line of the log names the request that an answer names, and none of its secrets', async () => {
  const { headers } = await ask('/facturacion/un-secreto-de-cliente/pdf?token=otro');
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 15_000 });
  expect(lines[0]).toMatchObject({
    message: 'petición',
    requestId: headers['x-request-id'],
    metodo: 'GET',
    ruta: '/facturacion/:secreto/:secreto',
    status: 200,
  });
  expect(JSON.stringify(lines)).not.toMatch(/un-secreto-de-cliente|otro/);
  expect(lines[0]).not.toHaveProperty('cortada');
});

test('the log keeps no token of any address, and keeps what names a screen', () => {
  const uuid = '019a0000-0000-7000-8000-000000000000';
  const masks: [string, string][] = [
    ['/datosEnvio/abc', '/datosEnvio/:secreto'],
    ['/DATOSENVIO/abc.data', '/DATOSENVIO/:secreto'],
    ['/avisos/mercadolibre/abc', '/avisos/mercadolibre/:secreto'],
    ['/sa/facturacion/abc', '/sa/facturacion/abc'],
    ['/sa/clientes/MEGJ800101QX1', '/sa/clientes/:valor'],
    ['/sa/clientes/Juan%20Paz', '/sa/clientes/:valor'],
    ['/api/checkToken/abc', '/api/:otra'],
    ['/api/factura.com/datosFiscales/MEGJ800101QX1', '/api/:otra'],
    ['/api/internalStocks/DV-26-000001/abc', '/api/:otra'],
    ['/assets/lista-B1x_2.js', '/assets/lista-B1x_2.js'],
    [`/sa/ordenes/${uuid}`, `/sa/ordenes/${uuid}`],
    [`/activacion/${'a'.repeat(24)}`, '/activacion/:largo'],
  ];
  for (const [path, masked] of masks) expect([path, maskPath(path)]).toEqual([path, masked]);
  expect(maskPath(`/${'ab/'.repeat(100)}`)).toHaveLength(200);
});

test('a line of the log holds no value that somebody sent: neither in a path of the API nor in what a reader could not read', async () => {
  await ask('/api/nombrada/MEGJ800101QX1');
  await ask('/api/checkToken/secreto');
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 15_000 });
  expect(lines.map(({ ruta }) => ruta)).toEqual(['/api/nombrada/{rfc}', '/api/:otra']);
  log.error('x', Object.assign(new Error('invalid input syntax for type uuid: "Juan Paz"'), { code: '22P02' }));
  try {
    JSON.parse('Juan Paz');
  } catch (error) {
    log.error('x', error);
  }
  expect(JSON.stringify(lines)).not.toMatch(/Juan|secreto|MEGJ/);
});

test('files that answer well, and the health check, write no line', async () => {
  await ask('/healthcheck');
  await ask('/assets/no-existe.js');
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 15_000 });
  expect(lines[0]).toMatchObject({ ruta: '/assets/no-existe.js', status: 404 });
});

test('a file of the browser carries none of the headers of pages, and one that is not there is none', async () => {
  const missing = await ask('/assets/no-existe.js');
  expect([missing.status, missing.headers['content-security-policy']]).toEqual([404, undefined]);
  expect(missing.headers['x-content-type-options']).toBe('nosniff');
  const screen = await ask('/sa/ordenes');
  expect(screen.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('what people brought is shown in a box where nothing runs, and only the warehouse has a camera', async () => {
  const box = await ask('/sa/archivos/1');
  expect(box.headers['content-security-policy']).toMatch(/^default-src 'none';.* sandbox$/);
  expect(box.headers['x-frame-options']).toBe('SAMEORIGIN');
  const camera = async (path: string) => String((await ask(path)).headers['permissions-policy']).split(',')[0];
  expect(await Promise.all(['/user/bodega', '/user/bodega/leer', '/cont/bodega'].map(camera))).toEqual([
    'camera=(self)',
    'camera=()',
    'camera=()',
  ]);
  const nonce = (answer: Said) => /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1];
  expect(nonce(await ask('/login'))).not.toBe(nonce(await ask('/login')));
});

test('the script of a public page is told where an answer leads, and everybody else is led there', async () => {
  const told = await ask('/lleva', { headers: { 'X-Publico': '1' } });
  expect([told.status, told.headers['x-ir'], told.headers.location]).toEqual([204, '/login?volver=x', undefined]);
  const led = await ask('/lleva');
  expect([led.status, led.headers['x-ir'], led.headers.location]).toEqual([302, undefined, '/login?volver=x']);
  expect((await ask('/sinLugar', { headers: { 'X-Publico': '1' } })).status).toBe(304);
});

test('a refusal to an address of the old API keeps its shape', () => {
  const said: unknown[] = [];
  const res = {
    req: { path: '/api/empresa/file/app' },
    status: (status: number) => void said.push(status),
    json: (body: unknown) => void said.push(body),
  };
  refuseAtDoor(res as never, 413, 'Lo que se envió es demasiado grande.');
  expect(said).toEqual([413, { error: true, message: 'Lo que se envió es demasiado grande.' }]);
});
