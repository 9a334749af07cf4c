import { useFetcher } from '@remix-run/react';
import { useMemo } from 'react';
import { answerTo, type Answer } from '~/core/submission';
import type { Lugar } from './lugar';

/**
 * Returns the place of a form that the screen at `action` takes, for `EnOtroLugar`. `hecho` is true once that screen has done what the form asks; a refusal
 * stands in the form.
 */
export function useLugarDe(action: string, formId: string): { lugar: Lugar; hecho: boolean } {
  const { Form, state, formData, data } = useFetcher<Answer>({ key: `${action}#${formId}` });
  const lugar = useMemo(() => ({ Form, state, formData, answer: data, action }), [Form, state, formData, data, action]);
  const answer = state === 'idle' ? answerTo(formId, data) : undefined;
  return { lugar, hecho: answer !== undefined && answer.status !== 'error' && answer.resultado === null };
}
