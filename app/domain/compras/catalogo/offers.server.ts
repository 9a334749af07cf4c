import type { Offer } from '~/platform/offer';
import { buscarProductos } from './internal/buscarProductos.server';
import { catalogosEnSilencio } from './internal/colaCatalogos.server';
import { productosList } from './listProductos.server';

/** The rows of the suppliers' catalogue in the catalogs of the product. */
export const catalogoOffer: Offer = {
  colas: [catalogosEnSilencio],
  buscadores: [buscarProductos],
  lists: [productosList],
};
