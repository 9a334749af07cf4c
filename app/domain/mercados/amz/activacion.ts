/** How an activation of Amazon ended, in the words of the screen. The keys travel in the address. */
export const ACTIVACION_AMZ = {
  amazonLista: {
    titulo: 'Amazon',
    texto: 'La cuenta de Amazon quedó activada. Las ventas están llegando.',
    hecha: true,
  },
  amazonVencida: {
    titulo: 'Error de activación.',
    texto: 'La activación venció, ya se usó o la empezó otra persona. Vuelve a presionar «Activar Amazon».',
  },
  amazonRechazada: { titulo: 'Error de activación.', texto: 'Amazon no aceptó la activación. Vuelve a intentarlo.' },
  amazonOtroPais: { titulo: 'Error de activación.', texto: 'La cuenta no vende en Amazon México.' },
  amazonSinConexion: {
    titulo: 'Error de activación.',
    texto: 'Amazon no está disponible en este momento, por favor intentalo más tarde.',
  },
  direccionAjena: {
    titulo: 'Error de activación.',
    texto: 'La dirección a la que había que regresar no es de Amazon. No se continuó.',
  },
} as const;
