import type { Offer } from '~/platform/offer';
import { entradasAnteriores } from './internal/colaAnteriores.server';
import { empresasList } from './empresas.server';
import { usuariosList } from './usuariosList.server';

/** The rows of people and companies in the catalogs of the product. */
export const personalOffer: Offer = {
  lists: [usuariosList, empresasList],
  colas: [entradasAnteriores],
};
