import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { z } from 'zod';
import { env } from '~/core/env.server';
import { databaseAwayOf, FALLO, LimitReached, NotAllowed, diskFullOf, Stale } from '~/core/errors';
import { log } from '~/core/log.server';
import { withPaciencia } from '~/core/paciencia.server';
import { recordNegado } from '~/domain/personal/negados.server';
import { UnreadableForm } from '~/http/sent.server';
import { takeRate } from '~/platform/rateLimit.server';
import { transact } from '~db/client.server';
import { db } from '~db/shared.server';
import { readCaller, requireCall, unknown, type Caller } from './authenticate.server';
import { changes, type AnyAsked, type Call } from './call.server';
import { readBody } from './body.server';
import { claveOf, huellaOf, once, readKey, type Kept } from './idempotency.server';
import { ApiProblem, isLegacy, LLENADO, noCall, notFound, responseOf } from './problem.server';
import { projectorOf } from './project';
import { createRouter } from './router';
import { Written } from './wire';

/** Requests a minute of an address without a token. A person has `API_POR_MINUTO` over all tokens. */
const ANONYMOUS = 300;
/** Time in ms after which a call answers with what is known, also where a far side has not answered. */
const PACIENCIA_MS = 1_600;

export type ApiRequest = {
  request: Request;
  path: string;
  requestId: string;
  ip: string;
  /** The caller, where a page of ours calls for a person; else the token of the request tells the caller. */
  caller?: Caller;
  /** Names the call for the log. */
  nameCall?: ((path: string) => void) | undefined;
};
type Find = ReturnType<typeof createRouter<Call>>;
export type Dispatch = (asked: ApiRequest) => Promise<Response>;

/** Returns the function that answers requests by a table of calls. */
export function createDispatch(calls: readonly Call[]): Dispatch {
  const find = createRouter(calls);
  return async (asked) => {
    try {
      const found = find(methodOf(asked, find), asked.path);
      if (found.call) asked.nameCall?.(found.call.path);
      if (found.call) return await answer(found.call, found.params, asked);
      if (asked.request.method === 'OPTIONS' && found.allow.length > 0)
        return new Response(null, { status: 204, headers: { Allow: found.allow.join(', ') } });
      throw found.allow.length > 0 ? wrongMethod(asked, found.allow) : noCall();
    } catch (thrown) {
      return refusal(thrown, asked);
    }
  };
}

/**
 * Returns the method of a request. HEAD counts as GET. With `API_GET_MUTANTE` a GET by which the old client changed something counts as the POST that
 * replaced it, but not for a browser that names the page it comes from: no picture or link of a page may change anything.
 */
function methodOf({ request, path, requestId }: ApiRequest, find: Find): string {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method !== 'GET' || env().API_GET_MUTANTE !== '1' || find('GET', path).call) return method;
  const post = find('POST', path).call;
  const fromPage = ['Origin', 'Referer', 'Sec-Fetch-Site'].some((name) => request.headers.has(name));
  if (!post?.porGet || request.method === 'HEAD' || fromPage) return method;
  log.warn('un cliente anterior cambió algo con GET', { requestId, llamada: post.path });
  return 'POST';
}

const refusal = (thrown: unknown, { path, requestId, request }: ApiRequest, call?: Call) =>
  responseOf(problemOf(thrown, requestId, request).named(call?.campos), {
    path,
    requestId,
    conResponse: call?.conResponse === true,
  });

/** Returns the refusal of a method that a path does not have. For a GET it names the method to use, since the old client changed things by GET. */
function wrongMethod({ path, request }: ApiRequest, allow: string[]): ApiProblem {
  const post = request.method === 'GET' || request.method === 'HEAD' ? allow.find((one) => one !== 'GET') : undefined;
  return new ApiProblem('metodo-no-permitido', `Ese método no se usa aquí. Se usa ${allow.join(', ')}.`, {
    headers: {
      Allow: allow.join(', '),
      ...(post && { Link: `<${path}>; rel="alternate"; method="${post}"` }),
    },
  });
}

