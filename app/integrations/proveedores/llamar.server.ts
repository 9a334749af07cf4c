import { z } from 'zod';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import { download, exchange, type HttpAnswer, type HttpRequest, type HttpStream, type Trace } from '../http.server';
import { parseStorable } from '../json';
import { retryAfterOf } from '../retryAfter';
import type { Acceso, Llave } from './acceso';
import type { ClaseDeNo } from './cara';

/** A supplier on the wire: its address, the way its token travels, and the budget that lets a call go. */
export type Lado = {
  /** Name under which captured answers are filed. */
  name: string;
  label: string;
  baseUrl: string;
  acceso: Acceso;
  conToken(token: string): Record<string, string>;
  /**
   * Whether an answer may mean an old token (`caducado`), and whether it means a refused token even after a renewal (`rechazado`). A 401 by default.
   */
  caducado?: (answer: HttpAnswer) => boolean;
  rechazado?: (answer: HttpAnswer) => boolean;
  /** Waits until the budget that all processes share lets one more call go. */
  takeCall?: () => Promise<void>;
  trace?: Trace;
  timeoutMs?: number;
};

/** Options of every supplier's client. */
export type ClienteOptions = Pick<Lado, 'baseUrl' | 'acceso' | 'takeCall' | 'trace' | 'timeoutMs'> & {
  now?: () => Date;
  /** Clock by which the supplier opens and closes; absent: `now`. */
  reloj?: () => Date;
};

export type Llamada = Pick<HttpRequest, 'method'> & {
  path: string;
  json?: unknown;
  form?: FormData;
  timeoutMs?: number;
  maxBytes?: number;
  headers?: Record<string, string>;
};

/** Name of our client. Syscom's edge filter answers 403 to the names of libraries. */
export const AGENTE = 'Mozilla/5.0 (compatible; Trastienda/1.0)';

const is401 = ({ status }: HttpAnswer) => status === 401;

/** Whether the status means success. */
export const isExito = ({ status }: Pick<HttpAnswer, 'status'>) => status >= 200 && status < 300;

/**
 * Makes the calls of a supplier. A call that an old token fails is renewed and repeated once: whoever refuses a token has done nothing. A token
 * refused right after its renewal breaks the link.
 */
export function createLlamadas(lado: Lado) {
  const { name, label, baseUrl, acceso, conToken, caducado = is401, rechazado = is401, takeCall, trace } = lado;

  async function ask({ method, path, json, form, ...rest }: Llamada, { token }: Llave): Promise<HttpAnswer> {
    await takeCall?.();
    return await exchange({
      side: { name, root: baseUrl },
      method,
      url: `${baseUrl}${path}`,
      trace,
      timeoutMs: rest.timeoutMs ?? lado.timeoutMs ?? 20_000,
      maxBytes: rest.maxBytes,
      headers: {
        accept: 'application/json',
        'user-agent': AGENTE,
        ...conToken(token),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...rest.headers,
      },
      body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
    });
  }

  async function call(llamada: Llamada): Promise<HttpAnswer> {
    const llave = await acceso.current();
    const answer = await ask(llamada, llave);
    if (!acceso.renew || !caducado(answer)) return answer;
    const renewed = await acceso.renew(llave);
    const again = await ask(llamada, renewed);
    if (!rechazado(again)) return again;
    const why = `${label} rechazó una llave recién renovada. Vuelve a guardarla.`;
    await acceso.reject?.(renewed, why);
    throw new Unavailable(why, { status: 401, account: true });
  }

  return {
    /** Reads an answer too large to be held, with the token at hand, whose validity the caller has just seen. */
    async bajar({ path, timeoutMs }: Pick<Llamada, 'path' | 'timeoutMs'>, what: string): Promise<HttpStream> {
      const { token } = await acceso.current();
      await takeCall?.();
      return await lowerOf(label, what, {
        url: `${baseUrl}${path}`,
        headers: { 'user-agent': AGENTE, accept: 'application/json', ...conToken(token) },
        timeoutMs: timeoutMs ?? lado.timeoutMs,
      });
    },
    /** Reads. A lost answer is `Unavailable`: nothing changed, so the read may be repeated. */
    async leer(llamada: Llamada): Promise<HttpAnswer> {
      try {
        return await call(llamada);
      } catch (error) {
        if (error instanceof Uncertain) throw new Unavailable(`${label} ${error.message}`, { cause: error });
        throw error;
      }
    },
    /** Writes. Only an error that is certain to have done nothing is `Unavailable`; a lost answer is `Uncertain`. */
    escribir: call,
  };
}

/** Downloads from a supplier, as a stream. A lost download is `Unavailable`: nothing changed, so it may be repeated. */
export async function lowerOf(
  label: string,
  what: string,
  request: Parameters<typeof download>[0],
): Promise<HttpStream> {
  const perdida = (error: unknown) => {
    if (error instanceof Uncertain) return new Unavailable(`${label} ${error.message}`, { cause: error });
    return error;
  };
  async function* parts(chunks: AsyncIterable<Uint8Array>) {
    try {
      yield* chunks;
    } catch (error) {
      throw perdida(error);
    }
  }
  try {
    const { chunks, ...rest } = await download(request);
    if (!isExito(rest)) throw fallaOf({ ...rest, body: await cabezaOf(chunks) }, label, what);
    return { ...rest, chunks: parts(chunks) };
  } catch (error) {
    throw perdida(error);
  }
}

/** The beginning of an answer, enough for the words of a refusal. */
async function cabezaOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks) {
    parts.push(part);
    if (parts.reduce((size, { length }) => size + length, 0) > 64 * 1024) break;
  }
  return Buffer.concat(parts);
}

