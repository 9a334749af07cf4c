import { z } from 'zod';
import { EMAIL_NO_VALIDO, isEmail } from '~/core/email';
import { REQUERIDO } from '~/core/fields';

const text = (max: number) =>
  z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(max, `Máximo ${max} caracteres`);

export const NewAgente = z.object({
  nombre: text(80),
  apellidos: text(80),
  email: text(120).refine(isEmail, EMAIL_NO_VALIDO),
  proveedor: text(20),
});
export type NewAgente = z.infer<typeof NewAgente>;

export const EstatusDeAgente = z.object({
  id: z.uuid(),
  version: z.number().int(),
  activo: z.enum(['0', '1']).transform((activo) => activo === '1'),
});
