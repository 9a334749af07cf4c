import type { SubmissionResult } from '@conform-to/react';
import type { Choque } from './choque';
import type { Asunto } from './errors';
import type { Rechazo } from './rechazo';
import type { Question } from './fieldRules';

/** A question that an action asks before acting (see ui/Confirm). `campos` repeats the form. */
export type PendingConfirmation = Omit<Question, 'marcas'> & { campos: [name: string, value: string][] };

/**
 * A demand for proof of identity before a form goes on (see ui/Prueba). The form waits on the server under `token`.
 * `vencida`: the form waited too long, and nothing was done. `conArchivo`: the form had files, which do not wait: the person chooses them again afterwards.
 */
export type PendingProof = {
  token: string;
  intent: string;
  formulario: string | null;
  usuario: string;
  /** True when a code of the second factor serves as well as the password. */
  conCodigo: boolean;
  error: Record<string, string[]>;
  vencida?: true;
  conArchivo?: true;
};

/**
 * Answer of an action to a form: conform's result, and fields of ours. `titulo`, `asunto` and `rechazo` belong to a refusal. `id`
 * tells two equal answers apart. `formId` names the form on a page with several forms. `confirmar` is a question to
 * answer first, and `probar` a proof to give first.
 */
export type Answer = SubmissionResult & {
  titulo?: string;
  asunto?: Asunto;
  rechazo?: Rechazo;
  id?: string;
  formId?: string;
  confirmar?: PendingConfirmation;
  probar?: PendingProof;
  /** The record changed meanwhile (see ui/Choque). */
  choque?: Choque;
  /** The browser believes that the form never reached the server; the page keeps the typed values. */
  sinRed?: true;
  /** The fields of this form changed since its page was loaded, so the page has to be loaded again. */
  otraForma?: true;
  /** Result of a look-up, or of an act whose result is shown at once. */
  resultado?: unknown;
};

/** The field of a form with the mark of the fields that its page knows (`FormShape.forma`). A form of another version may have another mark. */
export const FORMA = 'forma';
/** The field of a form that is sent from a cell of a list: its answer comes to the cell, and no page is left for another. */
export const EN_SU_LUGAR = 'enSuLugar';
/** The name under which 'Deshacer' of a notice sends its form. The page of the notice is its field `volver`. */
export const DESHACER = 'deshacer';

/** Returns the answer when the answer belongs to this form and asks nothing; undefined otherwise. */
export function answerTo(formId: string, answer: Answer | undefined): Answer | undefined {
  return answer && !answer.confirmar && !answer.probar && (answer.formId === undefined || answer.formId === formId)
    ? answer
    : undefined;
}

/** Names of fields whose value never travels through a page. */
export const SECRETS = /password|contrase|confirmar/i;

/** Returns whether the form carries a yes to its question. */
export function isConfirmed(form: FormData): boolean {
  return form.get('confirmado') === '1';
}

/** Returns whether the form carries a no, sent by pages without a dialog. */
export function isDeclined(form: FormData): boolean {
  return form.get('confirmado') === '0';
}

/**
 * Returns the question to answer before the form is sent again with a yes. The answer repeats the fields of the form,
 * without files and secrets: forms with those ask by a checkbox of their own.
 */
export function askFirst(form: FormData, { marcas = {}, ...question }: Question): Answer {
  const campos: [string, string][] = [];
  for (const [name, value] of form)
    if (typeof value === 'string' && name !== 'confirmado' && !SECRETS.test(name) && !Object.hasOwn(marcas, name))
      campos.push([name, value]);
  return { confirmar: { ...question, campos: [...campos, ...Object.entries(marcas)] } };
}

/** Returns the fields of a form in the words that a browser sends. */
export const wordsOf = (envia: Readonly<Record<string, string | number | boolean>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(envia).map(([name, value]) => [name, value === true ? '1' : value === false ? '0' : String(value)]),
  );
