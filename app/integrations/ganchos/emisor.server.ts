import http from 'node:http';
import https from 'node:https';
import { direccionesOf, onlyTo, orAborted, RedPrivada, type Direccion, type Resolver } from './direccion.server';

/** Result of a try. `status` is null without an answer. */
export type Intento = { ok: boolean; status: number | null; detalle: string | null };
/** A signed notice to a receiver. */
export type Aviso = { url: string; headers: Record<string, string>; body: string };
/** A sender of notices. `send` never throws; `close` ends open connections. */
export type Emisor = { send(aviso: Aviso): Promise<Intento>; close(): void };

const MAX_ANSWER = 64 * 1024;
const SHOWN = 200;

/**
 * Makes a sender to addresses that people typed. The host is resolved once per connection, every address is checked,
 * and the connection goes to a checked address: a host that leads elsewhere a moment later is never reached. Redirects
 * are not followed. Only the start of an answer is read, enough to tell the reason of a failure.
 */
export function createEmisor({
  privadas,
  timeoutMs = 10_000,
  resolve,
}: {
  privadas: boolean;
  timeoutMs?: number;
  resolve?: Resolver;
}): Emisor {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  return {
    async send({ url: text, headers, body }) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(text);
        const { protocol } = url;
        if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`no se envía por ${protocol}`);
        const addresses = await orAborted(signal, direccionesOf(url, { privadas, ...(resolve && { resolve }) }));
        const answer = await post(url, { agent: agents[protocol], addresses, headers, body, signal });
        return saidBy(answer);
      } catch (error) {
        return { ok: false, status: null, detalle: signal.aborted ? 'No contestó a tiempo.' : reasonOf(error) };
      }
    },
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

type Answer = { status: number; text: string };

function post(
  url: URL,
  {
    agent,
    addresses,
    headers,
    body,
    signal,
  }: {
    agent: http.Agent;
    addresses: readonly Direccion[];
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
  },
): Promise<Answer> {
  const bytes = Buffer.from(body, 'utf8');
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent,
      signal,
      lookup: onlyTo(addresses),
      headers: { ...headers, 'Content-Length': String(bytes.length) },
    });
    let cut = reject;
    request.on('error', (error) => cut(error));
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const parts: Buffer[] = [];
      let size = 0;
      const done = () => resolve({ status, text: Buffer.concat(parts).subarray(0, MAX_ANSWER).toString('utf8') });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size < MAX_ANSWER) return;
        done();
        request.destroy();
      });
      response.on('end', done);
      // The status is known; the rest of the text may be lost.
      response.on('error', done);
      cut = done;
    });
    request.end(bytes);
  });
}

function saidBy({ status, text }: Answer): Intento {
  if (status >= 200 && status < 300) return { ok: true, status, detalle: null };
  if (status >= 300 && status < 400)
    return { ok: false, status, detalle: `Respondió ${status}. No se siguen redirecciones.` };
  const words = text
    .slice(0, SHOWN * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\uFFFD\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN);
  return { ok: false, status, detalle: [`Respondió ${status}.`, words].filter(Boolean).join(' ') };
}

function reasonOf(error: unknown): string {
  if (error instanceof RedPrivada) return 'La dirección lleva a una red privada.';
  const { code } = error as { code?: unknown };
  return `No se pudo entregar (${typeof code === 'string' ? code : error instanceof Error ? error.message : 'sin motivo'}).`.slice(
    0,
    SHOWN,
  );
}
