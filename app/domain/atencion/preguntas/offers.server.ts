import type { Offer } from '~/platform/offer';
import { bloqueos } from './comprador.server';
import { buscarPorResponder, buscarPreguntas } from './internal/buscarPreguntas.server';
import { preguntasSinResponder } from './internal/colaPreguntas.server';
import { responderVarias } from './internal/lotesDePreguntas.server';
import { preguntasList, responderList } from './listPreguntas.server';
import { respuestas } from './responderPregunta.server';

/** The rows of preguntas in the catalogs of the product. */
export const preguntasOffer: Offer = {
  effects: [...respuestas.all(), ...bloqueos.all()],
  colas: [preguntasSinResponder],
  buscadores: [buscarPorResponder, buscarPreguntas],
  acciones: [responderVarias],
  lists: [preguntasList, responderList],
};
