import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { flatten, keepPageWithoutNetwork, readRed, retry } from '~/ui/red';
import { keepPageAtLinks } from '~/ui/enlaces';
import { sinRecargar } from '../../bin/lib/sinRecargar.mjs';

/** The router's own reader, as it is shipped with it. */
const { decode } = createRequire(createRequire(import.meta.url).resolve('@remix-run/react'))('turbo-stream') as {
  decode(stream: ReadableStream<Uint8Array>): Promise<{ value: unknown }>;
};
const read = async (text: string) => (await decode(new Response(text).body!)).value;

const POST = { method: 'POST', body: new URLSearchParams({ intent: 'guardar', formulario: 'cliente-nuevo' }) };
let network: (input: unknown) => Promise<Response>;
const known = globalThis.window;

beforeEach(() => {
  const reach = (input: unknown) => network(input);
  globalThis.window = Object.assign(new EventTarget(), {
    fetch: reach,
    location: {
      href: 'http://trastienda.test/sa/facturacion',
      pathname: '/sa/facturacion',
      search: '',
      origin: 'http://trastienda.test',
    },
  }) as never;
  keepPageWithoutNetwork();
  keepPageAtLinks();
});
afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.window = known;
});

test('what is answered in the place of the server is read by the router as one of its own', async () => {
  const answer = {
    data: { status: 'error', error: { '': ['uno', 'dos'] }, sinRed: true, nada: null, n: 3, lista: [] },
  };
  expect(await read(flatten(answer))).toEqual(answer);
});

test('a form that the network loses is answered as a refusal of that form, and the page knows', async () => {
  network = () => Promise.reject(new TypeError('Failed to fetch'));
  const answer = await window.fetch('/sa/facturacion.data?borrador=1', POST);
  expect(answer.status).toBe(503);
  expect(await read(await answer.text())).toMatchObject({
    data: { status: 'error', formId: 'cliente-nuevo', sinRed: true, titulo: 'Error.' },
  });
  expect(readRed().perdida).toBe(true);
  network = () => Promise.resolve(new Response('', { status: 200 }));
  await window.fetch('/sa/facturacion.data', POST);
  expect(readRed().perdida).toBe(false);
});

test('what stands in for a server that is away is no answer; what the server says is', async () => {
  network = () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect((await window.fetch('/sa/facturacion.data', POST)).headers.get('X-Remix-Response')).toBe('yes');
  network = () => Promise.resolve(new Response('suyo', { status: 503, headers: { 'X-Remix-Response': 'yes' } }));
  expect(await (await window.fetch('/sa/facturacion.data', POST)).text()).toBe('suyo');
});

test('what is only read is asked for until it comes, or until nobody wants it any more', async () => {
  let asked = 0;
  network = () => {
    asked++;
    return asked < 3 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response('hola'));
  };
  const waiting = window.fetch('/sa/ordenes.data');
  const back = setInterval(() => window.dispatchEvent(new Event('online')), 10);
  expect(await (await waiting).text()).toBe('hola');
  clearInterval(back);
  expect(asked).toBe(3);

  network = () => Promise.reject(new TypeError('Failed to fetch'));
  const elsewhere = new AbortController();
  const left = window.fetch('/sa/ordenes.data', { signal: elsewhere.signal });
  setTimeout(() => elsewhere.abort(new DOMException('left', 'AbortError')), 20);
  await expect(left).rejects.toThrow('left');
});

test('what a screen asks by itself is its own matter, and the page learns from it that the network went and came', async () => {
  network = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(window.fetch('/sa/codigosPostales/06700')).rejects.toThrow('Failed to fetch');
  await vi.waitFor(() => expect(readRed().perdida).toBe(true));
  network = () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await window.fetch('/sa/novedades');
  await ask();
  expect(readRed().perdida).toBe(true);
  network = () => Promise.resolve(new Response('[]'));
  await window.fetch('/sa/novedades');
  await vi.waitFor(() => expect(readRed().perdida).toBe(false));
});

const ask = () => new Promise((over) => setTimeout(over, 5));

test('a browser that says it is offline is asked whether our server is', async () => {
  network = () => Promise.resolve(new Response(''));
  window.dispatchEvent(new Event('offline'));
  await new Promise((over) => setTimeout(over, 5));
  expect(readRed().perdida, 'a server on this machine').toBe(false);
  network = () => Promise.reject(new TypeError('Failed to fetch'));
  window.dispatchEvent(new Event('offline'));
  await vi.waitFor(() => expect(readRed().perdida).toBe(true));
  network = () => Promise.resolve(new Response(''));
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(readRed().perdida).toBe(false));
});

/** What the page runs, what the router opens, and what the browser was told to open. */
function pageOf(version: string, navigation: object) {
  const opened: string[] = [];
  Object.assign(window, {
    __remixManifest: { version },
    __remixRouter: { state: { location: { pathname: '/sa/clientes', search: '' }, navigation } },
  });
  vi.stubGlobal('location', {
    pathname: '/sa/clientes',
    search: '',
    assign: (address: string) => opened.push(address),
  });
  return opened;
}
const to = (pathname: string, search = '') => ({ pathname, search, hash: '' });

