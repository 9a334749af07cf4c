import type { z } from 'zod';
import { Refused, Unavailable, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import { ErrorAnswer } from './wire';

/** Statuses after which the same call may work later: busy, locked, cut short or down (reference, section 14.2). */
const LATER = new Set([409, 412, 423, 429, 499]);

export function readJson(answer: HttpAnswer, what: string): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8')) as unknown;
  } catch (cause) {
    throw new UnexpectedShape(`Mercado Libre no contestó JSON (${what})`, { status: answer.status, cause });
  }
}

export function readShape<S extends z.ZodType>(schema: S, json: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new UnexpectedShape(`Mercado Libre contestó otra forma (${what}: ${where})`, { cause: parsed.error });
}

/** The failure a status that is no success stands for. The status decides, then the machine word, never the human text. */
export function failureOf(answer: HttpAnswer, what: string): Refused | Unavailable {
  const { status } = answer;
  if (status >= 500 || LATER.has(status)) {
    return new Unavailable(`Mercado Libre no está disponible (${status}, ${what})`, { status, retryAfterMs: retryAfterOf(answer.headers) });
  }
  const parsed = ErrorAnswer.safeParse(jsonOrNothing(answer));
  const code = parsed.data?.error ?? parsed.data?.code ?? undefined;
  const detail = parsed.data?.error_description ?? parsed.data?.message ?? undefined;
  return new Refused(`Mercado Libre dijo que no (${status}${code ? ` ${code}` : ''}, ${what})`, { status, code, detail });
}

function jsonOrNothing(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8')) as unknown;
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
