import { MAX_VUELTA } from '~/core/vuelta';
import { z } from 'zod';
import { REQUERIDO } from '~/core/fields';
import { isStorable } from '~/core/text';

/** What the door asks. Nothing is said of what a name or a password must look like: who knows theirs knows that too. */
export const Credenciales = z.object({
  usuario: z
    .string({ error: REQUERIDO })
    .trim()
    .min(1, REQUERIDO)
    .max(100, 'Usuario no valido')
    .refine(isStorable, 'Usuario no valido'),
  password: z.string({ error: REQUERIDO }).min(1, REQUERIDO).max(200, 'Contraseña no valida'),
  recordar: z.stringbool().optional().catch(undefined),
  volver: z.string().max(MAX_VUELTA).optional().catch(undefined),
});
