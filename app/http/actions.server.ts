import { randomUUID } from 'node:crypto';
import { data, redirect, type ActionFunctionArgs } from '@remix-run/node';
import type { z } from 'zod';
import { needsProof, requireRight, type Action as Right } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { NotAllowed, diskFullOf, Stale } from '~/core/errors';
import type { FormShape, Question, Wording } from '~/core/fieldRules';
import { withParams } from '~/core/list';
import { type Answer, askFirst, isConfirmed, isDeclined, SECRETS } from '~/core/submission';
import type { Db, Trx } from '~db/client.server';
import { db } from '~db/shared.server';
import { describeForm, marcasOf, namesOf } from './describeForm.server';
import { flash } from './flash.server';
import { proofOf, type Asking } from './proof.server';
import { readForm, rootOf } from './readForm.server';
import { statusOf } from './refusal.server';

type Usuario = ReturnType<typeof usuarioOf>;
type MaybePromise<T> = T | Promise<T>;

/** Where and when a form was sent, and what `open` found for it. */
export type At<Opened = unknown> = Pick<ActionFunctionArgs, 'request' | 'params'> & {
  /** The address it was sent to: path without `.data`, and query. */
  path: string;
  search: string;
  ip: string;
  now: Date;
  /** The step that was pressed in the header of a stepper: there it goes on once this one is saved. */
  ir: string | undefined;
  opened: Opened;
};

/** How a command ends when that is not the same for every form of its intent. */
export class Outcome {
  constructor(
    readonly said: {
      aviso?: string;
      /** How long that notice stays, in ms, where people asked for another time. */
      dura?: number;
      /** What that notice's 'Deshacer' sends to where this form was sent, beside the page it is pressed on (`volver`). */
      deshacer?: Record<string, string>;
      to?: string;
      headers?: [string, string][];
      /** Something to show on the page instead of going on: it comes to `useAnswer(intent).resultado`. */
      resultado?: unknown;
      /** With `resultado`: what the fields hold now, a look-up's findings among them. */
      valores?: Answer['initialValue'];
    },
  ) {}
}
export const outcome = (said: Outcome['said']) => new Outcome(said);

/**
 * The question asked back before anything is done. Nobody says yes to words alone: one that is the same for every form comes with a row that tells what this
 * form is about. A function tells both; its null is a form that needs no question.
 */
type Asks<Form, Who, Opened> =
  | { confirm?: undefined; hechos?: undefined }
  | { confirm: Wording; hechos: (db: Db, form: Form, who: Who, at: At<Opened>) => MaybePromise<string | undefined> }
  | {
      confirm: (db: Db, form: Form, who: Who, at: At<Opened>) => MaybePromise<Question | null>;
      hechos?: undefined;
    };

/** What one intent takes, who may send it, and what it does. */
export type Intent<S extends z.ZodType, Who, Opened> = {
  /** The domain's: errors, marks and what a command receives all come from it. As a function of what `open` found, it says nothing in the browser. */
  schema: S | ((opened: Opened) => S);
  /** Of a schema that is a function, the fields that say which state the screen showed; any other tells them itself. */
  marcas?: string[];
  /** Asked before the form is looked at. Some rights ask for a proof as well, once nothing else speaks against the form. */
  right?: Right;
  /** Where it goes on; without it, to the address the form stood at. */
  to?: string | ((form: z.output<S>, at: At<Opened>, who: Who) => string);
  aviso?: string;
  /** Of a refusal of the business; 422 without it. */
  status?: number;
  /** In a stepper, the intent that keeps what was typed when a step of its header is pressed: its own does more than save. */
  alIr?: string;
  /** What stays known beside a form that comes back; `useAnswer(intent).resultado`. */
  beside?: (db: Db, typed: FormData, who: Who, at: At<Opened>) => MaybePromise<unknown>;
} & Asks<z.output<S>, Who, Opened> &
  (
    | { run: (db: Db, form: z.output<S>, who: Who, at: At<Opened>) => Promise<unknown>; commit?: never }
    /** The same in one transaction. */
    | { commit: (trx: Trx, form: z.output<S>, who: Who, at: At<Opened>) => Promise<unknown>; run?: never }
  );

