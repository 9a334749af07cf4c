import { z } from 'zod';
import { Dia, Huella, opcional, REQUERIDO } from '~/core/fields';
import { importeEscrito } from '~/core/escrito';
import { PERSONAS } from '~/core/persona';

export const PersonaForm = z.object({ huella: Huella, persona: z.enum(PERSONAS, { error: REQUERIDO }) });

const Porcentaje = importeEscrito(REQUERIDO, 'Escribe un porcentaje de 0 a 100.', { min: '0', max: '100' });

/** Rates of the law from a day on, in percent, with the mark of what the screen showed. `hasta` is the last day of that law. */
export const TasaForm = z
  .object({ huella: Huella, desde: Dia(), hasta: opcional(Dia()), iva: Porcentaje, isr: Porcentaje })
  .refine(({ desde, hasta }) => hasta === null || desde <= hasta, {
    path: ['hasta'],
    message: 'El último día va después del primero.',
  });
