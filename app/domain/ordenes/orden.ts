import type { Clase, Market } from '~db/columns';

export type { Clase, Market };

/**
 * One reading of the spec: cancelada outranks devuelta, and both outrank what is wrong with a sku, so a sale that ended is never
 * invoiced. `paid` with the tag `unfulfilled` exists at Mercado Libre only.
 */
export function classifyOrden(
  orden: {
    market: Market;
    estatus: string;
    marketStatus: string;
    tags: readonly string[];
    skus: readonly (string | null)[];
  },
  prefijo: string,
): Clase {
  if (orden.estatus === 'cancelado' || orden.marketStatus === 'cancelled') return 'cancelada';
  if (orden.market === 'ml' && orden.marketStatus === 'paid' && orden.tags.includes('unfulfilled')) return 'devuelta';
  if (orden.marketStatus === 'invalid') return 'invalida';
  return orden.skus.length > 0 && orden.skus.every((sku) => sku?.split('|')[0] === prefijo) ? 'normal' : 'invalida';
}

export const CLASE_LABEL: Record<Clase, string> = {
  normal: 'Normal',
  cancelada: 'Cancelada',
  devuelta: 'Devuelta',
  invalida: 'SKU no válido',
};

/** A whole number of a sale, of Mercado Libre or of Amazon. */
export const NUMERO_ENTERO = /^(\d{16}|\d{3}-\d{7}-\d{7})$/;

/** Whether the money of a sale has arrived; the rest of its states wait for it or give it back. */
export function isPagada(marketStatus: string): boolean {
  return marketStatus === 'paid' || marketStatus === 'partially_refunded';
}

/** The seller's page of a sale; a cart has one page, under its own number. */
export function ventaUrl(market: Market, numOrden: string): string {
  return market === 'ml'
    ? `https://www.mercadolibre.com.mx/ventas/${numOrden}/detalle`
    : `https://sellercentral.amazon.com.mx/orders-v3/order/${numOrden}`;
}
