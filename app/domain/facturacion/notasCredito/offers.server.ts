import type { Offer } from '~/platform/offer';
import { stampNotaCredito } from './internal/stampNotaCredito.server';

/** The rows of credit notes in the catalogs of the product. */
export const notasCreditoOffer: Offer = {
  effects: [stampNotaCredito],
};
