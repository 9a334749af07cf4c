import type { Offer } from '~/platform/offer';
import { mudanzas } from './changeCategoria.server';
import { publicarVarios } from './publicarVarios.server';
import { puestas } from './internal/puestas.server';
import { SIN_PUBLICACION } from './sinPublicacionList.server';

/** The rows of the publicador in the catalogs of the product. */
export const publicadorOffer: Offer = {
  effects: [...puestas.all(), ...mudanzas.all()],
  acciones: publicarVarios,
  lists: [...Object.values(SIN_PUBLICACION)],
};
