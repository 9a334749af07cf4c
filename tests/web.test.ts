import { POR_MENSAJE } from '~/domain/facturacion/publico/puerta.server';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ROLES } from '~/access/screens';
import { callerAddress } from '~/http/callerAddress.server';
import { isSameOrigin } from '~/http/sameOrigin.server';
import { maskPath } from '~/http/requestLog.server';
import { buildProductoDeStock, unPdf } from './support/builders/stock';
import { folderOf } from '../bin/lib/construido.mjs';
import { ownerDatabase, testDatabase } from './support/db';
import { buildUsuarios, cookieOf, PASSWORD, Web, type Sent } from './support/web';

let web: Web;
/** Behind a proxy, with a token for what watches it from its own machine. */
let vigilada: Web;

beforeAll(async () => {
  await buildUsuarios(testDatabase().db);
  web = await Web.start({ MERCADOLIBRE_AUTH_URL: 'https://auth.marketplace.test/oauth' });
  vigilada = await Web.start({ SALUD_TOKEN: 'un-token-de-prueba', PROXY_HOPS: '1' });
}, 180_000);

test('every page carries the headers that protect it, and scripts run by the nonce of their own page', async () => {
  const one = await web.fetch('/login');
  const policy = one.headers.get('Content-Security-Policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  expect(policy).toContain(`script-src 'self' 'nonce-${nonce}';`);
  expect(policy).toContain("form-action 'self' https://auth.marketplace.test;");
  expect(policy).toContain("frame-ancestors 'none'");
  const html = await one.text();
  const bare = [...html.matchAll(/<(script|style)\b([^>]*)>/g)].filter(
    ([, , attributes]) => !attributes!.includes(`nonce="${nonce}"`),
  );
  expect(bare.map(([tag]) => tag)).toEqual([]);
  expect(policy).not.toBe((await web.fetch('/login')).headers.get('Content-Security-Policy'));
  expect(
    Object.fromEntries(
      [
        'x-content-type-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'cache-control',
        'strict-transport-security',
        'x-powered-by',
      ].map((name) => [name, one.headers.get(name)]),
    ),
  ).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    'strict-transport-security': null,
    'x-powered-by': null,
  });
});

test('a form sent from another site is refused before anyone reads it', async () => {
  const fields = { intent: 'entrar', usuario: 'sa', password: PASSWORD };
  const origins: [Record<string, string>, number][] = [
    [{ Origin: 'https://malo.test' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: '', 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ Origin: 'http://trastienda.test' }, 302],
  ];
  for (const [headers, status] of origins)
    expect([headers, (await web.post('/login', fields, { headers })).status]).toEqual([headers, status]);
  const cookie = await web.session('sa');
  expect(
    (await web.post('/salir', { confirmado: '1' }, { cookie, headers: { Origin: 'https://malo.test' } })).status,
  ).toBe(403);
  expect((await web.fetch('/sa', { cookie })).status).toBe(200);
});

test('Origin decides, then Sec-Fetch-Site, then Referer; silence is a no', () => {
  const ours = ['https://trastienda.mx'];
  expect(isSameOrigin({ origin: 'https://trastienda.mx', secFetchSite: 'cross-site' }, ours)).toBe(true);
  expect(isSameOrigin({ origin: 'https://trastienda.mx.malo.test' }, ours)).toBe(false);
  expect(isSameOrigin({ secFetchSite: 'same-origin' }, ours)).toBe(true);
  expect(isSameOrigin({ secFetchSite: 'same-site' }, ours)).toBe(false);
  expect(isSameOrigin({ referer: 'https://trastienda.mx/sa' }, ours)).toBe(true);
  expect(isSameOrigin({ referer: 'https://trastienda.mx@malo.test/' }, ours)).toBe(false);
  expect(isSameOrigin({}, ours)).toBe(false);
});