test('a page of another version is opened by the browser, with none of its data drawn here', async () => {
  const opened = pageOf('una', { state: 'loading', location: to('/sa/ordenes', '?q=a') });
  const asked: (string | null)[] = [];
  globalThis.window.fetch = ((_input: unknown, init?: RequestInit) => {
    asked.push(new Headers(init?.headers).get('X-Construccion'));
    return Promise.resolve(new Response(null, { status: 204, headers: { 'X-Construccion': 'otra' } }));
  }) as never;
  keepPageWithoutNetwork();
  const reading = window.fetch('/sa/ordenes.data?q=a').then(() => 'drawn');
  expect(await Promise.race([reading, new Promise((late) => setTimeout(late, 50, 'held'))])).toBe('held');
  expect([asked, opened]).toEqual([['una'], ['/sa/ordenes?q=a']]);
});

test('what the page says of its version: with each form, and of what it reads only where it opens another page, so the answer of a form is never lost', async () => {
  const asked: (string | null)[] = [];
  globalThis.window.fetch = ((_input: unknown, init?: RequestInit) => {
    asked.push(new Headers(init?.headers).get('X-Construccion'));
    return Promise.resolve(new Response('hola', { headers: { 'X-Construccion': 'otra' } }));
  }) as never;
  keepPageWithoutNetwork();
  const opened: string[][] = [];
  for (const [navigation, init] of [
    [{ state: 'idle' }, undefined],
    [{ state: 'loading', location: to('/sa/clientes'), formMethod: 'POST' }, undefined],
    [{ state: 'loading', location: to('/sa/ordenes') }, POST],
  ] as const) {
    opened.push(pageOf('una', navigation));
    await window.fetch('/sa/clientes.data', init);
  }
  expect([asked, opened.flat()]).toEqual([[null, null, 'una'], []]);
});

describe('a screen whose files do not arrive', () => {
  const filesFail = () => (window as unknown as { sinArchivos(): boolean }).sinArchivos();

  test('is opened by the browser once the server answers, and not before', async () => {
    const opened = pageOf('una', { state: 'loading', location: to('/sa/facturasProveedores', '?q=a') });
    network = () => Promise.reject(new TypeError('Failed to fetch'));
    filesFail();
    await vi.waitFor(() => expect(readRed().perdida).toBe(true));
    expect(opened).toEqual([]);
    network = () => Promise.resolve(new Response(''));
    retry.now();
    await vi.waitFor(() => expect(opened).toEqual(['/sa/facturasProveedores?q=a']));
  });

  test('is left alone when the person went elsewhere meanwhile', async () => {
    const opened = pageOf('una', { state: 'loading', location: to('/sa/facturasProveedores') });
    network = () => Promise.reject(new TypeError('Failed to fetch'));
    filesFail();
    await vi.waitFor(() => expect(readRed().perdida).toBe(true));
    pageOf('una', { state: 'loading', location: to('/sa/ordenes') });
    network = () => Promise.resolve(new Response(''));
    retry.now();
    await ask();
    expect(opened).toEqual([]);
  });

  test('is told by the file of Remix that would reload the page', async () => {
    const at = createRequire(import.meta.url)
      .resolve('@remix-run/react')
      .replace(/dist.*$/, 'dist/esm/routeModules.js');
    const { transform } = sinRecargar() as unknown as {
      transform(this: { error(text: string): never }, code: string, id: string): { code: string };
    };
    const error = (text: string): never => {
      throw new Error(text);
    };
    const { code } = transform.call({ error }, readFileSync(at, 'utf8'), at);
    expect(code).toContain('window.sinArchivos?.() || window.location.reload();');
    const opened = pageOf('una', { state: 'idle' });
    network = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(filesFail(), 'nobody reloads').toBe(true);
    network = () => Promise.resolve(new Response(''));
    await ask();
    retry.now();
    await vi.waitFor(() => expect(opened).toHaveLength(1));
    expect(() => transform.call({ error }, 'another Remix', at)).toThrow('does not hold once');
  });
});

test('the routes of a link that is pressed are asked for until they come, and those of links in sight are not', async () => {
  let asked = 0;
  network = () => {
    asked++;
    return asked < 3 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response('{}'));
  };
  pageOf('una', { state: 'idle' });
  await expect(window.fetch('/__manifest?p=/sa/pagos')).rejects.toThrow('Failed to fetch');
  asked = 0;
  pageOf('una', { state: 'loading', location: to('/sa/pagos') });
  const waiting = window.fetch('/__manifest?p=/sa/pagos');
  const back = setInterval(() => window.dispatchEvent(new Event('online')), 10);
  expect((await waiting).status).toBe(200);
  clearInterval(back);
});
