import type { Offer } from '~/platform/offer';
import { faltaSaber } from './internal/colaFaltaSaber.server';
import { llenarReporteList, mensualList } from './utilidadLists.server';

/** The rows of the reports of profit in the catalogs of the product. */
export const reportesOffer: Offer = {
  colas: [faltaSaber],
  lists: [llenarReporteList, mensualList],
};
