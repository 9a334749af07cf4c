import { randomUUID } from 'node:crypto';
import type { Submission, SubmissionResult } from '@conform-to/react';
import { data, redirect } from '@remix-run/node';
import { LimitReached, NotAllowed, sinEspacio } from '~/core/errors';
import { flash } from './flash.server';
import type { Answer } from '~/core/submission';

type Reply = { hideFields?: string[]; formId?: string };

/** A form that does not pass its schema goes back as typed, 422; an intent (a row more, a row less) goes back with 200. */
export function invalid<Schema, Value>(
  submission: Submission<Schema, string[], Value>,
  { hideFields, formId }: Reply = {},
) {
  return data<Answer>(answerOf(submission.reply({ hideFields: hideFields as never }), formId), {
    status: submission.status === 'error' ? 422 : 200,
  });
}

/**
 * Runs the command and goes on to `to`, with a notice there if one is given. A NotAllowed goes back on the form, values kept: on its
 * field when it names one, else as a dialog with its title. Anything else rises.
 */
export async function submit<Schema, Value, Result>(
  submission: Submission<Schema, string[], Value>,
  run: () => Promise<Result>,
  to: string | ((result: Result) => string),
  {
    aviso,
    headers,
    status = 422,
    ...reply
  }: Reply & {
    aviso?: string | ((result: Result) => string);
    headers?: (result: Result) => HeadersInit;
    status?: number;
  } = {},
) {
  let result: Result;
  try {
    result = await run();
  } catch (error) {
    const full = sinEspacio(error);
    if (full) return refused(submission, full, { ...reply, status: 507 });
    if (!(error instanceof NotAllowed)) throw error;
    return refused(submission, error, { ...reply, status });
  }
  const sent = new Headers(headers?.(result));
  const texto = typeof aviso === 'function' ? aviso(result) : aviso;
  if (texto) sent.append('Set-Cookie', await flash(texto));
  return redirect(typeof to === 'function' ? to(result) : to, { headers: sent });
}

/** The same answer for a refusal that was caught elsewhere. A quota that is used up answers 429 and says when to come back, whatever the status of other refusals. */
export function refused<Schema, Value>(
  submission: Submission<Schema, string[], Value>,
  error: NotAllowed,
  { hideFields, formId, status = 422 }: Reply & { status?: number } = {},
) {
  const sent =
    error instanceof LimitReached
      ? { status: error.status, headers: { 'Retry-After': String(error.retryAfterSeconds) } }
      : { status };
  const where = error.campo ? { fieldErrors: { [error.campo]: [error.message] } } : { formErrors: [error.message] };
  return data<Answer>(
    {
      ...answerOf(submission.reply({ hideFields: hideFields as never, ...(where as object) }), formId),
      titulo: error.titulo,
      asunto: error.asunto,
    },
    sent,
  );
}

function answerOf(result: SubmissionResult, formId: string | undefined): Answer {
  return { ...result, id: randomUUID(), formId };
}