/** Any row, once it does not matter what its schema makes of a form: only what that made is handed to it. */
type AnyIntent<Who, Opened> = Pick<
  Intent<z.ZodType, Who, Opened>,
  'schema' | 'marcas' | 'right' | 'aviso' | 'status' | 'beside' | 'alIr'
> & {
  confirm?: Wording | ((db: Db, form: never, who: Who, at: At<Opened>) => MaybePromise<Question | null>) | undefined;
  hechos?: ((db: Db, form: never, who: Who, at: At<Opened>) => MaybePromise<string | undefined>) | undefined;
  to?: string | ((form: never, at: At<Opened>, who: Who) => string);
  run?: (db: Db, form: never, who: Who, at: At<Opened>) => Promise<unknown>;
  commit?: (trx: Trx, form: never, who: Who, at: At<Opened>) => Promise<unknown>;
};

type Intents<S extends Record<string, z.ZodType>, Who, Opened> = { [K in keyof S]: Intent<S[K], Who, Opened> };
/** `typed` is what the form's text fields hold, before any schema looked at it. */
type Open<Opened> = (args: ActionFunctionArgs, typed: Record<string, string>) => MaybePromise<Opened>;

/** An action as a route exports it, with what its forms may know of it. */
export type ScreenAction = ((args: ActionFunctionArgs) => Promise<Response | ReturnType<typeof data<Answer>>>) & {
  formularios: Record<string, FormShape>;
  /** Which hidden fields of each intent say which state its screen showed. */
  marcas: Record<string, string[]>;
  /** The right that each intent asks for beside the roles of its screen. */
  derechos: Record<string, Right | undefined>;
};

/**
 * The action of a screen: what may be sent to it, one row per intent. In this order: right, schema, question, proof where the right needs one, command, answer.
 * A refusal of the business goes back on its form with what was typed; anything else rises.
 *
 * With `open` before the rows, every intent acts on what it finds (`at.opened`).
 */
export function defineActions<S extends Record<string, z.ZodType>>(rows: Intents<S, Usuario, undefined>): ScreenAction;
export function defineActions<S extends Record<string, z.ZodType>, Opened>(
  open: Open<Opened>,
  rows: Intents<S, Usuario, Opened>,
): ScreenAction;
export function defineActions<S extends Record<string, z.ZodType>, Opened>(
  ...given: [Intents<S, Usuario, Opened>] | [Open<Opened>, Intents<S, Usuario, Opened>]
): ScreenAction {
  const [open, rows] = given.length === 2 ? given : [() => undefined as Opened, given[0]];
  return actionOf(rows, open, (args) => usuarioOf(args.context));
}

/** Rows that several screens spread into their table, whatever those open. */
export function defineRows<S extends Record<string, z.ZodType>>(
  rows: Intents<S, Usuario, unknown>,
): Intents<S, Usuario, unknown> {
  return rows;
}

/** The same where nobody has signed in: a command receives what `open` found instead of a user. It may throw a redirect. */
export function definePublicActions<S extends Record<string, z.ZodType>, Opened>(
  open: Open<Opened>,
  rows: Intents<S, Opened, Opened>,
): ScreenAction {
  return actionOf(rows, open, (_args, opened) => opened);
}

