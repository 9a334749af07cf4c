import { MERCADOS } from '~/domain/mercados/mercados';
import type { Clase, Market, Situacion } from '~db/columns';

export type { Clase, Market, Situacion };

/**
 * Returns the kind of a sale. Cancelada outranks devuelta, and both outrank a wrong sku, so a sale that ended is never invoiced. A sale that came back
 * counts as any other where a person kept it (`conservada`) and its payment stands. `prefijo` begins every sku of ours.
 */
export function classifyOrden(
  orden: { estatus: string; situacion: Situacion; skus: readonly (string | null)[]; conservada?: boolean },
  prefijo: string,
): Clase {
  if (orden.estatus === 'cancelado' || orden.situacion === 'cancelada') return 'cancelada';
  if (orden.situacion === 'devuelta' && !orden.conservada) return 'devuelta';
  if (orden.situacion === 'invalida') return 'invalida';
  return orden.skus.length > 0 && orden.skus.every((sku) => sku?.split('|')[0] === prefijo) ? 'normal' : 'invalida';
}

export const CLASE_LABEL: Record<Clase, string> = {
  normal: 'Normal',
  cancelada: 'Cancelada',
  devuelta: 'Devuelta',
  invalida: 'SKU no válido',
};

/** Returns whether the money of a sale has arrived. SQL asks `PAGADAS`. */
export const isPagada = (situacion: Situacion): boolean => PAGADAS.includes(situacion);
export const PAGADAS: readonly Situacion[] = ['pagada', 'devueltaEnParte', 'devuelta'];

/** Returns the address of the seller's page of a sale; a cart has one page, under its own number. */
export const ventaUrl = (market: Market, numOrden: string): string => MERCADOS[market].ventaUrl(numOrden);
