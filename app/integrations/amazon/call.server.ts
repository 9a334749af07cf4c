import { Uncertain, Unavailable, UnexpectedShape } from '../errors';
import { exchange, type HttpAnswer, type HttpRequest, type Trace } from '../http.server';
import { failureOf, readJson, readShape, saidOf } from './answer';
import { limitOf, type Operacion, type Ritmo, RITMOS } from './pace';
import type { Access, Tokens } from './tokens';
import { RestrictedToken } from './wire';

export type LlamadaOptions = { baseUrl: string; tokens: Tokens; ritmo: Ritmo; timeoutMs?: number; trace?: Trace };
export type Llamada = {
  operacion: Operacion;
  method: HttpRequest['method'];
  path: string;
  query?: Record<string, string | readonly string[] | undefined>;
  body?: unknown;
  /** The call changes nothing, whatever its method: a lost answer may be asked for again. */
  soloLee?: true;
  /** The answer tells of people, and the call takes a token made for it alone. */
  restringida?: true;
};

const USER_AGENT = 'Trastienda/1.0 (Language=TypeScript; Platform=Node)';
const DEAD = 'Amazon ya no acepta el permiso de esta cuenta. Vuelve a activarla.';

/** Encodes a text by percent signs, also the marks that `encodeURIComponent` leaves alone. Values of a list are encoded each, with commas between. */
export const encoded = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

function queryOf(query: Llamada['query'] = {}): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${typeof value === 'string' ? encoded(value) : value.map(encoded).join(',')}`],
  );
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/**
 * Makes one call of an operation at its pace. A token that ended is renewed, and the call tried once more; a token that is refused fresh from a renewal
 * breaks the link. A 403 that says nothing of the token is a no to this resource alone. A write that ended in a 5xx may have been done.
 */
export function createLlamada({ baseUrl, tokens, ritmo, timeoutMs = 20_000, trace }: LlamadaOptions) {
  async function once(llamada: Llamada, access: Access, observer = trace): Promise<HttpAnswer> {
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
      trace: observer,
    };
    const answer = await exchange(request).catch((error: unknown) => {
      if (changesNothing(llamada) && error instanceof Uncertain)
        throw new Unavailable(`Amazon no contestó (${error.message})`, { cause: error });
      throw error;
    });
    const limit = limitOf(answer.headers);
    if (limit !== undefined) ritmo.told(operacion, limit);
    if (answer.status === 429) await ritmo.spent(operacion);
    return answer;
  }

  /** Asks for the token of a call that tells of people. No record keeps the token, and without it the call is not made. */
  async function restricted({ method, path }: Llamada, access: Access): Promise<Access | HttpAnswer> {
    const what = 'permiso para datos de personas';
    const operacion = 'createRestrictedDataToken';
    const body = { restrictedResources: [{ method, path }] };
    const asked: Llamada = { operacion, method: 'POST', path: RESTRICTED, body, soloLee: true };
    const answer = await once(asked, access, () => undefined);
    if (refusesToken(answer)) return answer;
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, what, waitOf(operacion, answer));
    try {
      return { ...access, token: readShape(RestrictedToken, readJson(answer, what), what) };
    } catch (error) {
      if (!(error instanceof UnexpectedShape)) throw error;
      throw new Unavailable(error.message, { cause: error });
    }
  }

  async function sent(llamada: Llamada, access: Access): Promise<HttpAnswer> {
    if (!llamada.restringida) return once(llamada, access);
    const allowed = await restricted(llamada, access);
    return 'status' in allowed ? allowed : once(llamada, allowed);
  }

  return async function call(llamada: Llamada, what: string): Promise<HttpAnswer> {
    let access = await tokens.current();
    let answer = await sent(llamada, access);
    if (refusesToken(answer)) {
      access = await tokens.renew(access);
      answer = await sent(llamada, access);
      if (refusesToken(answer)) {
        await tokens.reject(access, DEAD);
        throw new Unavailable(DEAD, { status: answer.status, account: true });
      }
    }
    if (answer.status >= 200 && answer.status <= 299) return answer;
    if (!changesNothing(llamada) && answer.status >= 500)
      throw new Uncertain(`Amazon falló después de recibirlo (${answer.status}, ${what})`, { status: answer.status });
    throw failureOf(answer, what, waitOf(llamada.operacion, answer));
  };
}

const RESTRICTED = '/tokens/2021-03-01/restrictedDataToken';
const changesNothing = ({ method, soloLee }: Llamada) => method === 'GET' || soloLee === true;
const waitOf = (operacion: Operacion, { headers }: HttpAnswer) =>
  Math.ceil(1000 / (limitOf(headers) ?? RITMOS[operacion].perSecond));

const refusesToken = (answer: HttpAnswer): boolean =>
  (answer.status === 401 || answer.status === 403) && /access token/i.test(saidOf(answer).details ?? '');