async function answer(call: Call, params: Record<string, string>, asked: ApiRequest): Promise<Response> {
  const { request, ip, path } = asked;
  const caller = await callerOf(call, asked);
  const limit = { hits: caller ? env().API_POR_MINUTO : ANONYMOUS, seconds: 60 };
  const rate = await takeRate(db(), caller ? `api:${caller.usuario.id}` : `api:${ip}`, limit);
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"api";q=${limit.hits};w=${limit.seconds}`,
    RateLimit: `"api";r=${rate.quedan};t=${rate.retryAfterSeconds}`,
  };
  if (!rate.allowed)
    return withHeaders(
      refusal(new LimitReached('Demasiadas peticiones en un minuto.', rate.retryAfterSeconds), asked, call),
      headers,
    );
  try {
    if (caller) requireCall(caller, call);
    else if (call.acceso !== 'abierta') throw unknown();
    const search = new URL(request.url).searchParams;
    const body = await readBody(call, request);
    const llave = changes(call) && !call.secreta ? readKey(request) : null;
    const quien = caller ? `usuario:${caller.usuario.id}` : `publico:${sha(path)}`;
    const given = {
      clave: llave === null ? randomUUID() : claveOf(quien, llave),
      params: read(call.params, params, 'no-encontrado', isLegacy(path)),
      query: read(call.query, Object.fromEntries(search), isLegacy(path) ? 'datos-invalidos' : 'peticion-invalida'),
      body: read(call.body, body.value, 'datos-invalidos'),
      usuario: caller?.usuario ?? null,
      archivos: body.archivos,
      version: call.conVersion ? readVersion(request) : -1,
      request,
      search,
      sesion: caller?.sesion ?? null,
      ip,
      now: new Date(),
    } as unknown as AnyAsked;
    const soon = <T>(run: () => Promise<T>) => (call.sinPrisa ? run() : withPaciencia(PACIENCIA_MS, run));
    if (llave === null) return withHeaders(await soon(() => perform(call, given, asked)), headers);
    const key = {
      quien,
      llave,
      huella: huellaOf(call.method, path, search.toString(), body.text),
    };
    const done = await once(db(), key, (keep) => soon(() => performKeeping(call, given, asked, keep)));
    if ('fresh' in done) return withHeaders(done.fresh, headers);
    return withHeaders(await soon(() => replay(call, done.kept, path)), { ...headers, 'Idempotency-Replayed': 'true' });
  } catch (thrown) {
    if (caller && thrown instanceof ApiProblem && thrown.status === 403)
      await recordNegado(db(), caller.usuario, {
        donde: `${call.method} ${call.path}`,
        direccion: ip,
        motivo: thrown.codigo,
      });
    return withHeaders(refusal(thrown, asked, call), headers);
  }
}

const sha = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Returns the caller. For a call of everybody a bearer is not read, so a dead one is no obstacle. */
async function callerOf(call: Call, { request, caller, ip }: ApiRequest): Promise<Caller | null> {
  return call.acceso === 'abierta' ? null : (caller ?? readCaller(db(), request, ip));
}

async function perform(call: Call, given: AnyAsked, { request }: ApiRequest): Promise<Response> {
  const result = call.commit ? await transact(db(), (trx) => call.commit!(trx, given)) : await call.run!(db(), given);
  if (result instanceof Response) return result;
  const answer = json(call, textOf(call, result));
  const etag = answer.headers.get('ETag');
  if (etag && call.method === 'GET' && request.headers.get('If-None-Match') === etag)
    return new Response(null, { status: 304, headers: { ETag: etag } });
  return answer;
}

/** Runs a call and keeps its answer for its key, in the same transaction where the call has one. A failure that may pass is not kept. */
async function performKeeping(
  call: Call,
  given: AnyAsked,
  asked: ApiRequest,
  keep: (at: Parameters<NonNullable<Call['commit']>>[0] | ReturnType<typeof db>, kept: Kept) => Promise<void>,
): Promise<Response> {
  const status = call.status ?? 200;
  try {
    if (call.commit) {
      const body = await transact(db(), async (trx) => {
        const text = textOf(call, await call.commit!(trx, given));
        await keep(trx, { status, cuerpo: text });
        return text;
      });
      return json(call, body);
    }
    const result = await call.run!(db(), given);
    if (result instanceof Response) return result;
    const text = textOf(call, result);
    await keep(db(), { status, cuerpo: text });
    return json(call, text);
  } catch (thrown) {
    const refused = refusal(thrown, asked, call);
    const again =
      refused.status === 429 || refused.status >= 500 || (thrown as { codigo?: string }).codigo === 'en-curso';
    if (!again) await keep(db(), { status: refused.status, cuerpo: await refused.clone().text() });
    return refused;
  }
}

async function replay(call: Call, { status, cuerpo }: Kept, path: string): Promise<Response> {
  if (status >= 400 && !isLegacy(path))
    return new Response(cuerpo, { status, headers: { 'Content-Type': 'application/problem+json' } });
  if (status >= 400 || !call.again) return json(call, cuerpo, status);
  return json(call, textOf(call, await call.again(db(), JSON.parse(cuerpo) as never)), status);
}

const textOf = (call: Call, result: unknown) =>
  result instanceof Written ? result.text : JSON.stringify(projectorOf(call.answer)(result) ?? null);

/** Returns an answer with its ETag, and with Location where the call made or asked for something. */
function json(call: Call, body: string, status: number = call.status ?? 200): Response {
  const said = status < 400 && (call.etag ?? call.location) ? (JSON.parse(body) as never) : undefined;
  const etag = said !== undefined && call.etag ? call.etag(said) : call.method === 'GET' ? `"${sha(body)}"` : undefined;
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(etag && { ETag: etag }),
      ...(said !== undefined && call.location && { Location: call.location(said) }),
    },
  });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function read(
  schema: z.ZodType | undefined,
  value: unknown,
  codigo: 'no-encontrado' | 'peticion-invalida' | 'datos-invalidos',
  enPalabras = false,
): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // An unknown id is 404. A range that ends before it begins is refused in words.
  const told = enPalabras && parsed.error.issues.some(({ code }) => code === 'custom');
  if (codigo === 'no-encontrado' && !told) throw notFound();
  const errores = parsed.error.issues
    .slice(0, 50)
    .map(({ path, message }) => ({ campo: path.join('.').slice(0, 200), texto: message }));
  throw new ApiProblem(told ? 'datos-invalidos' : codigo, LLENADO.texto, { titulo: LLENADO.titulo, errores });
}

/** Returns the version of If-Match. Without it nobody edits: the caller has to have read the row. */
function readVersion(request: Request): number {
  const said = request.headers.get('If-Match');
  if (said === null)
    throw new ApiProblem(
      'version-requerida',
      'Falta If-Match con el ETag que se leyó: dice sobre qué versión se decide.',
    );
  const version = /^"v(\d{1,10})"$/.exec(said)?.[1];
  if (version === undefined || Number(version) > 2_147_483_646)
    throw new ApiProblem('version-movida', 'If-Match no es el ETag de este registro. Vuelve a leerlo.');
  return Number(version);
}

/** SQLSTATE of values that no column holds: texts, numbers, days, and cursors that somebody wrote by hand. */
const UNSTORABLE = new Set(['22021', '22P05', '22003', '22007', '22008', '22P02']);

function problemOf(error: unknown, requestId: string, request: Request): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const away = databaseAwayOf(error);
  if (away) log.warn('la base de datos no contesta', { incidente: requestId });
  const thrown = away ?? error;
  const full = diskFullOf(thrown);
  if (full) return new ApiProblem('sin-espacio', full.message, { titulo: full.titulo });
  if (thrown instanceof LimitReached)
    return new ApiProblem(thrown.status === 503 ? 'saturado' : 'limite-alcanzado', thrown.message, {
      titulo: thrown.titulo,
      headers: { 'Retry-After': String(thrown.retryAfterSeconds) },
    });
  if (thrown instanceof Stale)
    return new ApiProblem(request.headers.has('If-Match') ? 'version-movida' : 'conflicto', thrown.message, {
      titulo: thrown.titulo,
    });
  if (thrown instanceof NotAllowed)
    return new ApiProblem('regla-de-negocio', thrown.message, {
      titulo: thrown.titulo,
      ...(thrown.campo && { errores: [{ campo: thrown.campo, texto: thrown.message }] }),
    });
  if (thrown instanceof UnreadableForm)
    return new ApiProblem('peticion-invalida', 'No se entiende el formulario que se envió.', { cause: thrown });
  if (thrown instanceof Response)
    return thrown.status === 404 ? notFound() : new ApiProblem('peticion-invalida', 'No se entiende la petición.');
  if (thrown instanceof pg.DatabaseError && UNSTORABLE.has(thrown.code ?? '')) {
    log.warn('lo que se pidió a la API no pasó de la base de datos', { incidente: requestId, causa: thrown.code });
    return new ApiProblem('datos-invalidos', 'Algunos datos no se pueden guardar, por favor revisar sus datos', {
      titulo: LLENADO.titulo,
    });
  }
  if (isOutside(thrown))
    return new ApiProblem('servicio-externo', FALLO.texto, { titulo: FALLO.titulo, cause: thrown });
  log.error('fallo al atender la API', thrown, { incidente: requestId });
  return new ApiProblem('fallo-interno', FALLO.texto, { titulo: FALLO.titulo, cause: thrown });
}

/** Returns whether an error comes from the client of an outside API. */
const isOutside = (thrown: unknown) =>
  thrown instanceof Error && ['Unavailable', 'Refused', 'Uncertain', 'UnexpectedShape'].includes(thrown.name);
