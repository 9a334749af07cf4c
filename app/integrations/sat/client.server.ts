import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { DEFAULT_CIPHERS } from 'node:tls';
import { Unavailable, UnexpectedShape } from '../errors';
import { consultaOf, type Cedula } from './cedula';
import { parsePagina, type Ficha } from './pagina';

export type Sat = ReturnType<typeof createSat>;

const MAX_BYTES = 512 * 1_024;
/**
 * The ciphers without Diffie-Hellman. The SAT's server prefers a Diffie-Hellman key that is too short for newer versions of OpenSSL, which
 * then end the connection. Without that family the server takes another one, and nothing weaker is allowed.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`;

/**
 * A client of the SAT's page of a cédula. It asks one address, made here of a number and an RFC, and follows no redirect. Throws
 * Unavailable without a clear answer, and UnexpectedShape for an answer about something else.
 */
export function createSat({ baseUrl, timeoutMs = 4_000 }: { baseUrl: string; timeoutMs?: number }) {
  return {
    /** The data of a cédula; undefined when the SAT has no such cédula. */
    async find(cedula: Cedula): Promise<Ficha | undefined> {
      const { status, html } = await ask(new URL(baseUrl.replace(/\/$/, '') + consultaOf(cedula)), timeoutMs);
      if (status === 429 || status >= 500) throw new Unavailable(`el SAT contestó ${status}`, { status });
      const ficha = status === 200 ? parsePagina(html) : null;
      if (ficha === null) throw new UnexpectedShape('el SAT contestó algo que no se entiende', { status });
      if (ficha && ficha.rfc !== cedula.rfc) throw new UnexpectedShape('el SAT contestó de otro RFC', { status });
      return ficha;
    },
  };
}

function ask(url: URL, timeoutMs: number): Promise<{ status: number; html: string }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new Unavailable('el SAT no contestó', { cause }));
    const options = { signal: AbortSignal.timeout(timeoutMs), headers: { accept: 'text/html' }, agent: false as const };
    const answered = (answer: IncomingMessage) => {
      readCapped(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, html: textOf(body) }),
        (error: unknown) => {
          answer.destroy();
          fail(error);
        },
      );
    };
    const asked =
      url.protocol === 'https:'
        ? overTls(url, { ...options, ciphers: CIPHERS }, answered)
        : overHttp(url, options, answered);
    asked.once('error', fail);
    asked.end();
  });
}

async function readCapped(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`answer over ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The text of a page: UTF-8 as it says, or windows-1252 when it is no UTF-8. */
function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(body);
    throw error;
  }
}
