import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { Dia, DineroGuardado, Huella, Id, Lista, MostradoForm, REQUERIDO, Texto, Version } from '~/core/fields';
import { unmaskMonto } from '~/core/importe';

const MONTO_NO_VALIDO = 'Monto No Valido';

/** An amount in pesos as people write it, with two decimals. */
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

/** A new invoice of a supplier. `cfdi` is the document that filled its fields, if any. */
export const NewProveedorFactura = z.object({ ...campos, ordenId: Id, cfdi: Id.optional() });
export type NewProveedorFactura = z.infer<typeof NewProveedorFactura>;

/** The edited fields of a supplier's invoice. */
export const ProveedorFacturaEditada = z.object({ ...campos, id: Id, version: Version });
export type ProveedorFacturaEditada = z.infer<typeof ProveedorFacturaEditada>;

/** The supplier's invoice that is to be deleted. */
export const ProveedorFacturaEliminada = z.object({ id: Id, version: Version });

/** Marks of what the screen showed of a document: the amount left, and the proposed sales. */
const visto = { huella: Huella, mostrado: MostradoForm };

/** A line of a division. A line without a number was left empty. */
const fila = z.object({ orden: Texto(40).optional(), monto: Monto.optional() });
/** The division of one document over sales. */
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

/** A document as the screen showed it. */
export const CfdiVisto = z.object({ ...visto, cfdi: Id });
export type CfdiVisto = z.infer<typeof CfdiVisto>;

/** A chosen invoice, as its box sends it: `id|falta`, where `falta` is its amount in pesos as the screen showed it. */
export const FacturaElegida = z
  .string()
  .regex(/^[0-9a-f-]{36}\|\d{1,15}\.\d{2}$/, { error: 'Elige la factura otra vez.', abort: true })
  .transform((escrita) => {
    const [id, falta] = escrita.split('|') as [string, string];
    return { id, falta };
  })
  .pipe(z.object({ id: Id, falta: DineroGuardado }));
export type FacturaElegida = z.output<typeof FacturaElegida>;

/** The balance of a note, or the part of it that is of no invoice yet, as the screen showed it in pesos. */
const notaVista = { nota: Id, queda: DineroGuardado };
/** A supplier's note as the screen showed it. */
export const NotaVista = z.object(notaVista);
export type NotaVista = z.output<typeof NotaVista>;

/** The invoice that a person says a note is of, and how much of it. */
export const NotaDeFactura = z.object({ ...notaVista, factura: FacturaElegida, importe: Monto });
export type NotaDeFactura = z.output<typeof NotaDeFactura>;

/** Another invoice that the balance of a note pays. */
export const NotaUsada = z.object({ ...notaVista, factura: FacturaElegida, fecha: Dia() });
export type NotaUsada = z.output<typeof NotaUsada>;

/** Money that a supplier gave back of the balance of a note. */
export const SaldoDevuelto = z.object({ ...notaVista, importe: Monto, fecha: Dia(), folio: Texto(60) });
export type SaldoDevuelto = z.output<typeof SaldoDevuelto>;

/** The use of a balance that is to be taken back. */
export const UsoQuitado = z.object({ uso: Id });
export type UsoQuitado = z.output<typeof UsoQuitado>;

/** Most invoices that are offered to be chosen at once. */
export const MAX_ELEGIBLES = 200;

/** Invoices that suppliers announced, by the ids of their pedidos. */
export const FacturasAnunciadas = z.object({
  facturas: Lista(FacturaElegida, MAX_ELEGIBLES).min(1, 'Elige al menos una factura.'),
});
