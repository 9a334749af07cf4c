/** What a link to a shipment that is not here answers, with a 404. */
export const ENVIO_AUSENTE = {
  titulo: 'El envío no existe',
  texto: 'El enlace nombra un envío que no está aquí. Puede que se haya copiado incompleto.',
};
