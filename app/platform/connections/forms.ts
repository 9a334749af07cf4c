import { z } from 'zod';
import { Lista, Secreto } from '~/core/fields';
import type { KeyField, Keys } from './definition';

/** Longest key: a token that is a JWT is long. */
const MAX = 2_000;

/** Returns the form of the keys of a far side. An optional key is absent when it was left empty, and '' when its box says that the key has to go. */
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
