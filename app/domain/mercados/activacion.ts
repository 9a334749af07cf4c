/** How an activation of a marketplace ended. Travels in the address back to the screen, which says it in these words. */
export const ACTIVACION = {
  lista: { titulo: 'Mercado Libre', texto: 'La cuenta de Mercado Libre quedó activada. Las ventas están llegando.' },
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
  amazonLista: { titulo: 'Amazon', texto: 'La cuenta de Amazon quedó activada. Las ventas están llegando.' },
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
  tercerCanal: {
    titulo: 'Error de activación.',
    texto: 'Llegó la respuesta de una tienda que Trastienda no maneja. No se guardó nada de ella.',
  },
} as const;

/** The ones after which its sales come. */
export const activada = (activacion: Activacion) => activacion === 'lista' || activacion === 'amazonLista';

export type Activacion = keyof typeof ACTIVACION;

export function activacionOf(text: string | null): Activacion | undefined {
  return text !== null && Object.hasOwn(ACTIVACION, text) ? (text as Activacion) : undefined;
}
