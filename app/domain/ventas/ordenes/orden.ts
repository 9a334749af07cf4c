import { MERCADOS } from '~/domain/mercados/mercados';
import type { Clase, Market, Situacion } from '~db/columns';

export type { Clase, Market, Situacion };

/**
 * The order of the kinds: cancelada outranks devuelta, and both outrank what is wrong with a sku, so a sale that ended is never
 * invoiced.
 */
export function classifyOrden(
  orden: { estatus: string; situacion: Situacion; skus: readonly (string | null)[] },
  prefijo: string,
): Clase {
  if (orden.estatus === 'cancelado' || orden.situacion === 'cancelada') return 'cancelada';
  if (orden.situacion === 'devuelta') return 'devuelta';
  if (orden.situacion === 'invalida') return 'invalida';
  return orden.skus.length > 0 && orden.skus.every((sku) => sku?.split('|')[0] === prefijo) ? 'normal' : 'invalida';
}

export const CLASE_LABEL: Record<Clase, string> = {
  normal: 'Normal',
  cancelada: 'Cancelada',
  devuelta: 'Devuelta',
  invalida: 'SKU no válido',
};

/** Whether the money of a sale has arrived; the rest wait for it. In SQL: PAGADAS. */
export const isPagada = (situacion: Situacion): boolean => PAGADAS.includes(situacion);
export const PAGADAS: readonly Situacion[] = ['pagada', 'devueltaEnParte', 'devuelta'];

/** The seller's page of a sale; a cart has one page, under its own number. */
export const ventaUrl = (market: Market, numOrden: string): string => MERCADOS[market].ventaUrl(numOrden);