export type Llamadas = ReturnType<typeof createLlamadas>;

/** Asks for a token. A lost answer is `Unavailable`, since a second token costs nothing. `pista` is a hint added to its text. */
export async function requestToken(
  { name, baseUrl, label }: Pick<Lado, 'name' | 'baseUrl' | 'label'>,
  { url, headers, body, timeoutMs = 15_000 }: Pick<HttpRequest, 'url' | 'headers' | 'body' | 'timeoutMs'>,
  pista = '',
): Promise<HttpAnswer> {
  try {
    return await exchange({
      side: { name, root: baseUrl },
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'user-agent': AGENTE, ...headers },
      body,
      timeoutMs,
    });
  } catch (error) {
    if (error instanceof Uncertain || (error instanceof Unavailable && pista))
      throw new Unavailable(`${label} ${error.message}${pista}`, { cause: error });
    throw error;
  }
}

const [UTF8, LATIN] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')];

/** Returns the text of an answer. Some suppliers still write ISO-8859-1 and say nothing, or say UTF-8. */
export function textoOf({ headers, body }: Pick<HttpAnswer, 'headers'> & { body: Uint8Array }): string {
  const said = /charset=["']?(iso-8859-1|windows-1252|latin1)/i.test(headers.get('content-type') ?? '');
  if (said) return LATIN.decode(body);
  try {
    return UTF8.decode(body);
  } catch {
    return LATIN.decode(body);
  }
}

/** Whether a text is a page of HTML. */
export const isHtml = (text: string) => /^\s*<(?:!doctype|html|head|body|center|h1)\b/i.test(text);

/**
 * Returns the JSON of a read. Throws `Unavailable` for a page of HTML, which means maintenance whatever its status, and `UnexpectedShape` for
 * anything else that is no JSON.
 */
export function jsonOf(answer: HttpAnswer, label: string, what: string): unknown {
  const text = textoOf(answer);
  if (isHtml(text)) throw new Unavailable(`${label} contestó una página de mantenimiento (${what})`, answer);
  try {
    return parseStorable(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new UnexpectedShape(`${label} no contestó JSON (${what})`, { status: answer.status, cause });
  }
}

/** Returns JSON read by a schema. Throws `UnexpectedShape` with the first differences. */
export function formaOf<S extends z.ZodType>(schema: S, json: unknown, label: string, what: string): z.output<S> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const where = read.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ');
  throw new UnexpectedShape(`${label} contestó otra forma (${what}: ${where})`, { cause: read.error });
}

/** Returns the error that an unsuccessful read stands for. */
export function fallaOf(answer: HttpAnswer, label: string, what: string): Refused | Unavailable {
  const { status, headers } = answer;
  const dicho = dichoEn(answer);
  const words = dicho ? `${label}: ${dicho}` : `${label} contestó ${status} (${what})`;
  const raw = textoOf(answer);
  if (status === 429 || status >= 500)
    return new Unavailable(words, { status, raw, retryAfterMs: retryAfterOf(headers) });
  if (status === 401 || status === 403) return new Refused(words, { status, raw, account: true });
  return negado(words, status === 404 ? 'noEncontrado' : 'desconocido', answer);
}

/** Returns the error that an unsuccessful write stands for. Only a definite no is `Refused`; everything else is `Uncertain`. */
export function fallaAlEscribir(answer: HttpAnswer, label: string, what: string): Refused | Unavailable | Uncertain {
  const { status } = answer;
  const falla = fallaOf(answer, label, what);
  if (status === 429 || (falla instanceof Refused && status >= 400 && !isHtml(textoOf(answer)))) return falla;
  return new Uncertain(`${label} contestó ${status} (${what})`, { status });
}

/** Returns a definite no of some class. */
export const negado = (words: string, clase: ClaseDeNo, answer?: Pick<HttpAnswer, 'status'>) =>
  new Refused(words, { status: answer?.status, code: clase });

/** Returns the JSON of a write. Throws `Uncertain` when it cannot be read, since the work may have been done. */
export function jsonEscrito(answer: HttpAnswer, label: string, what: string): unknown {
  try {
    return jsonOf(answer, label, what);
  } catch (cause) {
    throw new Uncertain(`${label} contestó algo que no se entiende (${what})`, { status: answer.status, cause });
  }
}

const DICHOS = ['error_description', 'errorMessage', 'mensaje', 'message', 'detail', 'error'];

/** Returns the supplier's own words for a no in an answer; undefined when there are none. */
export function dichoEn(answer: HttpAnswer): string | undefined {
  try {
    return dicho(parseStorable(textoOf(answer).replace(/^\ufeff/, '')));
  } catch {
    return undefined;
  }
}

/** Returns the supplier's own words for a no in some JSON; undefined when there are none. Words for people outrank codes. */
export function dicho(json: unknown): string | undefined {
  const one = Array.isArray(json) ? (json as unknown[])[0] : json;
  if (typeof one !== 'object' || one === null) return undefined;
  const fields = one as Record<string, unknown>;
  const text = DICHOS.map((name) => fields[name]).find((said) => typeof said === 'string' && said.trim() !== '') as
    string | undefined;
  // 'Datos inválidos' alone says nothing: the fields are told apart.
  return [text, ...detallesEn(fields.detalles)].filter(Boolean).join('. ') || undefined;
}

const Detalles = z.array(z.object({ campo: z.string(), problema: z.string() }));
const detallesEn = (detalles: unknown): string[] =>
  (Detalles.safeParse(detalles).data ?? []).map(({ campo, problema }) => `${campo}: ${problema}`);
