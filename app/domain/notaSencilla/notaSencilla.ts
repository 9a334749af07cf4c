import { z } from 'zod';
import { telefonoEscrito } from '~/core/escrito';
import { CP_NO_VALIDO } from '~/core/codigoPostal';
import { EMAIL_NO_VALIDO, isEmailDeDosACuatro } from '~/core/email';
import { direccionFields } from '~/domain/catalogo/direccion';

/** A simple note: a sale outside the marketplaces on paper, without CFDI. Texts of spec 000, sections 2, 5 and 8. */
export const NOTA = 'Nota sencilla';
export const SERIE_NOTA = 'N';
/** Staff may date a note today or up to this many days back. */
export const DIAS_ATRAS_NOTA = 100;

const REQUERIDO = 'Este dato es requerido';
const requerido = (max: number) =>
  z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(max, `Máximo ${max} caracteres`);

/** Step 2 as it is sent. */
export const DatosNotaForm = z.object({
  ...direccionFields,
  // Any five digits in a row, whatever stands around them.
  cp: z.string({ error: REQUERIDO }).transform((text, ctx) => {
    const cp = /(?<!\d)\d{5}(?!\d)/.exec(text)?.[0];
    if (cp) return cp;
    ctx.addIssue({ code: 'custom', message: CP_NO_VALIDO });
    return z.NEVER;
  }),
  nombre: requerido(80),
  apellidos: requerido(80),
  telefono: telefonoEscrito(REQUERIDO, 'El teléfono tiene 10 dígitos'),
  email: z.string({ error: REQUERIDO }).trim().refine(isEmailDeDosACuatro, EMAIL_NO_VALIDO),
});
export type DatosNota = z.infer<typeof DatosNotaForm>;

/** Step 2 as it is kept: what was typed so far, `listos` once all of it passed. */
export const DraftDatosNota = z.object({
  cp: z.string(),
  colonia: z.string(),
  calle: z.string(),
  numeroExterior: z.string(),
  numeroInterior: z.string(),
  ciudad: z.string(),
  municipio: z.string(),
  estado: z.string(),
  nombre: z.string(),
  apellidos: z.string(),
  telefono: z.string(),
  email: z.string(),
  /** Those of the postal code that was looked up. */
  colonias: z.array(z.string()),
  /** Why the look-up filled nothing in. */
  aviso: z.string().nullable(),
  listos: z.boolean(),
});
export type DraftDatosNota = z.infer<typeof DraftDatosNota>;

export const datosVacios = (): DraftDatosNota => ({
  cp: '',
  colonia: '',
  calle: '',
  numeroExterior: '',
  numeroInterior: '',
  ciudad: '',
  municipio: '',
  estado: '',
  nombre: '',
  apellidos: '',
  telefono: '',
  email: '',
  colonias: [],
  aviso: null,
  listos: false,
});

export const PASOS_NOTA = ['1', '2', '3', 'lista'] as const;
export type PasoNota = (typeof PASOS_NOTA)[number];
export const PASO_NOTA_TITULO: Record<Exclude<PasoNota, 'lista'>, string> = {
  '1': 'Artículos',
  '2': 'Datos de la nota',
  '3': 'Revisar Datos',
};
