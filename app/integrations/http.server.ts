import { capture } from './captura.server';
import { Unavailable, Uncertain } from './errors';

/**
 * One HTTP exchange. It decides only what the wire decides: a request that surely never arrived is `Unavailable`,
 * one whose answer was lost is `Uncertain`. Status codes and bodies are each client's to judge.
 */
export type HttpAnswer = { status: number; headers: Headers; body: Buffer };

export type HttpRequest = {
  /** Whose answer it is, and where its addresses begin: what is captured is filed under them. */
  side: { name: string; root: string };
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer | FormData;
  timeoutMs?: number;
  maxBytes?: number;
  /** Observes the exchange, for the sealed record of an effect's attempt. */
  trace?: Trace;
};

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

export async function exchange(request: HttpRequest): Promise<HttpAnswer> {
  const { side, method, url, headers = {}, body, timeoutMs = 30_000, maxBytes = 20 * 1024 * 1024, trace } = request;
  const record = (status: number | null, responseBody: string) =>
    trace?.({ method, url, requestBody: typeof body === 'string' ? body : '', status, responseBody });
  let status: number | null = null;
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: body as RequestInit['body'],
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    const bytes = await readCapped(response, maxBytes);
    record(status, bytes.toString('utf8'));
    capture({ side, method, url, status, contentType: response.headers.get('content-type'), body: bytes });
    return { status, headers: response.headers, body: bytes };
  } catch (error) {
    record(status, '');
    const code = codeOf(error);
    if (code && NOT_SENT.has(code)) throw new Unavailable(`sin conexión (${code})`, { cause: error });
    throw new Uncertain(
      code === 'TimeoutError' ? 'no contestó a tiempo' : `la conexión se cortó (${code ?? 'sin código'})`,
      {
        status: status ?? undefined,
        cause: error,
      },
    );
  }
}

async function readCapped(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error(`answer over ${maxBytes} bytes`);
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
