import { data } from '@remix-run/node';
import type { DataFunction } from '~/access/guard.server';
import { isUnprocessable } from '~/core/answerStatus.server';
import { LimitReached, NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { refuseHugeForms } from './formShape.server';

/** The door every loader and action answers through: nothing is kept by a browser, and what fails becomes a status with words for people. */
export function answering(id: string, run: DataFunction): DataFunction {
  return async (args) => {
    try {
      refuseHugeForms(args.request);
      const result = await run(args);
      if (result instanceof Response && !result.headers.has('Cache-Control'))
        result.headers.set('Cache-Control', 'no-store');
      return isUnprocessable(args.request) && !(result instanceof Response) && !isDataResponse(result)
        ? data(result, { status: 422 })
        : result;
    } catch (thrown) {
      throw answerOf(thrown, id, args);
    }
  };
}

/** What the error page gets: a business refusal in its own words, anything unexpected as the number of an incident that the log explains. */
function answerOf(thrown: unknown, id: string, { request, context }: Parameters<DataFunction>[0]): unknown {
  if (thrown instanceof Response || isDataResponse(thrown) || request.signal.aborted) return thrown;
  if (thrown instanceof LimitReached) {
    return data(
      { titulo: thrown.titulo, texto: thrown.message },
      { status: 429, headers: { 'Retry-After': String(thrown.retryAfterSeconds) } },
    );
  }
  if (thrown instanceof NotAllowed) return data({ titulo: thrown.titulo, texto: thrown.message }, { status: 422 });
  if (isUnreadableForm(thrown))
    return data({ titulo: 'Error.', texto: 'No se entiende lo que se envió.' }, { status: 400 });
  log.error('fallo al atender', thrown, { incidente: context.requestId, ruta: id });
  return data({ incidente: context.requestId }, { status: 500 });
}

/** What `request.formData()` throws for a body that is not the form it says it is. */
function isUnreadableForm(thrown: unknown): boolean {
  return thrown instanceof TypeError && /FormData|boundary/i.test(thrown.message);
}

/** What `data()` makes; Remix does not export its class. */
function isDataResponse(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'type' in thrown && thrown.type === 'DataWithResponseInit';
}
