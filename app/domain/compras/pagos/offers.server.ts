import type { Offer } from '~/platform/offer';
import { buscarPagos } from './internal/buscarPagos.server';
import { documentosDeProveedores, facturasPorVencer, pedidosSinPago } from './internal/colaPagos.server';
import { cotizacionesList, ordenesDePagosList } from './cotizaciones.server';
import { pagosList } from './listPagos.server';
import { porPagarList } from './porPagar.server';

/** The rows of payments to suppliers in the catalogs of the product. */
export const pagosOffer: Offer = {
  colas: [pedidosSinPago, facturasPorVencer, documentosDeProveedores],
  buscadores: [buscarPagos],
  lists: [cotizacionesList, pagosList, ordenesDePagosList, porPagarList],
};
