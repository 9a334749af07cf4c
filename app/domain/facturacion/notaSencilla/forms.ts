import { z } from 'zod';
import { CP_NO_VALIDO } from '~/core/codigoPostal';
import type { Mostrado } from '~/core/choque';
import { telefonoEscrito } from '~/core/escrito';
import { Dia, Email, Id, MostradoForm, REQUERIDO, Texto, Version } from '~/core/fields';
import { ArticulosForm } from '~/domain/facturacion/cfdi/forms';
import { direccionFields } from '~/platform/direccion/forms';

/** The fields that every form of a nota has: the version of the draft that the screen showed, and its contents in words. */
const visto = { version: Version, mostrado: MostradoForm };
export type VistoNota = { version: number; mostrado: Mostrado };

/** Step 1. Before its first save the nota has no version. */
export const ArticulosNotaForm = ArticulosForm.extend({ version: Version.optional(), mostrado: MostradoForm });

/** Step 2 as it is saved. */
export const DatosNotaForm = z.object({
  ...direccionFields,
  // The postal code is the first five digits in a row, whatever stands around them.
  cp: z.string({ error: REQUERIDO }).transform((text, ctx) => {
    const cp = /\d{5}/.exec(text)?.[0];
    if (cp) return cp;
    ctx.addIssue({ code: 'custom', message: CP_NO_VALIDO });
    return z.NEVER;
  }),
  nombre: Texto(80),
  apellidos: Texto(80),
  telefono: telefonoEscrito(REQUERIDO, 'El teléfono tiene 10 dígitos'),
  email: Email,
});
export type DatosNota = z.infer<typeof DatosNotaForm>;
/** Step 2 with the state that the screen showed. */
export const DatosNotaVistos = DatosNotaForm.extend(visto);

/** Step 2 as the draft keeps it, finished or not; `listos` once all of it was accepted. */
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
  /** Colonias of the postal code that was looked up. */
  colonias: z.array(z.string()),
  /** Notice of a look-up that filled nothing in. */
  aviso: z.string().nullable(),
  listos: z.boolean(),
  /** Day of the nota, when the person chose one. */
  fecha: z.string().optional(),
});
export type DraftDatosNota = z.infer<typeof DraftDatosNota>;

/** Step 2 as far as it was typed, finished or not. */
export const EscritoNota = z
  .object(
    Object.fromEntries(Object.keys(DatosNotaForm.shape).map((name) => [name, Texto(200).default('')])) as Record<
      keyof DatosNota,
      z.ZodDefault<ReturnType<typeof Texto>>
    >,
  )
  .extend(visto);

/** Step 3 as it is confirmed. */
export const RevisionNotaForm = z.object({ ...visto, fecha: Dia('Elige la fecha de la nota.') });

/** Step 3 as far as it was filled in, when the person leaves it by the header. */
export const FechaEscrita = z.object({ ...visto, fecha: Texto(10).default('') });

/** The nota that is sent once more. */
export const ReenviarNota = z.object({ nota: Id });