test('a few bytes that name a row nobody has are refused at once, in names and in what a button asks', async () => {
  const began = performance.now();
  const intent = (payload: object) => ({
    intent: 'entrar',
    usuario: 'sa',
    __intent__: JSON.stringify({ type: 'update', payload }),
  });
  const forms: Record<string, string>[] = [
    { intent: 'entrar', 'usuario[20000000]': 'x' },
    intent({ name: 'a[3]', index: 2 }),
    intent({ name: 'a[10000000]', value: 'x' }),
    intent({ name: 'a', index: 20_000_000 }),
    { intent: 'entrar', usuario: 'sa', __intent__: '{' },
  ];
  for (const form of forms) expect([form, (await web.post('/login', form)).status]).toEqual([form, 400]);
  expect((await web.post('/?index', { intent: 'facturar', 'numOrden[10000000]': 'x' })).status).toBe(400);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect((await web.post('/login', { intent: 'entrar', 'usuario[999]': 'x' })).status).toBe(422);
});

test('quotas count an IPv4 address, and of an IPv6 one the network it is in', () => {
  expect(callerAddress('203.0.113.7')).toBe('203.0.113.7');
  expect(callerAddress('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(callerAddress('2001:db8:0:12::1')).toBe(callerAddress('2001:0db8:0000:0012:ffff:1:2:3'));
  expect(callerAddress('2001:db8::1')).toBe('2001:db8:0:0::/64');
  expect(callerAddress('2001:db8:0:13::1')).not.toBe(callerAddress('2001:db8:0:12::1'));
  expect(callerAddress('::1')).toBe('0:0:0:0::/64');
});

test('a body over its limit is refused, declared or not', async () => {
  const declared = await web.post('/login', { usuario: 'sa', password: 'x'.repeat(300_000) });
  expect(declared.status).toBe(413);
  const chunked = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(`${web.base}/login`, {
      method: 'POST',
      headers: {
        Origin: web.base,
        'Content-Type': 'application/x-www-form-urlencoded',
        'Transfer-Encoding': 'chunked',
      },
    });
    call.once('response', (response) => resolve(response.resume().statusCode));
    call.once('error', reject);
    call.write(`usuario=${'x'.repeat(200_000)}`);
    setTimeout(() => call.end('y'.repeat(200_000)), 50);
  });
  expect(chunked).toBe(413);
  expect((await web.login('sa')).status).toBe(302);
});

test('schemas stay on the server: no page brings zod along', () => {
  const assets = join(folderOf('web'), 'client/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(20);
  expect(scripts.filter((name) => readFileSync(`${assets}/${name}`, 'utf8').includes('ZodError'))).toEqual([]);
});

test('files of the browser are kept for a year, and one that is missing is a plain 404', async () => {
  const asset = /\/assets\/[^"]+\.css/.exec(await (await web.fetch('/login')).text())![0];
  const found = await web.fetch(asset);
  expect([found.status, found.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect([found.headers.get('X-Content-Type-Options'), found.headers.get('Content-Security-Policy')]).toEqual([
    'nosniff',
    null,
  ]);
  const missing = await web.fetch('/assets/no-existe.js');
  expect([missing.status, await missing.text()]).toEqual([404, 'No existe.']);
  expect((await web.fetch('/favicon.ico')).status).toBe(200);
});

test('files of the browser were compressed when they were built, and are sent so to whoever reads that', async () => {
  const asset = /\/assets\/[^"]+\.css/.exec(await (await web.fetch('/login')).text())![0];
  const sent = (encodings: string) =>
    new Promise<{ encoding: string | undefined; vary: string | undefined; type: string | undefined; body: Buffer }>(
      (resolve, reject) => {
        request(`${web.base}${asset}`, { headers: { 'Accept-Encoding': encodings } }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('end', () =>
            resolve({
              encoding: response.headers['content-encoding'],
              vary: response.headers.vary,
              type: response.headers['content-type'],
              body: Buffer.concat(parts),
            }),
          );
        })
          .once('error', reject)
          .end();
      },
    );
  const [small, plain] = [await sent('gzip, deflate, br'), await sent('identity')];
  const built = readFileSync(join(folderOf('web'), 'client', asset));
  expect([small.encoding, small.type, small.vary]).toEqual(['br', 'text/css; charset=UTF-8', 'Accept-Encoding']);
  expect(brotliDecompressSync(small.body).equals(built)).toBe(true);
  expect([plain.encoding, plain.type, plain.vary]).toEqual([undefined, 'text/css; charset=UTF-8', 'Accept-Encoding']);
  expect(plain.body.equals(built)).toBe(true);
  expect(small.body.length).toBeLessThan(built.length / 4);
});

test('addresses nobody understands are answered, not feared', async () => {
  expect((await web.fetch('/%E0%A4%A')).status).toBe(400);
  expect((await web.fetch('/no/existe')).status).toBe(418);
  expect((await web.fetch('/sa/no-existe')).status).toBe(418);
  expect((await web.fetch('/login', { method: 'PUT', body: 'x' })).status).toBe(405);
  expect(
    (await web.fetch('/login', { method: 'POST', body: 'x', headers: { 'Content-Type': 'application/json' } })).status,
  ).toBe(415);
  expect(
    (
      await web.fetch('/login', {
        method: 'POST',
        body: 'x',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      })
    ).status,
  ).toBe(400);
  expect((await web.post('/terminosYCondiciones', {})).status).toBe(405);
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(web.base).port), '127.0.0.1', () => socket.write('BASURA\r\n\r\n'));
    let said = '';
    socket.on('data', (chunk) => (said += chunk)).on('close', () => resolve(said));
  });
  expect(raw).toMatch(/^HTTP\/1\.1 400/);
});

