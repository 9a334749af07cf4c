import type { Question } from './fieldRules';
import type { Answer } from './submission';

/** Names of fields whose value never travels through a page. */
export const SECRETS = /password|contrase|confirmar/i;

export function isConfirmed(form: FormData): boolean {
  return form.get('confirmado') === '1';
}

/** A no where there is no dialog to say it in. */
export function isDeclined(form: FormData): boolean {
  return form.get('confirmado') === '0';
}

/**
 * What was sent, to be sent again with a yes. Files and secrets do not travel through a page: forms with those ask with a checkbox of
 * their own instead.
 */
export function askFirst(form: FormData, { marcas = {}, ...question }: Question): Answer {
  const campos: [string, string][] = [];
  for (const [name, value] of form)
    if (typeof value === 'string' && name !== 'confirmado' && !SECRETS.test(name) && !Object.hasOwn(marcas, name))
      campos.push([name, value]);
  return { confirmar: { ...question, campos: [...campos, ...Object.entries(marcas)] } };
}
