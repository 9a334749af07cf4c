import { log } from '~/core/log.server';
import { describeTramo, trazar } from '~/core/traza.server';
import { capture } from './captura.server';
import { Unavailable, Uncertain, UnexpectedShape, Unsendable } from './errors';
import { noteFarClock } from './relojes.server';
import { countAnswer } from './respuestas.server';
import { routeOf } from './ruta';

/** Answer of an HTTP exchange; status and body are for each client to judge. */
export type HttpAnswer = { status: number; headers: Headers; body: Buffer };

export type HttpRequest = {
  /** Name of the far side and root of its addresses; captures are filed under both. */
  side: { name: string; root: string };
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer | FormData;
  timeoutMs?: number;
  maxBytes?: number;
  /** Observes the exchange, for the sealed record of an effect's attempt. */
  trace?: Trace;
};

/** Observer of an exchange. `status` is null without an answer, and bodies are text. */
export type Trace = (exchange: {
  method: string;
  url: string;
  requestBody: string;
  status: number | null;
  responseBody: string;
}) => void;

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Makes an HTTP exchange. Throws `Unavailable` when the request surely never arrived, `Uncertain` when the answer was
 * lost, `UnexpectedShape` when the answer exceeds `maxBytes`, and `Unsendable` for an address or a header of ours that
 * no request can have. Redirects are not followed. `timeoutMs` is 30 s by default, `maxBytes` 20 MB.
 */
export function exchange(request: HttpRequest): Promise<HttpAnswer> {
  const { side, method, url } = request;
  const labor = {
    nombre: `llamada ${side.name} ${method}`,
    clase: 'llama' as const,
    datos: { 'peer.service': side.name, 'http.request.method': method, 'url.template': pathOf(url, side.root) },
  };
  return trazar(labor, () => exchangeOnce(request));
}

const pathOf = (url: string, root: string) => (URL.canParse(url) ? routeOf(url, root).split('?')[0] : undefined);

async function exchangeOnce(request: HttpRequest): Promise<HttpAnswer> {
  const { side, method, url, headers = {}, body, timeoutMs = 30_000, maxBytes = 20 * 1024 * 1024, trace } = request;
  const record = (status: number | null, responseBody: string) =>
    trace?.({ method, url, requestBody: typeof body === 'string' ? body : '', status, responseBody });
  const prepared = prepare(url, {
    method,
    headers,
    body: body as RequestInit['body'],
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  let status: number | null = null;
  const began = performance.now();
  try {
    const response = await fetch(prepared);
    status = response.status;
    describeTramo({ 'http.response.status_code': status });
    countAnswer(side, method, url, status);
    noteFarClock(side.name, response.headers);
    const bytes = await readCapped(response, maxBytes);
    record(status, bytes.toString('utf8'));
    capture({ side, method, url, status, contentType: response.headers.get('content-type'), body: bytes });
    return { status, headers: response.headers, body: bytes };
  } catch (error) {
    record(status, '');
    throw error instanceof UnexpectedShape ? error : lossOf(error, status);
  } finally {
    const ruta = routeOf(url, side.root).split('?')[0]!;
    log.debug('llamada', { lado: side.name, metodo: method, ruta, status, ms: Math.round(performance.now() - began) });
  }
}

/** Returns a request that is ready to leave. */
function prepare(url: string, options: RequestInit): Request {
  try {
    return new Request(url, options);
  } catch (error) {
    throw new Unsendable(`no se pudo armar la llamada: ${(error as Error).message}`, error);
  }
}

/** Returns the failure of an exchange without an answer. */
function lossOf(error: unknown, status: number | null): Unavailable | Uncertain {
  const code = codeOf(error);
  if (code && NOT_SENT.has(code)) return new Unavailable(`sin conexión (${code})`, { cause: error });
  const words = code === 'TimeoutError' ? 'no contestó a tiempo' : `la conexión se cortó (${code ?? 'sin código'})`;
  return new Uncertain(words, { status: status ?? undefined, cause: error });
}

/** An answer whose body arrives as it is read. */
export type HttpStream = { status: number; headers: Headers; chunks: AsyncIterable<Uint8Array> };

/**
 * Downloads a body too large for memory, part by part. `timeoutMs` limits each part, not the whole. Throws as
 * `exchange`.
 */
export async function download({
  url,
  headers = {},
  timeoutMs = 30_000,
}: Pick<HttpRequest, 'url' | 'headers' | 'timeoutMs'>): Promise<HttpStream> {
  const control = new AbortController();
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => control.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  };
  const prepared = prepare(url, { headers, redirect: 'error', signal: control.signal });
  try {
    const response = await within(fetch(prepared));
    return { status: response.status, headers: response.headers, chunks: partsOf(response, within) };
  } catch (error) {
    throw lossOf(error, null);
  }
}

async function* partsOf(response: Response, within: <T>(work: Promise<T>) => Promise<T>): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const part = await within(reader.read()).catch((error: unknown) => {
        throw lossOf(error, response.status);
      });
      if (part.done) return;
      yield part.value as Uint8Array;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function readCapped(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes)
        throw new UnexpectedShape(`la respuesta pasa de ${maxBytes} bytes`, { status: response.status });
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError' || at.name === 'AbortError') return 'TimeoutError';
    const code = (at as NodeJS.ErrnoException).code;
    if (typeof code === 'string') return code;
  }
  return undefined;
}
