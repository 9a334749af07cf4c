import { useArea } from '~/access/useArea';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import type { PreguntaAbierta } from './abierta';

const { Part: PreguntaFicha, anticipar } = perezoso('PreguntaFicha', async () => ({
  default: (await import('./PreguntaFicha')).PreguntaFicha,
}));

const AUSENTE = {
  titulo: 'La pregunta no existe',
  texto: 'El enlace nombra una pregunta que no está aquí. Puede que se haya copiado incompleto.',
};

/** The panel of a question, on the lists that show questions. */
export function useFichaOfPregunta(
  lista: { lista: string; corte: string },
  inicial: PreguntaAbierta | 'ausente' | null,
  que: 'Pregunta' | 'Publicación',
) {
  return useFichaOf({ lista, area: useArea(), inicial, que, ausente: AUSENTE, Dentro: PreguntaFicha, anticipar });
}
