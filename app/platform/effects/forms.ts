import { z } from 'zod';
import { Huella, Id } from '~/core/fields';

/** The decision of a person about a call whose answer was lost, with the mark of what their screen showed. */
const decidida = { effectId: Id, huella: Huella };
export const Decision = z.object(decidida);

/** The effect of 'Buscar otra vez', which decides nothing. */
export const BuscarOtraVez = z.object({ effectId: Id });

/** The decision with the UUID that was read at the far side. */
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

/** The decision with the folio that was read at the far side. */
export const DecisionConFolio = z.object({
  ...decidida,
  folio: z
    .string({ error: 'Escribe el folio del pedido.' })
    .trim()
    .min(1, 'Escribe el folio del pedido.')
    .max(60, 'El folio tiene 60 caracteres o menos.'),
});

/** The decision about one of several documents. */
export const DecisionRepetida = z.object({ ...decidida, repetida: Id });

/** The effect that a press is about. */
export const UnEfecto = z.object({ efecto: Id });
