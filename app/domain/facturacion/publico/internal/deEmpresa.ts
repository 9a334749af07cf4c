/**
 * The sentence for a customer when the fault is the company's: its keys, folios, seal, series, products, or the PAC itself. Staff read the
 * fault on the board.
 */
export const FALLA_DE_EMPRESA =
  'En este momento no podemos generar tu factura y ya lo estamos revisando. No es por los datos que escribiste, que siguen aquí: vuelve a este enlace más tarde o escríbenos por los mensajes de tu compra.';

/** Fields that the customer types and can correct. */
const DEL_CLIENTE = new Set(['rfc', 'razonSocial', 'cp', 'regimen', 'usoCfdi', 'email', 'email2']);

/** Tells whether the fault is in a field that the customer can correct. */
export const isOfCliente = (campo: string | undefined) => campo !== undefined && DEL_CLIENTE.has(campo);
