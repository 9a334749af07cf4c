import { z } from 'zod';
import { EMAIL_NO_VALIDO, isEmail } from '~/core/email';
import { isRfc, normalizeRfc } from '~/core/rfc';
import { REGLAS } from './proveedor';

export const REQUERIDO = 'Este dato es requerido';

const required = (max: number) =>
  z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(max, `Máximo ${max} caracteres`);
const optional = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Máximo ${max} caracteres`)
    .optional()
    .transform((text) => text || null);

/** Only pages: these addresses become links on everybody's screen. */
const link = optional(300).refine(
  (text) => text === null || /^https?:\/\/[^\s]+$/i.test(text),
  'Escribe una dirección que empiece con https://',
);

const datos = {
  label: required(40),
  linkHome: link,
  linkProductos: link,
  linkFactura: link,
  reglaFactura: z.enum(REGLAS, { error: REQUERIDO }),
  sufijoFactura: optional(100),
  rfc: optional(20)
    .transform((text) => text && normalizeRfc(text))
    .refine((rfc) => rfc === null || isRfc(rfc), 'RFC No Valido'),
  email: optional(120).refine((email) => email === null || isEmail(email), EMAIL_NO_VALIDO),
  activo: z
    .enum(['0', '1'])
    .default('1')
    .transform((activo) => activo === '1'),
};

export const ProveedorEditado = z.object({ ...datos, value: z.string(), version: z.number().int() });
export type ProveedorEditado = z.infer<typeof ProveedorEditado>;

/** The key is what the third part of a sku says, so it does not change afterwards. */
export const NewProveedor = z.object({
  ...datos,
  value: required(20).regex(/^[a-z0-9]{2,20}$/, 'De 2 a 20 letras minúsculas o números'),
});
export type NewProveedor = z.infer<typeof NewProveedor>;
