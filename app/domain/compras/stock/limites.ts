/** What the invoice of a piece may weigh. */
export const MAX_FACTURA_MB = 20;

/** Photographs of one piece. A phone makes them small before it sends them. */
export const MAX_FOTOS = 6;
export const MAX_FOTO_KB = 2_048;
