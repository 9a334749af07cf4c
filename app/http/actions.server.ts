import { randomUUID } from 'node:crypto';
import { data, redirect, type ActionFunctionArgs } from '@remix-run/node';
import type { z } from 'zod';
import { needsProof, requireRight, type Action as Right } from '~/access/actions';
import { landingOf, usuarioOf } from '~/access/session.server';
import { NotAllowed, diskFullOf, Stale } from '~/core/errors';
import type { FormShape, Question, Wording } from '~/core/fieldRules';
import { withParams } from '~/core/list';
import {
  type Answer,
  askFirst,
  DESHACER,
  EN_SU_LUGAR,
  FORMA,
  isConfirmed,
  isDeclined,
  SECRETS,
} from '~/core/submission';
import { forget } from '~/platform/hoy/fresco.server';
import { transact, type Db, type Trx } from '~db/client.server';
import { db } from '~db/shared.server';
import { describeForm, marcasOf, namesOf } from './describeForm.server';
import { flash } from './flash.server';
import { proofOf, type Asking } from './proof.server';
import { readForm, rootOf } from './readForm.server';
import { statusOf } from './refusal.server';

type Usuario = ReturnType<typeof usuarioOf>;
type MaybePromise<T> = T | Promise<T>;

/** Place and time of a sent form, with what `open` found for the form. */
export type At<Opened = unknown> = Pick<ActionFunctionArgs, 'request' | 'params'> & {
  /** The address that the form was sent to: path without `.data`, and query. */
  path: string;
  search: string;
  ip: string;
  now: Date;
  /** The step that was pressed in the header of a stepper. The stepper goes on there once the present step is saved. */
  ir: string | undefined;
  opened: Opened;
};

/** The end of a command, where the end differs between forms of one intent. */
export class Outcome {
  constructor(
    readonly said: {
      aviso?: string;
      /** Time in ms that the notice stays, where people asked for another time. */
      dura?: number;
      /**
       * Fields that 'Deshacer' of the notice sends to the address of this form, beside the page of the press (`volver`). With `formulario: DESHACER` the person
       * comes back to that page, and a list shows a refusal as its dialog.
       */
      deshacer?: Record<string, string>;
      to?: string;
      headers?: [string, string][];
      /** A result to show on the page instead of going on; the page reads it as `useAnswer(intent).resultado`. */
      resultado?: unknown;
      /** With `resultado`: the present values of the fields, findings of a look-up included. */
      valores?: Answer['initialValue'];
    },
  ) {}
}
export const outcome = (said: Outcome['said']) => new Outcome(said);

/**
 * The question before a command runs. The same words for every form come with `hechos`, which tell what this form is about, so that nobody says
 * yes to words alone. A function returns both; null stands for a form that needs no question.
 */
type Asks<Form, Who, Opened> =
  | { confirm?: undefined; hechos?: undefined }
  | { confirm: Wording; hechos: (db: Db, form: Form, who: Who, at: At<Opened>) => MaybePromise<string | undefined> }
  | {
      confirm: (db: Db, form: Form, who: Who, at: At<Opened>) => MaybePromise<Question | null>;
      hechos?: undefined;
    };

/** One intent: its schema, who may send it, and its command. */
export type Intent<S extends z.ZodType, Who, Opened> = {
  /** The schema of the domain gives errors, marks and the input of the command. A schema that depends on what `open` found is not described to the browser. */
  schema: S | ((opened: Opened) => S);
  /** The fields that say which state the screen showed, for a schema that is a function. Any other schema tells them itself. */
  marcas?: string[];
  /** The right is checked before the form is read. Some rights ask for a proof as well, once nothing else speaks against the form. */
  right?: Right;
  /** The next address; without it the address where the form stood. */
  to?: string | ((form: z.output<S>, at: At<Opened>, who: Who) => string);
  aviso?: string;
  /** Set where the act may finish its record: a list that the record leaves by it opens the next one. */
  termina?: true;
  /** Status of a refusal of the business; 422 without it. */
  status?: number;
  /** In a stepper, the intent that saves what was typed when a step of the header is pressed, since the step's own intent does more than save. */
  alIr?: string;
  /** Data that stays beside a form that comes back; the page reads it as `useAnswer(intent).resultado`. */
  beside?: (db: Db, typed: FormData, who: Who, at: At<Opened>) => MaybePromise<unknown>;
} & Asks<z.output<S>, Who, Opened> &
  (
    | { run: (db: Db, form: z.output<S>, who: Who, at: At<Opened>) => Promise<unknown>; commit?: never }
    /** The command, run in one transaction. */
    | { commit: (trx: Trx, form: z.output<S>, who: Who, at: At<Opened>) => Promise<unknown>; run?: never }
  );

