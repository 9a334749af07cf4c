import type { Offer } from '~/platform/offer';
import { buscarProveedorFacturas } from './internal/buscarProveedorFacturas.server';
import { proveedorFacturasList, sinFacturaList } from './lists.server';

/** The rows of suppliers' invoices in the catalogs of the product. */
export const proveedorFacturasOffer: Offer = {
  buscadores: [buscarProveedorFacturas],
  lists: [proveedorFacturasList, sinFacturaList],
};
