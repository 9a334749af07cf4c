import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { Huella, Id, Lista, MostradoForm, REQUERIDO, Texto, Version } from '~/core/fields';
import { unmaskMonto } from '~/core/importe';

const MONTO_NO_VALIDO = 'Monto No Valido';

export const Monto = z
  .string({ error: REQUERIDO })
  .transform(unmaskMonto)
  .pipe(importeEscrito(REQUERIDO, MONTO_NO_VALIDO))
  .refine((importe) => importe.length <= 12, MONTO_NO_VALIDO);

const campos = {
  proveedor: Texto(20),
  monto: Monto,
  folio: Texto(60),
};

/** `cfdi` is the document the fields were read from, when there was one. */
export const NewProveedorFactura = z.object({ ...campos, ordenId: Id, cfdi: Id.optional() });
export type NewProveedorFactura = z.infer<typeof NewProveedorFactura>;

export const ProveedorFacturaEditada = z.object({ ...campos, id: Id, version: Version });
export type ProveedorFacturaEditada = z.infer<typeof ProveedorFacturaEditada>;

export const ProveedorFacturaEliminada = z.object({ id: Id, version: Version });

/** What of a document the screen showed: what is left of it and the sales it proposes. */
const visto = { huella: Huella, mostrado: MostradoForm };

/** How one document is divided over sales. A row without a number is one that nobody filled. */
const fila = z.object({ orden: Texto(40).optional(), monto: Monto.optional() });
export const Reparto = z.object({
  ...visto,
  cfdi: Id,
  proveedor: campos.proveedor,
  folio: campos.folio,
  filas: Lista(fila, 60)
    .transform((filas) => filas.flatMap(({ orden, monto }) => (orden ? [{ orden, monto: monto ?? '' }] : [])))
    .refine((filas) => filas.length > 0, 'Escribe al menos una orden.')
    .refine((filas) => filas.every(({ monto }) => monto !== ''), 'Cada orden necesita su monto.'),
});
export type Reparto = z.infer<typeof Reparto>;

/** One document that was read. */
export const CfdiVisto = z.object({ ...visto, cfdi: Id });
export type CfdiVisto = z.infer<typeof CfdiVisto>;

/** An empty file is what a browser sends for a field without any. */
export const XmlSubido = z.object({
  xml: Lista(z.instanceof(File).optional(), 60)
    .transform((files) => files.filter((file) => file !== undefined && file.size > 0) as File[])
    .refine((files) => files.length > 0, 'Elige al menos un archivo XML.'),
});
