/** What is asked before something is done to a sale, word for word from the spec where it has the words. */
export const PREGUNTAS = {
  entregar: {
    titulo: 'Cambio de estatus',
    texto: '¿Está seguro que desea cambiar el estatus de la orden a Entregado?',
  },
  enlace: { titulo: 'Enviar link', texto: '¿Está seguro que desea enviar el link al cliente?' },
  correo: { titulo: 'Enviar correo', texto: '¿Está seguro que desea enviar el correo?' },
  revocarEnlace: {
    titulo: 'Revocar enlace',
    texto: '¿Estas seguro de revocar el enlace? El cliente ya no podrá abrirlo.',
  },
  reintentar: { titulo: 'Reintentar', texto: '¿Está seguro que desea intentarlo otra vez?' },
} as const;

export const DESCARGAR = '¿Desea descargar la factura?';