test('the log tells what was asked and never who, with what or with which secret', async () => {
  const cookie = await web.session('admin');
  await web.fetch('/admin/usuarios?q=Nombre', { cookie });
  await web.login('admin', { password: 'Equivocada#9' });
  await web.post('/avisos/mercadolibre/secreto-de-prueba', {});
  await web.fetch('/facturacion/tokendeunaclienta');
  const opened = () => web.lines.filter(({ ruta, status }) => ruta === '/admin/usuarios' && status === 200);
  await expect.poll(() => opened().length).toBe(1);
  await expect.poll(() => web.lines.some(({ ruta }) => ruta === '/facturacion/:secreto')).toBe(true);
  const text = JSON.stringify(web.lines);
  for (const secret of [
    PASSWORD,
    'Equivocada#9',
    cookie.slice('sesion='.length),
    'Nombre',
    'secreto-de-prueba',
    'tokendeunaclienta',
    '@ejemplo',
  ])
    expect(text).not.toContain(secret);
  expect(opened()).toHaveLength(1);
});

test('tokens of customers and of webhooks are masked wherever they stand', () => {
  expect(maskPath('/facturacion/abc')).toBe('/facturacion/:secreto');
  expect(maskPath('/FACTURACION/abc')).toBe('/FACTURACION/:secreto');
  expect(maskPath('/datosEnvio/abc.data')).toBe('/datosEnvio/:secreto');
  expect(maskPath('/avisos/mercadolibre/abc')).toBe('/avisos/mercadolibre/:secreto');
  expect(maskPath('/sa/facturacion/019a0000-0000-7000-8000-000000000000')).toBe(
    '/sa/facturacion/019a0000-0000-7000-8000-000000000000',
  );
  expect(maskPath('/x/yqYcSfhWWzPouKjV4IGNTk6YrHHeN8IK4soJwYlw3Rt')).toBe('/x/:largo');
});

test('health says what is missing: first the worker, then nothing', async () => {
  const { db } = testDatabase();
  const sick = await web.fetch('/healthcheck');
  expect([sick.status, await sick.json()]).toEqual([503, { web: 'ok', database: 'ok', worker: 'sin latido' }]);
  await db.insertInto('workerHeartbeat').values({ workerId: 'w1', pid: 1 }).execute();
  const healthy = await web.fetch('/healthcheck');
  expect([healthy.status, await healthy.json()]).toEqual([200, { web: 'ok', database: 'ok', worker: 'ok' }]);
});

test('how it stands inside is told to who sees to it, and to what watches from this machine with its token', async () => {
  const looks = async (at: Web, sent: Sent) => {
    const { detalles } = (await (await at.fetch('/healthcheck', sent)).json()) as { detalles?: object };
    return detalles && Object.keys(detalles).sort();
  };
  const inside = ['avisos', 'discoLibreMb', 'relojAdelantoMs'];
  for (const rol of ROLES)
    expect([rol, await looks(web, { cookie: await web.session(rol) })]).toEqual([
      rol,
      ['sa', 'admin'].includes(rol) ? inside : undefined,
    ]);
  expect(await looks(web, { headers: { Authorization: 'Bearer ' } })).toBeUndefined();

  const bearer = (token: string, from?: string) =>
    looks(vigilada, { headers: { Authorization: `Bearer ${token}`, ...(from && { 'X-Forwarded-For': from }) } });
  expect(await bearer('un-token-de-prueba')).toEqual(inside);
  expect(await bearer('otro-token-de-prueba')).toBeUndefined();
  expect(await bearer('un-token-de-prueba', '203.0.113.9')).toBeUndefined();
  await vigilada.stop();
});

