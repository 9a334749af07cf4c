import type { Subject } from '~/platform/effects/definition';

/** The subject of a sale, by its number at its marketplace. An effect about it is about all ordenes of that number, and about one that comes later. */
export const laVenta = (market: string, numOrden: string): Subject => ['venta', `${market}:${numOrden}`];
