import type { Offer } from '~/platform/offer';
import { mailNota } from './createNota.server';
import { buscarNotas } from './internal/buscarNotas.server';
import { notasList } from './listNotas.server';

/** The rows of notas sencillas in the catalogs of the product. */
export const notaSencillaOffer: Offer = {
  effects: [mailNota],
  buscadores: [buscarNotas],
  lists: [notasList],
};
