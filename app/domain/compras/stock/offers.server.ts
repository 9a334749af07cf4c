import type { Offer } from '~/platform/offer';
import { buscarStock } from './internal/buscarStock.server';
import { devolucionesPorRecibir } from './devoluciones.server';
import { faltantesAlEmpacar } from './empaque.server';
import { stockInternoList } from './listStock.server';
import { codigosQr, estadosDeStock } from './internal/batches.server';
import { devolucionesSinLlegar } from './internal/sinLlegar.server';

/** The rows of our own stock in the catalogs of the product. */
export const stockOffer: Offer = {
  colas: [devolucionesPorRecibir, faltantesAlEmpacar],
  buscadores: [buscarStock],
  lists: [stockInternoList],
  acciones: [...estadosDeStock, codigosQr, devolucionesSinLlegar],
};
