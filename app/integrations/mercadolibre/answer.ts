import type { z } from 'zod';
import { Refused, Unavailable, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import { ErrorAnswer } from './wire';

/** Statuses after which the same call may work later: busy, locked, cut short or down (reference, section 14.2). */
const LATER = new Set([409, 412, 423, 429, 499]);

export function readJson(answer: HttpAnswer, what: string): unknown {
  try {
    return parsed(answer);
  } catch (cause) {
    throw new UnexpectedShape(`Mercado Libre no contestó JSON (${what})`, { status: answer.status, cause });
  }
}

/** Written in JSON, a NUL and half of a surrogate pair are always escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** People write these texts, and the database refuses a document with a NUL or half an emoji in it: they are taken out where answers are read. */
function parsed(answer: HttpAnswer): unknown {
  const text = answer.body.toString('utf8').replace(/^\ufeff/, '');
  const json = JSON.parse(text) as unknown;
  return UNSTORABLE.test(text) ? storable(json) : json;
}

function storable(json: unknown): unknown {
  if (typeof json === 'string') return cleanText(json);
  if (Array.isArray(json)) return json.map(storable);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [cleanText(key), storable(value)]));
}

const cleanText = (text: string) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');

export function readShape<S extends z.ZodType>(schema: S, json: unknown, what: string): z.output<S> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const where = read.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ');
  throw new UnexpectedShape(`Mercado Libre contestó otra forma (${what}: ${where})`, { cause: read.error });
}

/** The failure a status that is no success stands for. The status decides, then the machine word, never the human text. */
export function failureOf(answer: HttpAnswer, what: string): Refused | Unavailable {
  const { status } = answer;
  if (status >= 500 || LATER.has(status)) {
    return new Unavailable(`Mercado Libre no está disponible (${status}, ${what})`, {
      status,
      retryAfterMs: retryAfterOf(answer.headers),
    });
  }
  const said = ErrorAnswer.safeParse(jsonOrNothing(answer));
  const code = said.data?.error ?? said.data?.code ?? undefined;
  const detail = said.data?.error_description ?? said.data?.message ?? undefined;
  return new Refused(`Mercado Libre dijo que no (${status}${code ? ` ${code}` : ''}, ${what})`, {
    status,
    code,
    detail,
  });
}

function jsonOrNothing(answer: HttpAnswer): unknown {
  try {
    return parsed(answer);
  } catch {
    return {};
  }
}

/** Seconds or a date; no promise of the vendor, honoured when it comes. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 15 * 60_000) : undefined;
}
