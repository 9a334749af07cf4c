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
 * The SAT's server prefers a Diffie-Hellman key that is too short for newer versions of OpenSSL, which then end the connection. Without that family it takes
 * another one, and nothing weaker is let in.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`;

/**
 * Asks the SAT for what it shows of a cédula. It asks one address alone, made here of a number and an RFC, whatever a code said; it follows nobody elsewhere.
 * Reads only: whatever is no clear answer is `Unavailable`, and an answer about something else `UnexpectedShape`.
 */
export function createSat({ baseUrl, timeoutMs = 4_000 }: { baseUrl: string; timeoutMs?: number }) {
  return {
    /** Undefined when the SAT has no such cédula. */
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

/** It says UTF-8; what is none was written the older way. */
function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(body);
    throw error;
  }
}
