import type { Offer } from '~/platform/offer';
import { mailFactura } from './factura.server';
import { sondearCuenta } from './internal/sondeo.server';

/** The rows of kept CFDI in the catalogs of the product. */
export const cfdiOffer: Offer = {
  effects: [sondearCuenta, mailFactura],
};
