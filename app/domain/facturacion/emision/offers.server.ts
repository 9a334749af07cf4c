import type { Offer } from '~/platform/offer';
import { entregas } from './internal/entregas.server';
import { buscarFacturas } from './internal/buscarFacturas.server';
import { stampFactura } from './internal/stampFactura.server';
import { facturasList, notasCreditoList } from './listFacturas.server';
import { facturarVentas } from './internal/lotesDeVentas.server';
import { correoAClientes, pdfYXml } from './lotesDeFacturas.server';
import { listasParaFacturar } from './porFacturar.server';

/** The rows of facturas to customers in the catalogs of the product. */
export const emisionOffer: Offer = {
  effects: [stampFactura, ...entregas.all()],
  buscadores: [buscarFacturas],
  lists: [facturasList, notasCreditoList],
  colas: [listasParaFacturar],
  acciones: [facturarVentas, pdfYXml, correoAClientes],
};
