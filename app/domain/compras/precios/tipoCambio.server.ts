import { sql } from 'kysely';
import type { Money } from '~/core/money';

/** Pesos per dollar of a `producto` with its `oferta`: its supplier's own rate as it was read last, else the one that was told with the product. */
export const tipoCambio = sql<Money | null>`coalesce(
  (select c.tipo_cambio from catalogo_proveedor c where c.proveedor = producto.proveedor), oferta.tipo_cambio)`;
