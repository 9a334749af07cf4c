import { Uncertain, Unavailable } from '../errors';
import { exchange, type HttpAnswer, type HttpRequest, type Trace } from '../http.server';
import { failureOf, saidOf } from './answer';
import { limitOf, type Operacion, type Ritmo, RITMOS } from './pace';
import type { Access, Tokens } from './tokens';

export type LlamadaOptions = { baseUrl: string; tokens: Tokens; ritmo: Ritmo; timeoutMs?: number; trace?: Trace };
export type Llamada = {
  operacion: Operacion;
  method: HttpRequest['method'];
  path: string;
  query?: Record<string, string | readonly string[] | undefined>;
  body?: unknown;
};

const USER_AGENT = 'Trastienda/1.0 (Language=TypeScript; Platform=Node)';
const DEAD = 'Amazon ya no acepta el permiso de esta cuenta. Vuelve a activarla.';

/** One pass of percent-encoding, also of the marks that `encodeURIComponent` leaves alone. A list is commas between encoded values. */
export const encoded = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

function queryOf(query: Llamada['query'] = {}): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${typeof value === 'string' ? encoded(value) : value.map(encoded).join(',')}`],
  );
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/**
 * One call of an operation at its pace. A token that ended is renewed and tried once more; one that is refused fresh from a renewal breaks the link. A 403 that tells
 * nothing of the token is a no to this resource alone. What was to change something and ended in a 5xx may have changed it.
 */
export function createLlamada({ baseUrl, tokens, ritmo, timeoutMs = 20_000, trace }: LlamadaOptions) {
  async function once(llamada: Llamada, access: Access): Promise<HttpAnswer> {
    const { operacion, method, path, query, body } = llamada;
    await ritmo.take(operacion);
    const request: HttpRequest = {
      side: { name: 'amazon', root: baseUrl },
      method,
      url: `${baseUrl}${path}${queryOf(query)}`,
      headers: {
        accept: 'application/json',
        'user-agent': USER_AGENT,
        'x-amz-access-token': access.token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs,
      trace,
    };
    const answer = await exchange(request).catch((error: unknown) => {
      if (method === 'GET' && error instanceof Uncertain)
        throw new Unavailable(`Amazon no contestó (${error.message})`, { cause: error });
      throw error;
    });
    const limit = limitOf(answer.headers);
    if (limit !== undefined) ritmo.told(operacion, limit);
    if (answer.status === 429) await ritmo.spent(operacion);
    return answer;
  }

  return async function call(llamada: Llamada, what: string): Promise<HttpAnswer> {
    let access = await tokens.current();
    let answer = await once(llamada, access);
    if (refusesToken(answer)) {
      access = await tokens.renew(access);
      answer = await once(llamada, access);
      if (refusesToken(answer)) {
        await tokens.reject(access, DEAD);
        throw new Unavailable(DEAD, { status: answer.status, account: true });
      }
    }
    if (answer.status >= 200 && answer.status <= 299) return answer;
    const { operacion } = llamada;
    if (llamada.method !== 'GET' && answer.status >= 500)
      throw new Uncertain(`Amazon falló después de recibirlo (${answer.status}, ${what})`, { status: answer.status });
    const wait = 1000 / (limitOf(answer.headers) ?? RITMOS[operacion].perSecond);
    throw failureOf(answer, what, Math.ceil(wait));
  };
}

const refusesToken = (answer: HttpAnswer): boolean =>
  (answer.status === 401 || answer.status === 403) && /access token/i.test(saidOf(answer).details ?? '');