test('what somebody has to see to stands over every screen of those who can, with what to do and where', async () => {
  const { db } = testDatabase();
  const texto = 'Las llaves de factura.com dejaron de servir.';
  const remedio = 'Vuelve a guardar sus llaves en Activación de API.';
  await db
    .insertInto('condicion')
    .values({ clave: 'llaves', nivel: 'grave', texto, remedio, pantalla: 'tokens' })
    .execute();
  for (const rol of ROLES) {
    const html = await (await web.fetch(`/${rol}/datosUsuario`, { cookie: await web.session(rol) })).text();
    const told = ['sa', 'admin'].includes(rol);
    expect([rol, html.includes(texto), html.includes(remedio)]).toEqual([rol, told, told]);
    if (told) expect(html).toMatch(new RegExp(`<a[^>]*href="/${rol}/tokens"[^>]*>Abrir `));
    // A grave one stands over the screen, and any other hangs from the bar, where it takes no place from the work.
    expect(html.includes('class="desplegable avisos"')).toBe(false);
  }
  await db.updateTable('condicion').set({ nivel: 'aviso' }).execute();
  const html = await (await web.fetch('/sa/datosUsuario', { cookie: await web.session('sa') })).text();
  const [bar, page] = html.split('<main');
  expect([bar!.includes(texto), bar!.includes(remedio), page!.includes(`<strong>${texto}`)]).toEqual([
    true,
    true,
    false,
  ]);
  await db.deleteFrom('condicion').execute();
});

test('a failure shows its incident and never its stack', async () => {
  const cookie = await web.session('sa');
  const { db: owner } = ownerDatabase();
  await sql`alter table usuario rename column busqueda to perdida`.execute(owner);
  const broken = await web.fetch('/sa/usuarios?q=x', { cookie });
  await sql`alter table usuario rename column perdida to busqueda`.execute(owner);
  const html = await broken.text();
  const id = broken.headers.get('X-Request-Id')!;
  expect(broken.status).toBe(500);
  expect(html).toContain('Uuups! ocurrió un problema, por favor intentalo más tarde.');
  expect(html).toContain(id);
  expect(html).not.toMatch(/busqueda|select |node_modules|\.ts:\d/);
  expect(web.lines.find((line) => line.level === 'error' && line.incidente === id)?.error).toContain('busqueda');
});

