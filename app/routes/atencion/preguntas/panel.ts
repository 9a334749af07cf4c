import { definePanel } from '~/ui/ficha/panel';

/** The panel of a pregunta, on every list that shows preguntas. */
export const preguntaPanel = definePanel('PreguntaFicha', {
  load: async () => (await import('./PreguntaFicha')).PreguntaFicha,
  que: 'Pregunta',
  ausente: {
    titulo: 'La pregunta no existe',
    texto: 'El enlace nombra una pregunta que no está aquí. Puede que se haya copiado incompleto.',
  },
});
