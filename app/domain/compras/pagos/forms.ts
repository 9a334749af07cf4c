import { z } from 'zod';
import { FacturaElegida, MAX_ELEGIBLES } from '~/domain/compras/facturas/forms';
import { SIN_ARCHIVO, SIN_FOLIO } from './pago';
import { Dia, Id, Importe, Lista, opcional, Texto, TextoOpcional, Version } from '~/core/fields';

const MAX_ARCHIVOS = 10;
const MAX_FOLIOS = 20;
/** Longest folio of a payment, in characters. */
export const MAX_FOLIO = 60;

const Archivos = Lista(z.instanceof(File).optional(), MAX_ARCHIVOS).transform((files) =>
  files.filter((file): file is File => file !== undefined && file.size > 0),
);

/** Receipts of transfers, to be read before anybody says what they pay. */
export const LeerComprobantes = z.object({ archivos: Archivos });
/** Receipts of one payment, with the sales it pays as far as they are known. */
export const Comprobantes = z.object({
  proveedor: Texto(20, 'Selecciona un proveedor'),
  folio: Texto(MAX_FOLIO, SIN_FOLIO),
  otras: TextoOpcional(600),
  archivos: Archivos.refine((files) => files.length > 0, SIN_ARCHIVO),
});
export type Comprobantes = z.output<typeof Comprobantes>;

/** Files and folios of payments for a sale, and for other sales that the same payments cover. */
export const PagosDeOrden = z.object({
  ordenId: Id,
  proveedor: Texto(20, 'Selecciona un proveedor'),
  /** Folios taken over as chips; `folio` is the text still in the field. */
  folios: Lista(Texto(MAX_FOLIO).optional(), MAX_FOLIOS),
  folio: TextoOpcional(600),
  otras: TextoOpcional(600),
  archivos: Lista(z.instanceof(File).optional(), MAX_ARCHIVOS).transform((files) =>
    files.filter((file) => file !== undefined),
  ),
});
export type PagosDeOrden = z.output<typeof PagosDeOrden>;

/** The folio of a sale's quotation. */
export const FolioDeCotizacion = z.object({ ordenId: Id, folio: TextoOpcional(MAX_FOLIO), version: Version });
export type FolioDeCotizacion = z.output<typeof FolioDeCotizacion>;

/** The facts of a payment that can be edited. */
export const PagoEditado = z.object({
  id: Id,
  version: Version,
  folio: Texto(MAX_FOLIO),
  fecha: opcional(Dia()),
  total: opcional(
    Importe.refine((importe) => importe.length <= 15 && !/^0+(?:\.0+)?$/.test(importe), 'El importe no es válido.'),
  ),
  claveRastreo: TextoOpcional(40),
  banco: TextoOpcional(60),
});
export type PagoEditado = z.output<typeof PagoEditado>;

/** One transfer for several invoices of a supplier. */
export const FacturasPagadas = z.object({
  proveedor: Texto(20, 'Selecciona un proveedor'),
  folio: Texto(MAX_FOLIO, SIN_FOLIO),
  fecha: Dia(),
  total: Importe.refine(
    (importe) => importe.length <= 15 && !/^0+(?:\.0+)?$/.test(importe),
    'El importe no es válido.',
  ),
  facturas: Lista(FacturaElegida, MAX_ELEGIBLES).min(1, 'Elige al menos una factura.'),
  archivos: Archivos.refine((files) => files.length > 0, SIN_ARCHIVO),
});
export type FacturasPagadas = z.output<typeof FacturasPagadas>;

/** Numbers of more sales that a payment covers. */
export const OrdenesDePago = z.object({ id: Id, version: Version, otras: Texto(600) });
/** One sale of a payment. */
export const OrdenDePago = z.object({ id: Id, version: Version, ordenId: Id });
/** The part of a payment that belongs to one sale; null leaves it to the invoices. */
export const MontoDeOrden = z.object({
  id: Id,
  version: Version,
  ordenId: Id,
  monto: PagoEditado.shape.total,
});
/** A payment as the screen showed it. */
export const UnPago = z.object({ id: Id, version: Version });
