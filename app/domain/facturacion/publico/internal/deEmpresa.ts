/**
 * What a customer reads where the fault is the company's: its keys, folios, seal, series, articles or the PAC itself. What it is, staff read on the board.
 */
export const FALLA_DE_EMPRESA =
  'En este momento no podemos generar tu factura y ya lo estamos revisando. No es por los datos que escribiste, que siguen aquí: vuelve a este enlace más tarde o escríbenos por los mensajes de tu compra.';

/** Fields that the customer typed and can mend. */
const DEL_CLIENTE = new Set(['rfc', 'razonSocial', 'cp', 'regimen', 'usoCfdi', 'email', 'email2']);

export const isOfCliente = (campo: string | undefined) => campo !== undefined && DEL_CLIENTE.has(campo);
