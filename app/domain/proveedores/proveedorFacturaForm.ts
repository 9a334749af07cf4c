import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { REQUERIDO } from '~/core/fields';

/** What the mask of the field leaves: `$ 1,234._0` is 1234.00, since an underscore is a digit that nobody typed (spec 001, section 5). */
export function unmaskMonto(text: string): string {
  return text.replace(/_/g, '0');
}

const MONTO_NO_VALIDO = 'Monto No Valido';

export const Monto = z
  .string({ error: REQUERIDO })
  .transform(unmaskMonto)
  .pipe(importeEscrito(REQUERIDO, MONTO_NO_VALIDO))
  .refine((importe) => importe.length <= 12, MONTO_NO_VALIDO);

const campos = {
  proveedor: z.string({ error: REQUERIDO }),
  monto: Monto,
  folio: z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(60, 'Máximo 60 caracteres'),
};

/** `cfdi` is the document the fields were read from, when there was one. */
export const NewProveedorFactura = z.object({ ...campos, ordenId: z.uuid(), cfdi: z.uuid().optional() });
export type NewProveedorFactura = z.infer<typeof NewProveedorFactura>;

export const ProveedorFacturaEditada = z.object({ ...campos, id: z.uuid(), version: z.number().int() });
export type ProveedorFacturaEditada = z.infer<typeof ProveedorFacturaEditada>;

export const ProveedorFacturaEliminada = z.object({ id: z.uuid(), version: z.number().int() });

/** How one document is divided over sales. A row without a number is one that nobody filled. */
const fila = z.object({ orden: z.string().trim().max(40).optional(), monto: Monto.optional() });
export const Reparto = z.object({
  cfdi: z.uuid(),
  proveedor: campos.proveedor,
  folio: campos.folio,
  filas: z
    .array(fila)
    .max(60)
    .transform((filas) => filas.flatMap(({ orden, monto }) => (orden ? [{ orden, monto: monto ?? '' }] : [])))
    .refine((filas) => filas.length > 0, 'Escribe al menos una orden.')
    .refine((filas) => filas.every(({ monto }) => monto !== ''), 'Cada orden necesita su monto.'),
});
export type Reparto = z.infer<typeof Reparto>;
