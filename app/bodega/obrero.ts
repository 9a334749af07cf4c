type Espera = Event & { waitUntil(work: Promise<unknown>): void };
type Pide = Event & { request: Request; respondWith(answer: Promise<Response>): void };
/** Types of a service worker; the project's DOM types describe only a page. */
type Obrero = {
  registration: { scope: string };
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate' | 'message', then: (event: Espera) => void): void;
  addEventListener(name: 'fetch', then: (event: Pide) => void): void;
};
const sw = self as unknown as Obrero;
const base = new URL(sw.registration.scope).pathname;
const cascaron = `${base}/cascaron`;
const CAJA = `bodega:${base}`;

/** Caches the shell of the page and the files named there. Other screens, people and pieces are never cached. */
async function save(): Promise<void> {
  const answer = await fetch(cascaron, { cache: 'no-store' });
  if (!answer.ok || answer.redirected) throw new Error('no hay quien abra la bodega');
  const html = await answer.clone().text();
  const files = new Set(html.match(/\/(?:assets\/[\w.-]+|favicon\.svg)/g) ?? []);
  const caja = await caches.open(CAJA);
  const kept = (await caja.keys()).map(({ url }) => new URL(url).pathname);
  await caja.addAll([...files].filter((path) => !kept.includes(path)));
  await caja.put(cascaron, answer);
  await Promise.all(kept.filter((path) => path !== cascaron && !files.has(path)).map((path) => caja.delete(path)));
}

sw.addEventListener('install', (event) => event.waitUntil(save().then(() => sw.skipWaiting())));
sw.addEventListener('activate', (event) => event.waitUntil(sw.clients.claim()));
// A page announces itself after loading, so a newer shell replaces the cached shell.
sw.addEventListener('message', (event) => event.waitUntil(save().catch(() => undefined)));

const delCascaron = async (request: Request | string) => (await caches.open(CAJA)).match(request);

async function openCache(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => undefined);
  // The answer of a proxy without a server behind counts as no signal.
  if (answer && ![502, 503, 504].includes(answer.status)) return answer;
  return (await delCascaron(cascaron)) ?? answer ?? Response.error();
}

sw.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== sw.location.origin) return;
  if (request.mode === 'navigate' && pathname === base) event.respondWith(openCache(request));
  else if (pathname.startsWith('/assets/'))
    event.respondWith(delCascaron(request).then((kept) => kept ?? fetch(request)));
});
