import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { Texto, REQUERIDO, Huella } from '~/core/fields';
import { CANTIDAD, importeOf, MAX_DESCRIPCION, PRECIO, textoCfdi, UNIDAD_PIEZA, type Articulo } from './articulos';
import { TASA_IVA, TASAS_IVA } from './importes';
import { asciiEmail, isEmail } from '~/core/email';
import { EMAIL_NO_VALIDO } from '~/core/text';
import { normalizeRazonSocial } from './nombreFiscal';

/** A row of the editable table as the form sends it; its output is an Articulo. */
export const ArticuloForm = z
  .object({
    ordenId: Texto(60).optional(),
    nombre: z
      .string({ error: 'Escribe la descripción.' })
      .transform((text) => textoCfdi(text, Infinity))
      .pipe(
        z.string().min(1, 'Escribe la descripción.').max(MAX_DESCRIPCION, 'La descripción pasa de 1000 caracteres.'),
      ),
    codigoSat: z
      .string({ error: 'Escribe el código SAT.' })
      .trim()
      .regex(/^\d{8}$/, 'El código SAT tiene 8 dígitos.'),
    claveUnidad: z
      .string()
      .trim()
      .regex(/^[A-Z0-9]{2,3}$/, 'La clave de unidad no es válida.')
      .default(UNIDAD_PIEZA),
    cantidad: enteroEscrito('Escribe la cantidad.', CANTIDAD.noValido, CANTIDAD).transform(Number),
    precioUnitario: importeEscrito('Escribe el precio.', PRECIO.noValido, PRECIO),
    importe: Texto(40).optional(),
    sku: Texto(200).optional(),
    tasaIva: z.enum(TASAS_IVA).default(TASA_IVA),
  })
  .transform((row): Articulo => ({ ...row, importe: importeOf(row) }));

/** Step 1 of a factura or a nota: one to 500 rows. */
export const ArticulosForm = z.object({
  articulos: z.array(ArticuloForm).min(1, 'Agrega al menos un artículo.').max(500, 'Se admiten hasta 500 artículos.'),
});

/** A legal name, written as the SAT keeps it: capitals and single spaces. */
export const RazonSocial = z
  .string({ error: REQUERIDO })
  .max(1_000, 'Máximo 300 caracteres')
  .transform(normalizeRazonSocial)
  .pipe(Texto(300));

/** Any real e-mail address, since the buyer has to receive the invoice. The narrower pattern that the business asked for is for forms about staff. */
export const EmailReceptor = Texto(254).refine(isEmail, EMAIL_NO_VALIDO).overwrite(asciiEmail);

const on = z
  .string()
  .optional()
  .transform((text) => text === 'on');
const DIAS = 'Escribe de 1 a 365 días.';

/** The settings of how customers get their links and their CFDI. */
export const AjustesForm = z.object({
  huella: Huella,
  enlaceDias: Texto(20, DIAS)
    .regex(/^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])$/, DIAS)
    .transform(Number),
  enlaceAutomatico: on,
  subirCfdiMl: on,
});
