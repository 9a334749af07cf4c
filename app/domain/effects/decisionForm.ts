import { z } from 'zod';
import { Id } from '~/core/fields';

/** What a person says of a call whose answer was lost. */
export const Decision = z.object({ effectId: Id });

export const DecisionConUuid = z.object({
  effectId: Id,
  uuid: z
    .string({ error: 'Escribe el folio fiscal (UUID).' })
    .trim()
    .toUpperCase()
    .regex(
      /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/,
      'El folio fiscal tiene 36 caracteres, como 6F1C…-…-…-…-….',
    ),
});

/** The CFDI that is one too many. */
export const DecisionRepetida = z.object({ effectId: Id, repetida: Id });
