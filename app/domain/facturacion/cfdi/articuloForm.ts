import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { Texto } from '~/core/fields';
import { CANTIDAD, importeOf, MAX_DESCRIPCION, PRECIO, textoCfdi, UNIDAD_PIEZA, type Articulo } from './articulos';
import { TASA_IVA, TASAS_IVA } from './cfdi';

/** A row of the editable table as the form sends it, to a row of ours. */
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

export const ArticulosForm = z.object({
  articulos: z.array(ArticuloForm).min(1, 'Agrega al menos un artículo.').max(500, 'Se admiten hasta 500 artículos.'),
});
