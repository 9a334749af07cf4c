import type { Offer } from '~/platform/offer';
import { buscarProveedorFacturas } from './buscarProveedorFacturas.server';
import { proveedorFacturasList } from './listProveedorFacturas.server';
import { sinFacturaList } from './listSinFactura.server';

/** The rows of suppliers' invoices in the catalogs of the product. */
export const proveedorFacturasOffer: Offer = {
  buscadores: [buscarProveedorFacturas],
  lists: [proveedorFacturasList, sinFacturaList],
};
