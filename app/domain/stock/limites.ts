/** What the invoice of a piece may weigh. */
export const MAX_FACTURA_MB = 20;
