import type { z } from 'zod';
import { Refused, Unavailable, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import { parseStorable } from '../json';
import { retryAfterOf } from '../retryAfter';
import { ErrorAnswer } from './wire';

/** Statuses after which the same call may work later: busy, locked, cut short or down. */
const LATER = new Set([409, 412, 423, 429, 499]);

export function readJson(answer: HttpAnswer, what: string): unknown {
  try {
    return parsed(answer);
  } catch (cause) {
    throw new UnexpectedShape(`Mercado Libre no contestó JSON (${what})`, { status: answer.status, cause });
  }
}

function parsed(answer: HttpAnswer): unknown {
  return parseStorable(answer.body.toString('utf8').replace(/^\ufeff/, ''));
}

export function readShape<S extends z.ZodType>(schema: S, json: unknown, what: string): z.output<S> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const where = read.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ');
  throw new UnexpectedShape(`Mercado Libre contestó otra forma (${what}: ${where})`, { cause: read.error });
}

/** Returns the failure that a status stands for. The status decides, then the word for machines, never the text for people. */
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
    raw: answer.body.toString('utf8'),
  });
}

function jsonOrNothing(answer: HttpAnswer): unknown {
  try {
    return parsed(answer);
  } catch {
    return {};
  }
}