/** A row of any schema. Its functions receive what that schema made of a form. */
type AnyIntent<Who, Opened> = Pick<
  Intent<z.ZodType, Who, Opened>,
  'schema' | 'marcas' | 'right' | 'aviso' | 'termina' | 'status' | 'beside' | 'alIr'
> & {
  confirm?: Wording | ((db: Db, form: never, who: Who, at: At<Opened>) => MaybePromise<Question | null>) | undefined;
  hechos?: ((db: Db, form: never, who: Who, at: At<Opened>) => MaybePromise<string | undefined>) | undefined;
  to?: string | ((form: never, at: At<Opened>, who: Who) => string);
  run?: (db: Db, form: never, who: Who, at: At<Opened>) => Promise<unknown>;
  commit?: (trx: Trx, form: never, who: Who, at: At<Opened>) => Promise<unknown>;
};

type Intents<S extends Record<string, z.ZodType>, Who, Opened> = { [K in keyof S]: Intent<S[K], Who, Opened> };
/** Finds what every intent acts on. `typed` holds the text fields of the form as they were sent. */
type Open<Opened> = (args: ActionFunctionArgs, typed: Record<string, string>) => MaybePromise<Opened>;

/** An action as a route exports it, with the description that its forms read. */
export type ScreenAction = ((args: ActionFunctionArgs) => Promise<Response | ReturnType<typeof data<Answer>>>) & {
  formularios: Record<string, FormShape>;
  /** The hidden fields of each intent that say which state the screen showed. */
  marcas: Record<string, string[]>;
  /** The right that each intent asks for beside the roles of its screen. */
  derechos: Record<string, Right | undefined>;
};

/**
 * Defines the action of a screen, one row per intent. The order is right, schema, question, proof where the right needs one, command, answer. A
 * refusal of the business goes back to its form with what was typed; any other failure rises.
 *
 * With `open` before the rows, every intent acts on what `open` finds (`at.opened`).
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

/** Rows that several screens spread into their tables, whatever each screen opens. */
export function defineRows<S extends Record<string, z.ZodType>>(
  rows: Intents<S, Usuario, unknown>,
): Intents<S, Usuario, unknown> {
  return rows;
}

