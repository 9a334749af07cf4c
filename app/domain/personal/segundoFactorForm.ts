import { MAX_VUELTA } from '~/core/vuelta';
import { z } from 'zod';
import { Id, opcional, REQUERIDO, Texto } from '~/core/fields';

const NO_SON_SEIS = 'El código son 6 dígitos.';

/** As an application shows it, '123 456', or as it is typed. */
const Codigo = z
  .string({ error: REQUERIDO })
  .max(20, NO_SON_SEIS)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .refine((text) => /^\d{6}$/.test(text), NO_SON_SEIS);

/** Written down by hand as often as not: capitals, spaces and hyphens do not matter, and what looks alike is the same. */
const CodigoDeRecuperacion = z
  .string({ error: REQUERIDO })
  .max(60, 'Un código de recuperación son 16 letras y números.')
  .transform((text) => text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1'))
  .refine((text) => /^[0-9A-Z]{16}$/.test(text), 'Un código de recuperación son 16 letras y números.');

const volver = z.string().max(MAX_VUELTA).optional().catch(undefined);

/** The page after the password. */
export const EntrarConCodigo = z.object({
  codigo: Codigo,
  dispositivo: z.stringbool().optional().catch(undefined),
  volver,
});
export const EntrarConRecuperacion = z.object({ recuperacion: CodigoDeRecuperacion, volver });

/** The first code of a new secret. */
export const ConfirmarSegundoFactor = z.object({ codigo: Codigo });

/** Of another person, by an sa. */
export const QuitarSegundoFactor = z.object({ id: Id });

/** What proves once more who sent a form: one of the two. */
export const Prueba = z.object({ passwordDePrueba: opcional(Texto(200)), codigoDePrueba: opcional(Codigo) });
export type Prueba = z.infer<typeof Prueba>;
