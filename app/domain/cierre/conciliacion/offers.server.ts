import type { Offer } from '~/platform/offer';
import {
  depositosConDiferencia,
  dineroSinIdentificar,
  liberacionesAtrasadas,
} from './internal/colaConciliacion.server';
import { porLiberarList } from './listPorLiberar.server';
import { sueltosList } from './listSueltos.server';
import { depositosList, conciliadasList, ajustesList } from './listConciliacion.server';

/** The rows of payouts in the catalogs of the product. */
export const conciliacionOffer: Offer = {
  colas: [depositosConDiferencia, liberacionesAtrasadas, dineroSinIdentificar],
  lists: [depositosList, conciliadasList, ajustesList, porLiberarList, sueltosList],
};
