import type { SubmissionResult } from '@conform-to/react';
import type { Asunto } from './errors';

/** A question an action asks back before it does something (see ui/Confirm). */
export type PendingConfirmation = { titulo: string; texto: string; campos: [name: string, value: string][] };

/**
 * What an action answers to a form: conform's result and what ours adds. `titulo` and `asunto` are those of a
 * refusal. `id` tells two equal answers apart. `formId` names the form on a page of several. `confirmar` is the
 * question that the action asks back.
 */
export type Answer = SubmissionResult & {
  titulo?: string;
  asunto?: Asunto;
  id?: string;
  formId?: string;
  confirmar?: PendingConfirmation;
  /** What a look-up found, or what was made and is shown at once. */
  resultado?: unknown;
};

/** The answer if it speaks to this form. */
export function answerTo(formId: string, answer: Answer | undefined): Answer | undefined {
  return answer && !answer.confirmar && (answer.formId === undefined || answer.formId === formId) ? answer : undefined;
}
