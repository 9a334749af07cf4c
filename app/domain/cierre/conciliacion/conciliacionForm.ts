import { z } from 'zod';
import { Id, TextoOpcional, Version } from '~/core/fields';
import { parseImporte } from '~/core/importe';

const MAX_TOLERANCIA = 100_000;

/** The form of a difference: the cause that a person found, and whether the marketplace was asked for the money. */
export const Anotacion = z.object({
  id: Id,
  version: Version,
  motivo: TextoOpcional(500),
  reclamado: z.literal('1').optional(),
});
export type Anotacion = z.output<typeof Anotacion>;

/** The rule of differences: a deposit, or a sale in it, that differs by more than `tolerancia` pesos waits for a person. */
export const Regla = z.object({
  version: Version,
  tolerancia: z
    .string({ error: 'Este dato es necesario' })
    .trim()
    .min(1, 'Este dato es necesario')
    .transform((texto, ctx) => {
      const lectura = parseImporte(texto);
      if (lectura.clase === 'importe' && Number(lectura.importe) >= 0 && Number(lectura.importe) <= MAX_TOLERANCIA)
        return lectura.importe;
      ctx.addIssue({ code: 'custom', message: 'La tolerancia es un importe en pesos.' });
      return z.NEVER;
    }),
});
export type Regla = z.output<typeof Regla>;
