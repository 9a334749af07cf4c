import type { Offer } from '~/platform/offer';
import { catalogoOffer } from '~/domain/compras/catalogo/offers.server';
import { directorioOffer } from '~/domain/compras/directorio/offers.server';
import { proveedorFacturasOffer } from '~/domain/compras/facturas/offers.server';
import { pagosOffer } from '~/domain/compras/pagos/offers.server';
import { pedidosOffer } from '~/domain/compras/pedidos/offers.server';
import { stockOffer } from '~/domain/compras/stock/offers.server';

/** The offer of every noun: the catalogs of effects, queues, search, lists and bulk work take their rows from here. */
export const OFFERS: readonly Offer[] = [
  directorioOffer,
  catalogoOffer,
  proveedorFacturasOffer,
  stockOffer,
  pedidosOffer,
  pagosOffer,
];
