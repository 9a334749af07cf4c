/** The answer to a link whose shipment does not exist, with a 404. */
export const ENVIO_AUSENTE = {
  titulo: 'El envío no existe',
  texto: 'El enlace nombra un envío que no está aquí. Puede que se haya copiado incompleto.',
};
