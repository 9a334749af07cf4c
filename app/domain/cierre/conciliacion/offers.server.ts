import type { Offer } from '~/platform/offer';
import { depositosConDiferencia } from './internal/colaConciliacion.server';
import { depositosList, conciliadasList, ajustesList } from './listConciliacion.server';

/** The rows of payouts in the catalogs of the product. */
export const conciliacionOffer: Offer = {
  colas: [depositosConDiferencia],
  lists: [depositosList, conciliadasList, ajustesList],
};
