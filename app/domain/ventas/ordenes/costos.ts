import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { Dia, Huella, opcional, REQUERIDO, SiNo, Texto } from '~/core/fields';

/** Longest SKU of a sale, in characters. */
const MAX_SKU = 200;

/**
 * Cost of a piece with VAT, in pesos, from a day on. Without a cost the product has none from that day on. `soloAlmacen`: only for sales that leave from
 * the marketplace's warehouse.
 */
export const CostoPropioForm = z.object({
  sku: Texto(MAX_SKU),
  huella: Huella,
  desde: Dia(),
  costo: opcional(importeEscrito(REQUERIDO, 'El costo no es válido.', { min: '0.01', max: '99999999.99' })),
  soloAlmacen: SiNo,
});

/** Words for where a typed cost counts. */
export const DONDE_VALE = (soloAlmacen: boolean): string =>
  soloAlmacen ? 'Lo que sale del almacén del mercado' : 'Todas sus ventas sin pedido';