test('who asks for the link by message needs no amount, and reads the same whatever the number is', async () => {
  const answer = await web.post('/?index', {
    formulario: 'facturar',
    intent: 'mensaje',
    numOrden: '2000001111111111',
    monto: '',
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(POR_MENSAJE);
});

test('without a trusted proxy nobody chooses their own address', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) {
    statuses.push((await web.login('cont', { password: 'Equivocada#9' })).status);
    statuses.push(
      (
        await web.post(
          '/login',
          { intent: 'entrar', usuario: 'cont', password: 'Equivocada#9' },
          { headers: { 'X-Forwarded-For': `10.9.9.${at}` } },
        )
      ).status,
    );
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
  const waiting = await web.login('cont');
  expect(Number(waiting.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await waiting.text()).toMatch(/Demasiados intentos\. Espera \d+ minutos?/);
});

test('a browser somebody entered with is let in while a stranger waits', async () => {
  const first = await web.login('aux');
  const cookie = cookieOf(first, 'dispositivo');
  for (let at = 0; at < 5; at += 1) await web.login('aux', { password: 'Equivocada#9' });
  expect((await web.login('aux')).status).toBe(429);
  const known = await web.post(
    '/login',
    { intent: 'entrar', usuario: 'aux', password: PASSWORD },
    { headers: { Cookie: cookie } },
  );
  expect(known.status).toBe(302);
});

test('behind https cookies are Secure and the browser is told to stay', async () => {
  const behind = await Web.start({ APP_URL: 'https://trastienda.example', PROXY_HOPS: '1' });
  try {
    const answer = await behind.login('sa', {});
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie()).toHaveLength(2);
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly; Secure/);
    expect(answer.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    const proxied = await behind.post(
      '/login',
      { intent: 'entrar', usuario: 'sa', password: PASSWORD },
      { headers: { Origin: 'https://trastienda.example', 'X-Forwarded-Proto': 'https' } },
    );
    expect(proxied.status).toBe(302);
  } finally {
    await behind.stop();
  }
});

test('asked to stop, it finishes what it has in hand, takes nothing new and ends', async () => {
  const { db } = testDatabase();
  const own = await Web.start();
  const cookie = await own.session('sa');
  // A statement of ours holds the table, so the page has to wait for it.
  let release = () => {};
  let held = Promise.resolve();
  await new Promise<void>((locked) => {
    held = db.transaction().execute(async (trx) => {
      await sql`lock table usuario in access exclusive mode`.execute(trx);
      await new Promise<void>((resolve) => {
        release = resolve;
        locked();
      });
    });
  });
  const page = own.fetch('/sa/usuarios', { cookie });
  const waiting = () =>
    sql`select from pg_locks join pg_database d on d.oid = database where not granted and datname = current_database()`.execute(
      db,
    );
  await expect.poll(async () => (await waiting()).rows.length, { timeout: 20_000 }).toBe(1);
  const stopped = own.stop();
  const another = () =>
    own.fetch('/login').then(
      () => 'taken',
      () => 'refused',
    );
  await expect.poll(another, { timeout: 10_000 }).toBe('refused');
  release();
  await held;
  expect((await page).status).toBe(200);
  expect(await stopped).toBe(0);
});

test('an old client signs in, reads a list, sends a file and takes its PDFs, over the wire', async () => {
  const { db } = testDatabase();
  const { id: producto } = await buildProductoDeStock(db);
  const call = async (method: string, path: string, body?: FormData | object, token?: string) =>
    fetch(web.base + path, {
      method,
      body: body instanceof FormData ? body : body && JSON.stringify(body),
      headers: {
        ...(body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
  const wrong = await call('POST', '/api/usuario/login', { user: 'sa', password: 'no' });
  expect([wrong.status, await wrong.json()]).toMatchObject([200, { error: true }]);
  const signed = await call('POST', '/api/usuario/login', { user: 'sa', password: PASSWORD });
  const { token } = (await signed.json()) as { token: string };
  const people = (await (await call('GET', '/api/usuarios', undefined, token)).json()) as { user: string }[];
  expect(people.map(({ user }) => user)).toEqual(expect.arrayContaining([...ROLES]));

  const form = new FormData();
  form.set('body', JSON.stringify({ producto, cantidad: 1, cost: 10, folioF: 'F-1', factura: { supplier: 'syscom' } }));
  form.set('files', unPdf('de la pieza'));
  const [folio] = (await (await call('POST', '/api/internalStock', form, token)).json()) as string[];
  const { _id } = (await (await call('GET', `/api/internalStocks/${folio}/${token}`)).json()) as { _id: string };
  const { factura } = (await (await call('GET', `/api/internalStocks/file/${_id}`, undefined, token)).json()) as {
    factura: { file: { buffer: { data: number[] } } };
  };
  expect(Buffer.from(factura.file.buffer.data).toString()).toBe('%PDF-1.4 de la pieza');
  const labels = await call('POST', '/api/internalStock/qr', { folios: [folio] }, token);
  const { pdf } = (await labels.json()) as { pdf: { data: number[] } };
  expect(Buffer.from(pdf.data).subarray(0, 5).toString()).toBe('%PDF-');
});

test('leaving needs a yes, ends the session for good, and says so to the cookie', async () => {
  const cookie = await web.session('user');
  const asked = await web.post('/salir', { intent: 'salir' }, { cookie });
  expect([asked.status, await asked.text()]).toEqual([
    200,
    expect.stringContaining('¿Estas seguro de cerrar la sesión?'),
  ]);
  expect((await web.fetch('/user', { cookie })).status).toBe(200);
  const left = await web.post('/salir', { intent: 'salir', confirmado: '1' }, { cookie });
  expect(left.headers.get('Location')).toBe('/login?salida=aqui');
  expect(cookieOf(left)).toBe('sesion=');
  expect((await web.fetch('/user', { cookie })).headers.get('Location')).toContain('/login');
});
