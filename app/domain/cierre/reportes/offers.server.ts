import type { Offer } from '~/platform/offer';
import { llenarReporteList, mensualList } from './utilidadLists.server';

/** The rows of the reports of profit in the catalogs of the product. */
export const reportesOffer: Offer = {
  lists: [llenarReporteList, mensualList],
};
