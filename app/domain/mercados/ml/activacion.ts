/** How an activation of Mercado Libre ended, in the words of the screen. The keys travel in the address. */
export const ACTIVACION_ML = {
  lista: {
    titulo: 'Mercado Libre',
    texto: 'La cuenta de Mercado Libre quedó activada. Las ventas están llegando.',
    hecha: true,
  },
  vencida: {
    titulo: 'Error de activación.',
    texto: 'La activación venció, ya se usó o la empezó otra persona. Vuelve a presionar «Activar Mercado Libre».',
  },
  cancelada: { titulo: 'Error de activación.', texto: 'No se autorizó la cuenta en Mercado Libre.' },
  noEsDueno: {
    titulo: 'Error de activación.',
    texto: 'Debe autorizar la persona dueña de la cuenta de Mercado Libre; un colaborador no puede.',
  },
  otroPais: { titulo: 'Error de activación.', texto: 'La cuenta no es de Mercado Libre México.' },
  rechazada: { titulo: 'Error de activación.', texto: 'Mercado Libre no aceptó la activación. Vuelve a intentarlo.' },
  sinPermisoDuradero: {
    titulo: 'Error de activación.',
    texto:
      'La aplicación no tiene el permiso «offline_access» en Mercado Libre, y sin él el acceso no puede renovarse.',
  },
  sinConexion: {
    titulo: 'Error de activación.',
    texto: 'Mercado Libre no está disponible en este momento, por favor intentalo más tarde.',
  },
} as const;
