import type { Offer } from '~/platform/offer';
import { personalOffer } from '~/domain/personal/offers.server';
import { ordenesOffer } from '~/domain/ventas/ordenes/offers.server';
import { enviosOffer } from '~/domain/ventas/envios/offers.server';
import { catalogoOffer } from '~/domain/compras/catalogo/offers.server';
import { directorioOffer } from '~/domain/compras/directorio/offers.server';
import { proveedorFacturasOffer } from '~/domain/compras/facturas/offers.server';
import { pagosOffer } from '~/domain/compras/pagos/offers.server';
import { pedidosOffer } from '~/domain/compras/pedidos/offers.server';
import { stockOffer } from '~/domain/compras/stock/offers.server';
import { cfdiOffer } from '~/domain/facturacion/cfdi/offers.server';
import { receptoresOffer } from '~/domain/facturacion/receptores/offers.server';
import { cancelacionOffer } from '~/domain/facturacion/cancelacion/offers.server';
import { mesOffer } from '~/domain/facturacion/mes/offers.server';
import { emisionOffer } from '~/domain/facturacion/emision/offers.server';
import { enlacesOffer } from '~/domain/facturacion/enlaces/offers.server';
import { notasCreditoOffer } from '~/domain/facturacion/notasCredito/offers.server';
import { notaSencillaOffer } from '~/domain/facturacion/notaSencilla/offers.server';
import { publicacionesOffer } from '~/domain/publicaciones/publicaciones/offers.server';
import { publicadorOffer } from '~/domain/publicaciones/publicador/offers.server';
import { preguntasOffer } from '~/domain/atencion/preguntas/offers.server';
import { reclamosOffer } from '~/domain/atencion/reclamos/offers.server';
import { syncOffer } from '~/domain/sync/offers.server';
import { conciliacionOffer } from '~/domain/cierre/conciliacion/offers.server';
import { reportesOffer } from '~/domain/cierre/reportes/offers.server';

/** The offer of every noun: the catalogs of effects, queues, search, lists and bulk work take their rows from here. */
export const OFFERS: readonly Offer[] = [
  personalOffer,
  ordenesOffer,
  enviosOffer,
  directorioOffer,
  catalogoOffer,
  proveedorFacturasOffer,
  stockOffer,
  pedidosOffer,
  pagosOffer,
  cfdiOffer,
  receptoresOffer,
  cancelacionOffer,
  mesOffer,
  emisionOffer,
  enlacesOffer,
  notasCreditoOffer,
  notaSencillaOffer,
  publicacionesOffer,
  publicadorOffer,
  preguntasOffer,
  reclamosOffer,
  syncOffer,
  conciliacionOffer,
  reportesOffer,
];