function actionOf<Who, Opened>(
  rows: Record<string, AnyIntent<Who, Opened>>,
  open: Open<Opened>,
  whoOf: (args: ActionFunctionArgs, opened: Opened) => Who,
): ScreenAction {
  const action = async (args: ActionFunctionArgs) => {
    const proof = await proofOf(args);
    const { form } = proof;
    const sent = form.getAll('intent');
    // A button's own intent comes after the one its form stands for.
    const name = sent.at(-1);
    if (typeof name !== 'string' || !Object.hasOwn(rows, name))
      throw data({ titulo: 'Error.', texto: 'Esta pantalla no conoce esa acción.' }, { status: 400 });
    const ir = /^[1-9]$/.exec(String(form.get('ir')))?.[0];
    const row = rows[(ir && rows[name]!.alIr) ?? name]!;
    if (row.right) requireRight(usuarioOf(args.context), row.right);
    const proves = row.right !== undefined && needsProof(row.right);
    if (proves && (proof.gone || proof.first)) {
      const asked = await proof.ask();
      if (asked) return answerAsking(asked);
    }
    const ask = proves && !proof.first ? () => proof.ask() : undefined;
    const opened = await openOr(() => open(args, textsOf(form)));
    if (opened instanceof Response) return opened;
    const url = new URL(args.request.url);
    const at: At<Opened> = {
      request: args.request,
      params: args.params,
      path: url.pathname.replace(/\.data$/, ''),
      // A home's own mark stays out of the address.
      search: withParams(url.search, { index: null, _routes: null }),
      ip: args.context.ip,
      now: new Date(),
      ir,
      opened,
    };
    // The form a button stands in keeps what was typed, also in fields that the button's own intent does not read.
    const own = typeof sent[0] === 'string' && Object.hasOwn(rows, sent[0]) ? rows[sent[0]]! : row;
    const formId = String(form.get('formulario') ?? sent[0]);
    const sentBy = { form, formId, typedAs: schemaOf(own, opened), ask };
    return answer(row, sentBy, whoOf(args, opened), at);
  };
  const formularios = Object.fromEntries(
    Object.entries(rows).map(([name, { schema, confirm }]) => [
      name,
      {
        ...(typeof schema === 'function' ? { fields: {} } : describeForm(schema)),
        ...(confirm && { asks: true as const }),
        ...(typeof confirm === 'object' && { question: confirm }),
      },
    ]),
  );
  const marcas = Object.fromEntries(
    Object.entries(rows).map(([name, { schema, marcas }]) => [
      name,
      typeof schema === 'function' ? (marcas ?? []) : marcasOf(schema),
    ]),
  );
  SCHEMAS.set(
    action,
    Object.fromEntries(
      Object.entries(rows).map(([name, { schema }]) => [name, typeof schema === 'function' ? undefined : schema]),
    ),
  );
  const derechos = Object.fromEntries(Object.entries(rows).map(([name, { right }]) => [name, right]));
  return Object.assign(action, { formularios, marcas, derechos });
}

const SCHEMAS = new WeakMap<object, Record<string, z.ZodType | undefined>>();

/** What may be sent to an action, by intent, for whoever describes it or tries it; without a schema where that depends on what `open` finds. */
export const schemasOf = (action: object): Record<string, z.ZodType | undefined> => SCHEMAS.get(action) ?? {};

function answerAsking(asked: Awaited<Asking>) {
  return data<Answer>(asked ? { probar: asked.probar } : {}, asked?.init);
}

