import { z } from 'zod';
import { Lista, Secreto } from '~/core/fields';
import type { KeyField, Keys } from './definition';

/** A token that is a JWT is long. */
const MAX = 2_000;

/** The keys a far side asks for. One that may be left out is absent when it was left empty, and empty when its box says that it has to go. */
export const llavesOf = (fields: readonly KeyField[]) => {
  const opcionales = fields.flatMap(({ name, opcional }) => (opcional ? [name] : []));
  return z
    .object({
      ...Object.fromEntries(
        fields.map(({ name, opcional }) => [name, opcional ? Secreto(MAX).optional() : Secreto(MAX)]),
      ),
      olvidar: Lista(z.enum(opcionales), opcionales.length),
    })
    .transform(({ olvidar, ...typed }): Keys => {
      const llaves = Object.entries(typed).filter((one): one is [string, string] => typeof one[1] === 'string');
      return { ...Object.fromEntries((olvidar ?? []).map((name) => [name, ''])), ...Object.fromEntries(llaves) };
    });
};
