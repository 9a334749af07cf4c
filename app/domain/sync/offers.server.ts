import type { Offer } from '~/platform/offer';
import { ventasSinLeer, fuentesEnSilencio } from './internal/colaSinLeer.server';

/** The rows of the sync engine in the catalogs of the product. */
export const syncOffer: Offer = {
  colas: [ventasSinLeer, fuentesEnSilencio],
};
