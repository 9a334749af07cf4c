import type { SubmissionResult } from '@conform-to/react';
import type { Choque } from './choque';
import type { Asunto } from './errors';
import type { Question } from './fieldRules';

/** A question an action asks back before it does something (see ui/Confirm). */
export type PendingConfirmation = Omit<Question, 'marcas'> & { campos: [name: string, value: string][] };

/**
 * Who sent a form has to prove who they are before it goes on (see ui/Prueba). The form waits on the server under its
 * token. `vencida`: it waited too long, and nothing was done.
 */
export type PendingProof = {
  token: string;
  intent: string;
  formulario: string | null;
  usuario: string;
  /** A code of their second factor will do as well as their password. */
  conCodigo: boolean;
  error: Record<string, string[]>;
  vencida?: true;
};

/**
 * What an action answers to a form: conform's result and what ours adds. `titulo` and `asunto` are those of a
 * refusal. `id` tells two equal answers apart. `formId` names the form on a page of several. `confirmar` is the
 * question that the action asks back, and `probar` the proof it asks for.
 */
export type Answer = SubmissionResult & {
  titulo?: string;
  asunto?: Asunto;
  id?: string;
  formId?: string;
  confirmar?: PendingConfirmation;
  probar?: PendingProof;
  /** What was decided about moved meanwhile (see ui/Choque). */
  choque?: Choque;
  /** The server never had it, as far as anyone knows: said by the browser, with everything still on the page. */
  sinRed?: true;
  /** What a look-up found, or what was made and is shown at once. */
  resultado?: unknown;
};

/** The answer if it speaks to this form. */
export function answerTo(formId: string, answer: Answer | undefined): Answer | undefined {
  return answer && !answer.confirmar && !answer.probar && (answer.formId === undefined || answer.formId === formId)
    ? answer
    : undefined;
}
