import type { Offer } from '~/platform/offer';
import { costosList } from './costos.server';
import { buscarOrdenes } from './internal/buscarOrdenes.server';
import { pagadasSinEntregar } from './internal/colaDevueltas.server';
import { porEnviar, atoradas } from './internal/porEnviar.server';
import { ordenesList, canceladasList, activasList } from './listOrdenes.server';

/** The rows of ordenes in the catalogs of the product. */
export const ordenesOffer: Offer = {
  colas: [porEnviar, atoradas, pagadasSinEntregar],
  buscadores: [buscarOrdenes],
  lists: [ordenesList, canceladasList, activasList, costosList],
};