/** The action of a page without a session: a command receives what `open` found instead of a user. `open` may throw a redirect. */
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
    // A form may have an intent, and so may the button that sent it. The button's intent comes last and counts.
    const name = sent.at(-1);
    const formId = String(form.get('formulario') ?? sent[0]);
    const { byRouter, otraConstruccion } = args.context;
    if (typeof name !== 'string' || !Object.hasOwn(rows, name)) {
      // A page of another version may know an intent that is gone, and stays as it is.
      if (byRouter && form.has(FORMA)) return answerOtraForma(form, formId);
      throw data({ titulo: 'Error.', texto: 'Esta pantalla no conoce esa acción.' }, { status: 400 });
    }
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
      // `index` is Remix's mark of a home page and belongs to no address of ours.
      search: withParams(url.search, { index: null, _routes: null }),
      ip: args.context.ip,
      now: new Date(),
      ir,
      opened,
    };
    // A form that comes back shows every field that was typed, also fields that the button's intent does not read.
    const own = typeof sent[0] === 'string' && Object.hasOwn(rows, sent[0]) ? rows[sent[0]]! : row;
    const forma = typeof sent[0] === 'string' ? formularios[sent[0]]?.forma : undefined;
    const isOtra = form.has(FORMA) && forma !== undefined && form.get(FORMA) !== forma;
    if (isOtra && byRouter) return answerOtraForma(form, formId);
    // A form that carries no mark is told by its page: what its schema says may be about fields that an older page does not have.
    const isOld = byRouter === true && otraConstruccion === true && !form.has(FORMA);
    const sentBy = { form, formId, typedAs: schemaOf(own, opened), isOtra, isOld, ask };
    return answer(row, sentBy, whoOf(args, opened), at);
  };
  const formularios: Record<string, FormShape> = Object.fromEntries(
    Object.entries(rows).map(([name, { schema, confirm, termina }]) => [
      name,
      {
        ...(typeof schema === 'function' ? { fields: {} } : describeForm(schema)),
        ...(confirm && { asks: true as const }),
        ...(typeof confirm === 'object' && { question: confirm }),
        ...(termina && { termina }),
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

/** The schemas of an action by intent, for descriptions and tests. Undefined for a schema that depends on what `open` finds. */
export const schemasOf = (action: object): Record<string, z.ZodType | undefined> => SCHEMAS.get(action) ?? {};

/** What is said of a form whose fields are no longer those of its page. Nothing of it is read: its errors would be about fields that the page does not have. */
const OTRA_FORMA = {
  titulo: 'Esta pantalla cambió.',
  texto: 'Hay una versión nueva de esta pantalla y no se guardó nada.',
} as const;

/** Answers a page that stays as it is, with everything typed in it. From status 400 on the router reads no data again, which would be of another version. */
function answerOtraForma(form: FormData, formId: string) {
  const answer: Answer = {
    status: 'error',
    titulo: OTRA_FORMA.titulo,
    error: {
      '': [
        `${OTRA_FORMA.texto} Vuelve a cargar la página: lo que escribiste se conserva, salvo contraseñas y archivos.`,
      ],
    },
    // A field that is left would be checked, and take the refusal away.
    state: { validated: Object.fromEntries([...form.keys()].map((name) => [name, true])) },
    id: randomUUID(),
    formId,
    otraForma: true,
  };
  return data<Answer>(answer, { status: 409 });
}

function answerAsking(asked: Awaited<Asking>) {
  return data<Answer>(asked ? { probar: asked.probar } : {}, asked?.init);
}

/** Returns what was opened, or the redirect that `open` threw. */
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
    isOtra,
    isOld,
    ask,
  }: {
    form: FormData;
    formId: string;
    typedAs: z.ZodType;
    isOtra: boolean;
    isOld: boolean;
    ask?: (() => Asking) | undefined;
  },
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

  // Without scripts the answer is the page of this version, with what was typed.
  if (isOtra) {
    const texto = `${OTRA_FORMA.texto} Revisa lo que escribiste y vuelve a enviarlo.`;
    return back({ status: 409 }, { status: 'error', titulo: OTRA_FORMA.titulo, error: { '': [texto] } });
  }
  if (isOld && submission.status === 'error') return answerOtraForma(form, formId);
  // Adding or removing a row of a list changes the form alone, so the answer is 200.
  if (submission.status !== 'success') return back({ status: submission.status === 'error' ? 422 : 200 }, {});
  // After a no the form comes back with what was typed.
  if (isDeclined(form)) return back({ status: 200 }, { status: undefined });
  const value = submission.value as never;
  let question: Wording | Question | null | undefined;
  try {
    question = typeof row.confirm === 'function' ? await row.confirm(db(), value, who, at) : row.confirm;
  } catch (error) {
    // A form that would be refused after the yes is refused before the question.
    if (!(error instanceof NotAllowed)) throw error;
    return refuse(error);
  }
  if (question && !isConfirmed(form)) {
    // A question without JavaScript is a page, and secrets and files travel through no page. Their forms have a checkbox instead.
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
      ? await transact(db(), (trx) => commit(trx, value, who, at))
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
        await flash(aviso, {
          dura,
          deshacer: deshacer && { action: at.path + at.search.replace(/^\?$/, ''), campos: deshacer },
        }),
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
    if (form.has(EN_SU_LUGAR)) {
      // The page that stays counts again what waits, and this is done.
      forget();
      return await back({ status: 200, headers }, { status: undefined, resultado: null });
    }
    const next = () => (typeof row.to === 'function' ? row.to(value, at, who) : (row.to ?? at.search));
    return redirect((formId === DESHACER ? undone(form, who) : undefined) ?? to ?? next(), { headers });
  } catch (error) {
    const full = diskFullOf(error);
    if (full) return back({ status: 507 }, { titulo: full.titulo }, errorsOf(full));
    if (!(error instanceof NotAllowed)) throw error;
    return refuse(error);
  }
}

/** Returns the page of a notice whose 'Deshacer' a person of the staff pressed; undefined where the form names none. */
function undone(form: FormData, who: unknown): string | undefined {
  const volver = form.get('volver');
  const isUsuario = typeof who === 'object' && who !== null && 'rol' in who;
  return typeof volver === 'string' && isUsuario ? landingOf(who as Usuario, volver) : undefined;
}

function errorsOf({ campo, message }: NotAllowed): object {
  return campo ? { fieldErrors: { [campo]: [message] } } : { formErrors: [message] };
}

const textsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

/** Returns the sent fields that hold keys and passwords. No page carries such a field. */
function secretsOf(form: FormData, schema: z.ZodType): Set<string> {
  const { names, secrets, open } = namesOf(schema);
  const sent = [...form.keys()].map(rootOf).filter((name) => open || names.has(name));
  return new Set(sent.filter((name) => SECRETS.test(name) || secrets.has(name)));
}
