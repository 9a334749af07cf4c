import type { Subject } from '~/platform/effects/definition';

/**
 * Returns the subject of a sale, by its number at its marketplace. An effect about this subject is about all ordenes of that number, those that come
 * later included.
 */
export const laVenta = (market: string, numOrden: string): Subject => ['venta', `${market}:${numOrden}`];
