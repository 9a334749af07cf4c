import { z } from 'zod';
import { Huella, Id, REQUERIDO } from '~/core/fields';
import { MONEDAS } from '~/core/moneda';

/** `moneda`: of the lines that do not say theirs; absent where each does. */
export const ListaForm = z.object({
  archivo: z.instanceof(File, { error: REQUERIDO }),
  moneda: z.enum(MONEDAS).optional(),
});

export const AplicarListaForm = z.object({ lista: Id, huella: Huella });
export const DescartarListaForm = z.object({ lista: Id });
