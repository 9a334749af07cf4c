import { z } from 'zod';
import { Huella, Texto } from '~/core/fields';

const on = z
  .string()
  .optional()
  .transform((text) => text === 'on');
const DIAS = 'Escribe de 1 a 365 días.';

/** How customers get their links and their CFDI. */
export const AjustesForm = z.object({
  huella: Huella,
  enlaceDias: Texto(20, DIAS)
    .regex(/^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])$/, DIAS)
    .transform(Number),
  enlaceAutomatico: on,
  subirCfdiMl: on,
});
