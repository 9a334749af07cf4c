import { z } from 'zod';
import { Id, opcional, TextoOpcional, Version } from '~/core/fields';
import { parseImporte } from '~/core/importe';
import { MOTIVOS_DE_SUELTO } from './suelto';

const MAX_TOLERANCIA = 100_000;

/** The form of a difference: the cause that a person found, and whether the marketplace was asked for the money. */
export const Anotacion = z.object({
  id: Id,
  version: Version,
  motivo: TextoOpcional(500),
  reclamado: z.literal('1').optional(),
});
export type Anotacion = z.output<typeof Anotacion>;

/** The form of a loose amount: why it is of no sale; empty takes the reason back. */
export const MotivoDicho = z.object({ id: Id, version: Version, motivo: opcional(z.enum(MOTIVOS_DE_SUELTO)) });
export type MotivoDicho = z.output<typeof MotivoDicho>;

/** The press that has the sale of a loose amount searched at its marketplace. */
export const BusquedaDeSuelto = z.object({ id: Id, version: Version });
export type BusquedaDeSuelto = z.output<typeof BusquedaDeSuelto>;

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
