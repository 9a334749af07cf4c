/** The fields of the address that open 'Registrar pago': the supplier, and the invoice that begins chosen. */
export const PAGAR = { proveedor: 'pagar', factura: 'factura' } as const;
/** The field of the address that opens the invoices that suppliers announced. */
export const ANUNCIADAS = 'anunciadas';
