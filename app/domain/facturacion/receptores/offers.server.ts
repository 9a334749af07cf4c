import type { Offer } from '~/platform/offer';
import { datosFiscalesList } from './datosFiscales.server';
import { buscarClientes } from './internal/buscarClientes.server';
import { savePacClient } from './internal/savePacClient.server';
import { savePublicClient } from './receptor.server';

/** The rows of customers and their tax data in the catalogs of the product. */
export const receptoresOffer: Offer = {
  effects: [savePacClient, savePublicClient],
  buscadores: [buscarClientes],
  lists: [datosFiscalesList],
};
