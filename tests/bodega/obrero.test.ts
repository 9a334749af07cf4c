import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const ORIGEN = 'http://trastienda.test';
const CASCARON = '/user/bodega/cascaron';
const PAGINA = (version: string) =>
  `<!doctype html><link rel="icon" href="/favicon.svg"><script type="module" src="/assets/bodega-${version}.js"></script><img src="/siqr/x">`;

type Evento = { waitUntil(work: Promise<unknown>): void };
type Pide = { request: { url: string; method: string; mode: string }; respondWith(answer: Promise<Response>): void };
const oyentes = new Map<string, (event: never) => void>();
const clientes = { claim: vi.fn(async () => undefined) };
const skipWaiting = vi.fn(async () => undefined);

/** Cache Storage of one browser, by path. */
class Caja {
  readonly guarda = new Map<string, Response>();
  private readonly pathOf = (request: string | { url: string }) =>
    new URL(typeof request === 'string' ? request : request.url, ORIGEN).pathname;
  keys = async () => [...this.guarda.keys()].map((path) => ({ url: ORIGEN + path }));
  async addAll(paths: string[]) {
    for (const path of paths) this.guarda.set(path, await fetch(path));
  }
  put = async (request: string, answer: Response) => void this.guarda.set(this.pathOf(request), answer);
  delete = async (path: string) => this.guarda.delete(this.pathOf(path));
  match = async (request: string | { url: string }) => this.guarda.get(this.pathOf(request))?.clone();
}
const cajas = new Map<string, Caja>();
const caja = () => [...cajas.values()][0]!;

let red: (path: string) => Response | Promise<Response>;
const asked: string[] = [];
const sinRed = () => Promise.reject(new TypeError('Failed to fetch'));
const comoServidor = (version: string) => (path: string) =>
  new Response(path === CASCARON ? PAGINA(version) : `${version} ${path}`);

const STUBS = {
  self: {
    registration: { scope: `${ORIGEN}/user/bodega` },
    location: new URL(ORIGEN),
    clients: clientes,
    skipWaiting,
    addEventListener: (name: string, then: (event: never) => void) => void oyentes.set(name, then),
  },
  caches: {
    open: async (name: string) => {
      if (!cajas.has(name)) cajas.set(name, new Caja());
      return cajas.get(name)!;
    },
  },
  fetch: async (request: string | { url: string }) => {
    const path = new URL(typeof request === 'string' ? request : request.url, ORIGEN).pathname;
    asked.push(path);
    return red(path);
  },
};
const known = Object.keys(STUBS).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

beforeAll(async () => {
  for (const [name, value] of Object.entries(STUBS))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  // Its file exports nothing: it is run.
  const obrero = '../../app/bodega/obrero.ts';
  await import(/* @vite-ignore */ obrero);
});
afterAll(() => {
  for (const [name, was] of known)
    if (was) Object.defineProperty(globalThis, name, was);
    else Reflect.deleteProperty(globalThis, name);
});
beforeEach(async () => {
  cajas.clear();
  red = comoServidor('v1');
  await happens('install');
  asked.length = 0;
});

async function happens(name: 'install' | 'activate' | 'message'): Promise<void> {
  const works: Promise<unknown>[] = [];
  oyentes.get(name)!({ waitUntil: (work) => void works.push(work) } as Evento as never);
  await Promise.all(works);
}

/** What the browser gets for it; undefined where the worker leaves the request to the browser. */
async function opens(url: string, { method = 'GET', mode = 'navigate' } = {}): Promise<Response | undefined> {
  let answer: Promise<Response> | undefined;
  const request = { url: new URL(url, ORIGEN).href, method, mode };
  oyentes.get('fetch')!({ request, respondWith: (given) => void (answer = given) } satisfies Pide as never);
  return answer;
}

test('the phone keeps the shell of the warehouse and the files that it names, and nothing else', () => {
  expect([...caja().guarda.keys()].sort()).toEqual(['/assets/bodega-v1.js', '/favicon.svg', CASCARON]);
  expect(skipWaiting).toHaveBeenCalled();
});

test('the warehouse opens without signal, and behind a proxy that finds nobody', async () => {
  const waysToBeAway = [sinRed, ...[502, 503, 504].map((status) => () => new Response('proxy', { status }))];
  for (const away of waysToBeAway) {
    red = away;
    expect(await (await opens('/user/bodega'))!.text()).toBe(PAGINA('v1'));
  }
});

test('with signal the page is the one of the server, its refusals too', async () => {
  red = () => new Response('de Ana', { status: 200 });
  expect(await (await opens('/user/bodega'))!.text()).toBe('de Ana');
  red = () => new Response('incidente', { status: 500 });
  expect((await opens('/user/bodega'))!.status).toBe(500);
});

test('a phone that kept nothing says that there is no network, and shows what a proxy says', async () => {
  cajas.clear();
  red = sinRed;
  expect((await opens('/user/bodega'))!.type).toBe('error');
  red = () => new Response('proxy', { status: 502 });
  expect((await opens('/user/bodega'))!.status).toBe(502);
});

test('files of the page come out of the phone; a file that is not kept is asked for', async () => {
  red = comoServidor('v2');
  expect(await (await opens('/assets/bodega-v1.js', { mode: 'no-cors' }))!.text()).toBe('v1 /assets/bodega-v1.js');
  expect(asked).toEqual([]);
  expect(await (await opens('/assets/otra.js', { mode: 'no-cors' }))!.text()).toBe('v2 /assets/otra.js');
});

test('presses, other screens and other sites are none of its business', async () => {
  expect(await opens('/user/bodega/enviar', { method: 'POST', mode: 'cors' })).toBeUndefined();
  expect(await opens('/user/bodega/leer?texto=A-1', { mode: 'cors' })).toBeUndefined();
  expect(await opens('/user/stockInterno')).toBeUndefined();
  expect(await opens('https://malo.test/assets/x.js', { mode: 'no-cors' })).toBeUndefined();
});

test('a newer page replaces the kept one with its files, and asks only for the new ones', async () => {
  red = comoServidor('v2');
  await happens('message');
  expect(asked).toEqual([CASCARON, '/assets/bodega-v2.js']);
  expect([...caja().guarda.keys()].sort()).toEqual(['/assets/bodega-v2.js', '/favicon.svg', CASCARON]);
});

test('a page that says it is newer while there is no signal, or nobody signed in, leaves what is kept', async () => {
  for (const away of [sinRed, () => new Response('Entra', { status: 401 })]) {
    red = away;
    await happens('message');
  }
  red = () => Object.defineProperty(new Response('<h1>Entrar</h1>'), 'redirected', { value: true });
  await happens('message');
  expect([...caja().guarda.keys()].sort()).toEqual(['/assets/bodega-v1.js', '/favicon.svg', CASCARON]);
  expect(await caja().guarda.get(CASCARON)!.clone().text()).toBe(PAGINA('v1'));
});

test('a shell that cannot be read whole is not installed', async () => {
  red = () => new Response('Entra', { status: 401 });
  await expect(happens('install')).rejects.toThrow('no hay quien abra la bodega');
});

test('pages that are open already are taken over at once', async () => {
  await happens('activate');
  expect(clientes.claim).toHaveBeenCalled();
});
