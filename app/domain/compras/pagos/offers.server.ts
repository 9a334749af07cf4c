import type { Offer } from '~/platform/offer';
import { buscarPagos } from './buscarPagos.server';
import { pedidosSinPago } from './colaPagos.server';
import { cotizacionesList } from './listCotizaciones.server';
import { pagosList } from './listPagos.server';

/** The rows of payments to suppliers in the catalogs of the product. */
export const pagosOffer: Offer = {
  colas: [pedidosSinPago],
  buscadores: [buscarPagos],
  lists: [cotizacionesList, pagosList],
};
