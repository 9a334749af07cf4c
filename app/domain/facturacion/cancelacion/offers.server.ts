import type { Offer } from '~/platform/offer';
import { cancelRepetida } from './cancelRepetida.server';
import { cancelCfdi } from './internal/cancelCfdi.server';

/** The rows of cancellations in the catalogs of the product. */
export const cancelacionOffer: Offer = {
  effects: [cancelCfdi, cancelRepetida],
};
