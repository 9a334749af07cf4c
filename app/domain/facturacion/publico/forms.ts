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
  // Told with what else is missing, and not once all of that is there.
  .refine(({ usarRegistrado, email }) => usarRegistrado || email !== undefined, {
    path: ['email'],
    error: REQUERIDO,
    // What is no form at all has no fields to look at.
    when: ({ issues }) =>
      issues.every(({ path: [field] = [] }) => field !== undefined && field !== 'email' && field !== 'usarRegistrado'),
  });

/** The RFC as it is typed: what is no RFC is said by the look-up, in its words. */
export const BuscarRfc = z.object({ ...visto, rfc: Texto(40).default('') });

const Escrito = z.string().max(1_000).optional();
const ELIGE = 'Elige el PDF de tu constancia o una foto de su código QR.';
/** The customer's constancia, with what the form held already. */
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

/** Which of the legal names on record, by its place in the list that was shown, or 'otra'. */
export const ElegirRazon = z.object({ ...visto, razon: Texto(40).default('') });

export const Corregir = z.object({ paso: z.enum(['1', '2']).catch('1') });

export const UsoForm = z.object({ ...visto, usoCfdi: Texto(10, 'Elige el Uso de CFDI.') });

/** The same, when its step is left by the header. */
export const UsoEscrito = z.object({ ...visto, usoCfdi: Texto(10).default('') });

export const CONFIRMAR = { titulo: 'Facturación', texto: '¿Estas seguro de generar la factura?' } as const;

const NUMERO_NO_VALIDO =
  'El número de una compra lleva solo dígitos; los de Amazon, también guiones (000-0000000-0000000).';

/** The number of a sale however it was copied: '#2000 0035 0889 7196', 'Venta 2000003508897196'. Null when it is none. */
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

/** What is malformed is told at its field, and is no try. */
export const Puerta = z.object({ numOrden: Numero, monto: importeEscrito(REQUERIDO, 'Monto No Valido') });
export const PuertaPorMensaje = Puerta.pick({ numOrden: true });
