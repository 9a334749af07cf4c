import type { Offer } from '~/platform/offer';
import { enlacesSinRespuesta } from './internal/colaEnlaces.server';
import { mailEnlace } from './internal/mailEnlace.server';
import { mensajesConEnlace } from './internal/messageEnlace.server';

/** The rows of links to customers in the catalogs of the product. */
export const enlacesOffer: Offer = {
  effects: [mailEnlace, ...mensajesConEnlace.all()],
  colas: [enlacesSinRespuesta],
};
