import { z } from 'zod';
import { Secreto } from '~/core/fields';
import type { KeyField } from './definition';

/** The keys a far side asks for. One that may be left out is empty then. */
/** A token that is a JWT is long. */
const MAX = 2_000;

export const llavesOf = (fields: readonly KeyField[]) =>
  z.object(
    Object.fromEntries(
      fields.map(({ name, opcional }) => [
        name,
        opcional
          ? Secreto(MAX)
              .optional()
              .transform((key) => key ?? '')
          : Secreto(MAX),
      ]),
    ),
  );