/** What `open` throws to lead elsewhere is the answer. */
async function openOr<Opened>(open: () => MaybePromise<Opened>): Promise<Opened | Response> {
  try {
    return await open();
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

function schemaOf<Who, Opened>({ schema }: AnyIntent<Who, Opened>, opened: Opened): z.ZodType {
  return typeof schema === 'function' ? schema(opened) : schema;
}

async function answer<Who, Opened>(
  row: AnyIntent<Who, Opened>,
  {
    form,
    formId,
    typedAs,
    ask,
  }: { form: FormData; formId: string; typedAs: z.ZodType; ask?: (() => Asking) | undefined },
  who: Who,
  at: At<Opened>,
) {
  const schema = schemaOf(row, at.opened);
  const submission = readForm(form, schema);
  const secrets = secretsOf(form, schema);
  const hideFields = [...secrets] as never;
  const back = async (init: ResponseInit, said: Partial<Answer>, errors: object = {}) => {
    const resultado = row.beside && (await row.beside(db(), form, who, at));
    return data<Answer>(
      {
        ...submission.reply({ hideFields, ...errors }),
        ...(typedAs !== schema && { initialValue: readForm(form, typedAs).reply({ hideFields }).initialValue }),
        ...(resultado !== undefined && { resultado }),
        ...said,
        id: randomUUID(),
        formId,
      },
      init,
    );
  };
  const refuse = (refusal: NotAllowed) =>
    back(
      statusOf(refusal, row.status),
      {
        titulo: refusal.titulo,
        asunto: refusal.asunto,
        rechazo: refusal.rechazo,
        ...(refusal instanceof Stale && { choque: refusal.choque }),
      },
      errorsOf(refusal),
    );

  // A button that adds or removes a row comes back with 200.
  if (submission.status !== 'success') return back({ status: submission.status === 'error' ? 422 : 200 }, {});
  // A no is the form again, with what was typed.
  if (isDeclined(form)) return back({ status: 200 }, { status: undefined });
  const value = submission.value as never;
  let question: Wording | Question | null | undefined;
  try {
    question = typeof row.confirm === 'function' ? await row.confirm(db(), value, who, at) : row.confirm;
  } catch (error) {
    // What would be refused after a yes is refused before it.
    if (!(error instanceof NotAllowed)) throw error;
    return refuse(error);
  }
  if (question && !isConfirmed(form)) {
    // Secrets and files do not travel through a page: their forms ask with a checkbox of their own, where there is no dialog.
    if (
      [...form].every(([name, sent]) => typeof sent === 'string' && !SECRETS.test(name) && !secrets.has(rootOf(name)))
    )
      return data<Answer>(askFirst(form, { hechos: await row.hechos?.(db(), value, who, at), ...question }));
    return refuse(new NotAllowed(question.titulo, question.texto));
  }
  const asked = await ask?.();
  if (asked) return answerAsking(asked);
  try {
    const { commit } = row;
    const result = commit
      ? await db()
          .transaction()
          .execute((trx) => commit(trx, value, who, at))
      : await row.run?.(db(), value, who, at);
    const {
      aviso = row.aviso,
      dura,
      deshacer,
      to,
      headers: sent = [],
      ...shown
    } = result instanceof Outcome ? result.said : {};
    const headers = new Headers(sent);
    if (aviso)
      headers.append(
        'Set-Cookie',
        await flash(aviso, { dura, deshacer: deshacer && { action: at.path, campos: deshacer } }),
      );
    if ('resultado' in shown)
      return await back(
        { status: 200, headers },
        {
          status: undefined,
          resultado: shown.resultado,
          ...(shown.valores && { initialValue: shown.valores }),
        },
      );
    return redirect(to ?? (typeof row.to === 'function' ? row.to(value, at, who) : (row.to ?? at.search)), {
      headers,
    });
  } catch (error) {
    const full = diskFullOf(error);
    if (full) return back({ status: 507 }, { titulo: full.titulo }, errorsOf(full));
    if (!(error instanceof NotAllowed)) throw error;
    return refuse(error);
  }
}

function errorsOf({ campo, message }: NotAllowed): object {
  return campo ? { fieldErrors: { [campo]: [message] } } : { formErrors: [message] };
}

const textsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

/** What never travels through a page, keys and passwords, by the name its schema has, in whatever shape it was sent. */
function secretsOf(form: FormData, schema: z.ZodType): Set<string> {
  const { names, secrets, open } = namesOf(schema);
  const sent = [...form.keys()].map(rootOf).filter((name) => open || names.has(name));
  return new Set(sent.filter((name) => SECRETS.test(name) || secrets.has(name)));
}
