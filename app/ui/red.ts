import { FALLO } from '~/core/errors';
import { CONSTRUCCION } from '~/core/construccion';
import type { Answer } from '~/core/submission';
import { openAnew, ownVersion, pageOnItsWay } from './otraVersion';

/** Whether the server can be reached, as far as the last request told, and what could not be opened meanwhile. */
type Red = { perdida: false } | { perdida: true; desde: number; que?: string | undefined };

let red: Red = { perdida: false };
const listeners = new Set<() => void>();

function tell(now: Red) {
  red = now;
  for (const listener of listeners) listener();
}
const lost = () => void (red.perdida || tell({ perdida: true, desde: Date.now() }));
const found = () => void (red.perdida && tell({ perdida: false }));
/** The browser's own way to the server, before this page stood in between. */
let reach: typeof fetch;
/** Asks whether the server can be reached. */
export const probe = (): Promise<void> =>
  reach('/healthcheck', { method: 'HEAD' }).then(({ status }) => (AWAY.has(status) ? lost : found)(), lost);

export const readRed = () => red;
export function subscribeRed(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
/** Tells what could not be opened without a network. */
export const tellClosed = (que: string | undefined) => void (red.perdida && tell({ ...red, que }));
/** What 'Reintentar' does: asks again at once for what the page is waiting for. */
export const retry: { now: () => unknown } = { now: () => {} };

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000];
/** The statuses by which a proxy says that the server is away. */
const AWAY = new Set([502, 503, 504]);

/**
 * Keeps the page when a request of the router fails. The router would replace the page by an error, with everything typed. A sent form gets the answer of a
 * refusal instead: the form stays, says so, and the same press works later. A reading is repeated until it arrives or the person goes elsewhere; the page stays
 * as it was.
 *
 * A page that the router opens with the data of another version would draw them with files of its own: the browser opens that page instead.
 */
export function keepPageWithoutNetwork(): void {
  reach = window.fetch.bind(window);
  window.addEventListener('online', () => void probe());
  window.fetch = async (input, init) => {
    const manifest = isManifest(input);
    const reads = (init?.method ?? 'GET') === 'GET';
    const opening = reads ? pageOnItsWay() : undefined;
    if (manifest ? !opening : !isOfRouter(input)) return reach(input, init);
    // A form says it too, so that its refusal is about what its page has.
    const said = (opening && !manifest) || !reads ? { ...init, headers: withVersion(init?.headers) } : init;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await reach(input, said);
        // The server has another version, and read nothing. The router would leave by itself and ask about what was typed.
        if (opening && answer.status === 204) return await openAnew(opening);
        if (!AWAY.has(answer.status) || answer.headers.has('X-Remix-Response')) {
          found();
          return answer;
        }
      } catch (error) {
        if (init?.signal?.aborted || !(error instanceof TypeError)) throw error;
      }
      lost();
      retry.now = probe;
      if (!reads) return unreached(init?.body);
      await pause(attempt, init?.signal);
    }
  };
}

function withVersion(headers: HeadersInit | undefined): Headers {
  const all = new Headers(headers);
  all.set(CONSTRUCCION, ownVersion());
  return all;
}

/** True for a request of the router. The router's requests have this ending; a screen handles its own requests. */
const isOfRouter = (input: RequestInfo | URL) => pathOf(input)?.endsWith('.data') ?? false;

/** True where the router asks for routes that it does not know yet. */
const isManifest = (input: RequestInfo | URL) => pathOf(input) === '/__manifest';

/** Returns the path of an address of ours; undefined for that of somebody else. */
export function pathOf(input: RequestInfo | URL): string | undefined {
  const url = new URL(input instanceof Request ? input.url : input, window.location.href);
  return url.origin === window.location.origin ? url.pathname : undefined;
}

/** Waits before one more attempt, or until the network is back. */
export function pause(attempt: number, signal?: AbortSignal | null): Promise<void> {
  const ms = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]!;
  return new Promise((go, fail) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal?.removeEventListener('abort', stop);
    };
    const stop = () => {
      over();
      fail(signal?.reason as Error);
    };
    const end = () => {
      over();
      go();
    };
    const timer = setTimeout(end, ms);
    retry.now = end;
    window.addEventListener('online', end);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  });
}

/** Returns the answer for a form whose request got no answer. */
function unreached(body: BodyInit | null | undefined): Response {
  const sent = body instanceof URLSearchParams || body instanceof FormData ? body : new URLSearchParams();
  const answer: Answer = {
    status: 'error',
    titulo: FALLO.titulo,
    error: { '': [FALLO.texto] },
    id: `sin-red-${performance.now()}`,
    formId: String(sent.get('formulario') ?? sent.get('intent') ?? ''),
    sinRed: true,
  };
  return new Response(flatten({ data: answer }), {
    // From status 400 on the router reads no data again.
    status: 503,
    headers: { 'X-Remix-Response': 'yes', 'Content-Type': 'text/x-script' },
  });
}

/** Returns a value in the router's format (turbo-stream): every value once, in a list, referred to by its index. */
export function flatten(value: unknown): string {
  const line: unknown[] = [];
  const put = (one: unknown): number => {
    const at = line.push(null) - 1;
    if (Array.isArray(one)) line[at] = one.map(put);
    else if (typeof one === 'object' && one !== null)
      line[at] = Object.fromEntries(Object.entries(one).map(([name, inner]) => [`_${put(name)}`, put(inner)]));
    else line[at] = one;
    return at;
  };
  put(value);
  return `${JSON.stringify(line)}\n`;
}
