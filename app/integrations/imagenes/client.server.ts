import http from 'node:http';
import https from 'node:https';
import { Refused, Unavailable } from '../errors';
import {
  type Direccion,
  direccionesOf,
  onlyTo,
  orAborted,
  RedPrivada,
  type Resolver,
} from '../ganchos/direccion.server';

const ESPERA_MS = 6_000;
const MAX_BYTES = 10 * 1024 * 1024;
const SALTOS = 3;

/** Addresses that may be asked. Each redirect asks again. */
export type Puerta = {
  permite(url: URL): boolean;
  /** Whether an address may lie in a private network, as a sandbox of this machine does. */
  privada(url: URL): boolean;
};
type Limites = { esperaMs?: number; resolve?: Resolver };

/**
 * Fetches a picture of a supplier from its own address, within 6 seconds, 10 MB and three redirects. The connection
 * goes to an address that was checked, so a name that leads elsewhere a moment later is never reached. Throws `Refused`
 * with what is wrong for good, and `Unavailable` when nobody answered.
 */
export async function fetchImagen(
  text: string,
  puerta: Puerta,
  { esperaMs = ESPERA_MS, resolve }: Limites = {},
): Promise<Buffer> {
  const signal = AbortSignal.timeout(esperaMs);
  let url = new URL(text);
  try {
    for (let saltos = 0; ; saltos++) {
      if (!puerta.permite(url)) throw new Refused('Su dirección lleva a un sitio que no es del proveedor.');
      const privadas = puerta.privada(url);
      const addresses = await orAborted(signal, direccionesOf(url, { privadas, ...(resolve && { resolve }) }));
      const answer = await get(url, addresses, signal);
      if ('contenido' in answer) return answer.contenido;
      if (saltos === SALTOS) throw new Refused('Su dirección cambia demasiadas veces.');
      url = new URL(answer.sigue, url);
    }
  } catch (error) {
    throw failureOf(error, url, signal.aborted);
  }
}

function failureOf(error: unknown, url: URL, late: boolean): unknown {
  if (error instanceof Refused || error instanceof Unavailable) return error;
  if (error instanceof RedPrivada) return new Refused('Su dirección lleva a una red privada.', { cause: error });
  return new Unavailable(`${url.hostname} ${late ? 'no contestó a tiempo' : 'no contestó'}.`, { cause: error });
}

type Answer = { contenido: Buffer } | { sigue: string };

function get(url: URL, addresses: readonly Direccion[], signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      signal,
      agent: false,
      lookup: onlyTo(addresses),
      headers: { Accept: 'image/*' },
    });
    const end = (outcome: Answer | Error) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
      request.destroy();
    };
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      if (status >= 300 && status < 400 && headers.location) return end({ sigue: headers.location });
      if (status >= 500 || status === 429)
        return end(new Unavailable(`${url.hostname} contestó ${status}.`, { status }));
      if (status !== 200) return end(new Refused(`El proveedor ya no la tiene (${status}).`, { status }));
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > MAX_BYTES) end(new Refused('Pesa más de 10 MB.'));
      });
      response.on('end', () =>
        response.complete ? end({ contenido: Buffer.concat(parts) }) : reject(new Error('the answer was cut')),
      );
      response.on('error', reject);
    });
    request.end();
  });
}
