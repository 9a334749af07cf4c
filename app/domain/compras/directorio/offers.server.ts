import type { Offer } from '~/platform/offer';
import { agentesList } from './agentes.server';
import { mailProveedor } from './mailProveedor.server';

/** The rows of the directory of suppliers in the catalogs of the product. */
export const directorioOffer: Offer = { effects: [mailProveedor], lists: [agentesList] };
