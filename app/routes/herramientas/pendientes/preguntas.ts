/** What is asked before each decision about a call whose answer was lost. */
export const PREGUNTA = {
  existe: {
    titulo: 'Sí existe',
    texto: 'Se leerá del PAC y se comparará con lo que se pidió antes de darla por hecha. ¿Continuar?',
  },
  hecho: { titulo: 'Sí se hizo', texto: '¿Confirmas que sí se hizo? Queda registrado con tu nombre.' },
  noExiste: {
    titulo: 'No existe',
    texto: '¿Confirmas que revisaste y no existe? Podrá intentarse otra vez. Queda registrado con tu nombre.',
  },
  enviar: {
    titulo: 'Enviar otra vez',
    texto:
      'Se buscará una vez más y, si no está, se timbrará. Si el primer envío llegara después habría dos, y se avisaría aquí. ¿Continuar?',
  },
  repetida: {
    titulo: 'Cancelar la repetida',
    texto: '¿Confirmas que ese CFDI sobra? Se pedirá su cancelación al SAT con el motivo 02 y no se puede deshacer.',
  },
  entendido: {
    titulo: 'Ya se atendió',
    texto: '¿Confirmas que ya se corrigió del otro lado, o que se queda así? Queda registrado con tu nombre.',
  },
} as const;
