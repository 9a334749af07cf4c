import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flatten, keepPageWithoutNetwork, readRed } from '~/ui/red';

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
    location: { href: 'http://trastienda.test/sa/facturacion', origin: 'http://trastienda.test' },
  }) as never;
  keepPageWithoutNetwork();
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

test('what a screen asks by itself is its own matter', async () => {
  network = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(window.fetch('/sa/codigosPostales/06700')).rejects.toThrow('Failed to fetch');
});

/** What the page runs, what the router opens, and what the browser was told to open. */
function pageOf(version: string, navigation: object) {
  const opened: string[] = [];
  Object.assign(window, {
    __remixManifest: { version },
    __remixRouter: { state: { location: { pathname: '/sa/clientes', search: '' }, navigation } },
  });
  vi.stubGlobal('location', { assign: (address: string) => opened.push(address) });
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

test('what the page says of its version: only where it opens another one, so the answer of a form is never lost', async () => {
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
  expect([asked, opened.flat()]).toEqual([[null, null, null], []]);
});
