import type { z } from 'zod';
import { Refused, Unavailable, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import { parseStorable } from '../json';
import { retryAfterOf } from '../retryAfter';
import { ErrorAnswer } from './wire';

export function readJson(answer: HttpAnswer, what: string): unknown {
  try {
    return parsed(answer);
  } catch (cause) {
    throw new UnexpectedShape(`Amazon no contestó JSON (${what})`, { status: answer.status, cause });
  }
}

const parsed = (answer: HttpAnswer): unknown => parseStorable(answer.body.toString('utf8').replace(/^\ufeff/, ''));

export function readShape<S extends z.ZodType>(schema: S, json: unknown, what: string): z.output<S> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const where = read.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ');
  throw new UnexpectedShape(`Amazon contestó otra forma (${what}: ${where})`, { cause: read.error });
}

/** The body of a no. The message may be null, and the spelling of the code changes from API to API. */
export function saidOf(answer: HttpAnswer): { code?: string; message?: string; details?: string } {
  try {
    const first = ErrorAnswer.safeParse(parsed(answer)).data?.errors?.[0];
    return {
      code: first?.code ?? undefined,
      message: first?.message ?? undefined,
      details: first?.details ?? undefined,
    };
  } catch {
    return {};
  }
}

/** Returns the failure that a status stands for: the status decides, and never the text. `waitMs` is the time in which the bucket gains one call. */
export function failureOf(answer: HttpAnswer, what: string, waitMs: number): Refused | Unavailable {
  const { status } = answer;
  if (status === 429)
    return new Unavailable(`Amazon pide ir más despacio (${what})`, {
      status,
      retryAfterMs: retryAfterOf(answer.headers) ?? waitMs,
      ownPace: true,
    });
  if (status >= 500)
    return new Unavailable(`Amazon no está disponible (${status}, ${what})`, {
      status,
      retryAfterMs: retryAfterOf(answer.headers),
    });
  const { code, message, details } = saidOf(answer);
  return new Refused(`Amazon dijo que no (${status}${code ? ` ${code}` : ''}, ${what})`, {
    status,
    code,
    detail: details || message,
    raw: answer.body.toString('utf8'),
  });
}
