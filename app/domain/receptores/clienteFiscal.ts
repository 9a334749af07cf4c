import { z } from 'zod';
import { telefonoEscrito } from '~/core/escrito';
import { CP_NO_VALIDO } from '~/core/codigoPostal';
import { direccionFields } from '~/domain/catalogo/direccion';
import { isEmail, normalizarRazonSocial } from '~/domain/cfdi/precheck';

const REQUERIDO = 'Este dato es requerido';
const libre = (max: number) => z.string().trim().max(max, `Máximo ${max} caracteres`).default('');

/** A stored record as staff correct it. The RFC is who it is, so it stays. */
export const ClienteFiscalForm = z.object({
  ...direccionFields,
  id: z.uuid(),
  version: z.number().int(),
  razonSocial: z
    .string({ error: REQUERIDO })
    .transform(normalizarRazonSocial)
    .refine((nombre) => nombre !== '', REQUERIDO)
    .refine((nombre) => nombre.length <= 300, 'Máximo 300 caracteres'),
  cp: z
    .string({ error: REQUERIDO })
    .trim()
    .regex(/^\d{5}$/, CP_NO_VALIDO),
  regimen: z.string({ error: REQUERIDO }),
  nombre: libre(80),
  apellidos: libre(80),
  telefono: z.literal('').or(telefonoEscrito('', 'El teléfono tiene 10 dígitos')).default(''),
  email: z.string({ error: REQUERIDO }).trim().refine(isEmail, 'Email No Valido'),
  email2: z.string().trim().refine(isEmail, 'Email No Valido').optional(),
  email3: z.string().trim().refine(isEmail, 'Email No Valido').optional(),
});
export type ClienteFiscalEditado = z.infer<typeof ClienteFiscalForm>;
