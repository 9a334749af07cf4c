import { data } from '@remix-run/node';
import pg from 'pg';
import { ZodError } from 'zod';
import type { DataFunction, Door } from '~/access/guard.server';
import { ROLES } from '~/access/screens';
import { isUnprocessable } from '~/core/answerStatus.server';
import { databaseAwayOf, diskFullOf, FALLO, LimitReached, NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import type { Answer } from '~/core/submission';
import { UnreadableForm } from './sent.server';
import { answerWithoutPage } from './withoutPage.server';

/**
 * Wraps a loader or an action. No browser keeps its answer, and a failure becomes a status with words for people. The description of a screen's
 * forms travels with the data of its loader.
 */
export const answering: Door = (id, run, { page, action }) => {
  const forms = page && isScreenAction(action) ? { formularios: action.formularios } : undefined;
  return async (args) => {
    try {
      if (page && !isFrame(id) && asksTwice(args.request)) throw data(ASKED_TWICE, { status: 400 });
      const result = withForms(await run(args), forms);
      // No page can show this form again, so the answer is what was wrong with the form.
      if (!page && isDataResponse(result)) throw refusalOf(result);
      if (result instanceof Response && !result.headers.has('Cache-Control'))
        result.headers.set('Cache-Control', 'no-store');
      return isUnprocessable(args.request) && !(result instanceof Response) && !isDataResponse(result)
        ? data(result, { status: 422 })
        : result;
    } catch (thrown) {
      const answer = answerOf(thrown, id, args);
      // Remix takes a document's headers from its routes, and a route that failed gives none.
      const later = page && isDataResponse(answer) && new Headers(answer.init?.headers).get('Retry-After');
      if (later) args.context.comeBackIn?.(later);
      throw !page && isDataResponse(answer) ? answerWithoutPage(asObject(answer.data), answer.init, args) : answer;
    }
  };
};

const ASKED_TWICE = { titulo: 'Error.', texto: 'No se entiende la dirección.' } as const;

/** Returns whether a route stands around screens. The page of a refusal shows the data of such routes. */
const isFrame = (id: string) => ['root', 'public', ...ROLES].includes(id);

/** Returns whether an address gives one name two values. No screen reads more than one. */
function asksTwice({ url }: Request): boolean {
  const names = [...new URL(url).searchParams.keys()];
  return new Set(names).size < names.length;
}

function refusalOf({ data: answer, init }: ReturnType<typeof data>): unknown {
  const { titulo = FALLO.titulo, error } = answer as Answer;
  return data({ titulo, texto: [...new Set(Object.values(error ?? {}).flat())].join(' ') }, init ?? undefined);
}

/** Returns what the error page shows: the words of a refusal of the business, or the number of an incident that the log explains. */
function answerOf(error: unknown, id: string, { request, context }: Parameters<DataFunction>[0]): unknown {
  if (error instanceof Response || isDataResponse(error) || request.signal.aborted) return error;
  const away = databaseAwayOf(error);
  if (away) log.warn('la base de datos no contesta', { incidente: context.requestId, ruta: id });
  const thrown = away ?? error;
  // A notice and what a page writes by being opened meet a full disk too, and a marketplace repeats what was not taken.
  const full = diskFullOf(thrown);
  if (full) return data({ titulo: full.titulo, texto: full.message }, { status: 507 });
  if (thrown instanceof LimitReached) {
    return data(
      { titulo: thrown.titulo, texto: thrown.message },
      { status: thrown.status, headers: { 'Retry-After': String(thrown.retryAfterSeconds) } },
    );
  }
  if (thrown instanceof NotAllowed) return data({ titulo: thrown.titulo, texto: thrown.message }, { status: 422 });
  if (thrown instanceof UnreadableForm)
    return data({ titulo: 'Error.', texto: 'No se entiende lo que se envió.' }, { status: 400 });
  if (isBadInput(thrown)) {
    // A schema should have refused this value: people get 400, and the log says which schema is missing.
    log.warn('lo que se envió no pasó de la base de datos', {
      incidente: context.requestId,
      ruta: id,
      causa: causeOf(thrown),
    });
    return data(
      { titulo: 'Error de llenado.', texto: 'Algunos datos no se pueden guardar, por favor revisar sus datos' },
      { status: 422 },
    );
  }
  log.error('fallo al atender', thrown, { incidente: context.requestId, ruta: id });
  return data({ incidente: context.requestId }, { status: 500 });
}

/** SQLSTATE of a NUL in a text, a NUL in jsonb, and a number that its column cannot hold. */
const UNSTORABLE = new Set(['22021', '22P05', '22003']);

/** Returns the place of a failure without the values that were sent, since a log holds nobody's data. */
function causeOf(thrown: ZodError | pg.DatabaseError): string {
  if (thrown instanceof ZodError) return thrown.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ');
  return [thrown.code, thrown.table, thrown.column, thrown.routine].filter(Boolean).join(' ');
}

function isBadInput(thrown: unknown): thrown is ZodError | pg.DatabaseError {
  return thrown instanceof ZodError || (thrown instanceof pg.DatabaseError && UNSTORABLE.has(thrown.code ?? ''));
}

type Forms = { formularios: unknown };

function isScreenAction(action: unknown): action is Forms {
  return typeof action === 'function' && 'formularios' in action;
}

function withForms(result: unknown, forms: Forms | undefined): unknown {
  if (!forms || result instanceof Response) return result;
  // A loader that describes its forms itself keeps its description, which may be empty.
  if (isDataResponse(result)) return data({ ...forms, ...asObject(result.data) }, result.init ?? undefined);
  return { ...forms, ...asObject(result) };
}

const asObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});

/** The result of `data()`, whose class Remix does not export. */
function isDataResponse(thrown: unknown): thrown is ReturnType<typeof data> {
  return typeof thrown === 'object' && thrown !== null && 'type' in thrown && thrown.type === 'DataWithResponseInit';
}
