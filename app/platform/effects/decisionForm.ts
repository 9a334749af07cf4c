import { z } from 'zod';
import { Huella, Id } from '~/core/fields';

/** What a person says of a call whose answer was lost, and what they had before their eyes of it. */
const decidida = { effectId: Id, huella: Huella };
export const Decision = z.object(decidida);

/** 'Buscar otra vez' decides nothing. */
export const BuscarOtraVez = z.object({ effectId: Id });

export const DecisionConUuid = z.object({
  ...decidida,
  uuid: z
    .string({ error: 'Escribe el folio fiscal (UUID).' })
    .trim()
    .toUpperCase()
    .regex(
      /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/,
      'El folio fiscal tiene 36 caracteres, como 6F1C…-…-…-…-….',
    ),
});

export const DecisionConFolio = z.object({
  ...decidida,
  folio: z
    .string({ error: 'Escribe el folio del pedido.' })
    .trim()
    .min(1, 'Escribe el folio del pedido.')
    .max(60, 'El folio tiene 60 caracteres o menos.'),
});

/** The CFDI that is one too many. */
export const DecisionRepetida = z.object({ ...decidida, repetida: Id });
