import { z } from 'zod';
import { telefonoEscrito } from '~/core/escrito';
import { CP_NO_VALIDO } from '~/core/codigoPostal';
import { Id, REQUERIDO, Texto, Version } from '~/core/fields';
import { direccionFields } from '~/platform/direccion/forms';
import { normalizeRazonSocial } from '~/domain/facturacion/cfdi/nombreFiscal';
import { EmailReceptor } from '~/domain/facturacion/cfdi/forms';

const libre = (max: number) => Texto(max).default('');

/** The correction of a stored record by staff. The RFC has no field: it is the record's identity and stays. */
export const ClienteFiscalForm = z.object({
  ...direccionFields,
  id: Id,
  version: Version,
  razonSocial: z
    .string({ error: REQUERIDO })
    .transform(normalizeRazonSocial)
    .refine((nombre) => nombre !== '', REQUERIDO)
    .refine((nombre) => nombre.length <= 300, 'Máximo 300 caracteres'),
  cp: z
    .string({ error: REQUERIDO })
    .trim()
    .regex(/^\d{5}$/, CP_NO_VALIDO),
  regimen: Texto(10),
  nombre: libre(80),
  apellidos: libre(80),
  telefono: telefonoEscrito('', 'El teléfono tiene 10 dígitos').default(''),
  email: EmailReceptor,
  email2: EmailReceptor.optional(),
  email3: EmailReceptor.optional(),
});
export type ClienteFiscalEditado = z.infer<typeof ClienteFiscalForm>;

/** The form of a record as far as it was typed, finished or not. */
export const ClienteEscrito = z.object({
  /** Version of the record when the form was opened. */
  version: Texto(12).optional(),
  razonSocial: libre(300),
  regimen: libre(10),
  nombre: libre(120),
  apellidos: libre(120),
  telefono: libre(40),
  email: libre(254),
  email2: libre(254),
  email3: libre(254),
  cp: libre(20),
  colonia: libre(120),
  calle: libre(120),
  numeroExterior: libre(30),
  numeroInterior: libre(30),
  ciudad: libre(120),
  municipio: libre(120),
  estado: libre(80),
});

/** A record of tax data that fits a typed RFC; `id` is null when only the PAC has it. */
export const ClienteGuardado = z.object({
  id: z.string().nullable(),
  uid: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  regimen: z.string(),
  emails: z.array(z.string()),
  usoCfdi: z.string().nullable(),
});
export type ClienteGuardado = z.infer<typeof ClienteGuardado>;
