import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { Cp, REQUERIDO, Rfc, Texto } from '~/core/fields';
import { EmailReceptor, RazonSocial } from '~/domain/facturacion/cfdi/forms';
import { visto } from '~/domain/facturacion/emision/draft';
import { CONSTANCIA_MAX_MB } from './limites';

/** Step 1 as it is saved, with the agreed texts. */
export const DatosForm = z
  .object({
    ...visto,
    rfc: Rfc,
    razonSocial: RazonSocial,
    cp: Cp,
    regimen: Texto(10),
    usarRegistrado: z
      .string()
      .optional()
      .transform((on) => on === 'on'),
    email: EmailReceptor.optional(),
    email2: EmailReceptor.optional(),
  })
  // The missing e-mail is told together with the other missing fields, not after them.
  .refine(({ usarRegistrado, email }) => usarRegistrado || email !== undefined, {
    path: ['email'],
    error: REQUERIDO,
    // A body that is no form has no fields to check.
    when: ({ issues }) =>
      issues.every(({ path: [field] = [] }) => field !== undefined && field !== 'email' && field !== 'usarRegistrado'),
  });

/** The RFC as it is typed. The look-up tells what is wrong with an RFC, in its words. */
export const BuscarRfc = z.object({ ...visto, rfc: Texto(40).default('') });

const Escrito = z.string().max(1_000).optional();
const ELIGE = 'Elige el PDF de tu constancia o una foto de su código QR.';
/** The customer's constancia, with the contents of the form so far. */
export const LeerConstancia = z.object({
  ...visto,
  constancia: z
    .instanceof(File, { error: ELIGE })
    .refine(({ size }) => size > 0, ELIGE)
    .refine(
      ({ size }) => size <= CONSTANCIA_MAX_MB * 1_048_576,
      `El archivo pesa más de ${CONSTANCIA_MAX_MB} MB. Sube el PDF que descargas del SAT, o una foto solo de su código QR.`,
    ),
  rfc: Escrito,
  razonSocial: Escrito,
  cp: Escrito,
  regimen: Escrito,
  email: Escrito,
  email2: Escrito,
  usarRegistrado: Escrito,
});
export type LeerConstancia = z.infer<typeof LeerConstancia>;

/** One of the legal names on record, by its place in the list that was shown, or 'otra'. */
export const ElegirRazon = z.object({ ...visto, razon: Texto(40).default('') });

/** The step that a customer goes back to after a refusal. */
export const Corregir = z.object({ paso: z.enum(['1', '2']).catch('1') });

/** Step 2 as it is confirmed. */
export const UsoForm = z.object({ ...visto, usoCfdi: Texto(10, 'Elige el Uso de CFDI.') });

/** The use so far, when the person leaves the step by the header. */
export const UsoEscrito = z.object({ ...visto, usoCfdi: Texto(10).default('') });

/** The question before a customer makes the factura. */
export const CONFIRMAR = { titulo: 'Facturación', texto: '¿Estas seguro de generar la factura?' } as const;

const NUMERO_NO_VALIDO =
  'El número de una compra lleva solo dígitos; los de Amazon, también guiones (000-0000000-0000000).';

/** The number of a sale from a text as it was copied: '#2000 0035 0889 7196', 'Venta 2000003508897196'. Null when the text has none. */
export function parseNumero(text: string): string | null {
  const compact = text
    .replace(/[\s#.:°º]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^\p{L}+/u, '');
  if (/^\d{3}-\d{7}-\d{7}$/.test(compact)) return compact;
  const digits = compact.replace(/-/g, '');
  return /^\d{6,20}$/.test(digits) ? digits : null;
}

const Numero = z
  .string({ error: REQUERIDO })
  .trim()
  .min(1, REQUERIDO)
  .max(60, NUMERO_NO_VALIDO)
  .transform((text, ctx) => {
    const numero = parseNumero(text);
    if (numero !== null) return numero;
    ctx.addIssue({ code: 'custom', message: NUMERO_NO_VALIDO });
    return z.NEVER;
  });

/** The public home's form. A malformed field is told at once and does not count as a try. */
export const Puerta = z.object({ numOrden: Numero, monto: importeEscrito(REQUERIDO, 'Monto No Valido') });
/** The form that asks for the link by a message, without an amount. */
export const PuertaPorMensaje = Puerta.pick({ numOrden: true });
