import type { Offer } from '~/platform/offer';
import { balanceList } from './balance.server';
import { balancePorRevisar } from './internal/colaBalance.server';
import { cierreDeMes } from './internal/colaCierre.server';
import { stampGlobal } from './internal/stampGlobal.server';
import { listasDelMes, loteList } from './mesLists.server';

/** The rows of a month's closing in the catalogs of the product. */
export const mesOffer: Offer = {
  effects: [stampGlobal],
  colas: [cierreDeMes, balancePorRevisar],
  lists: [...Object.values(listasDelMes), loteList, balanceList],
};
