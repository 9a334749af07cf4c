import { sql } from 'kysely';
import { PRODUCTO_DE_ARTICULO } from '~/domain/compras/catalogo/delArticulo.server';

/** SQL: id of the product that the first article of an `orden` names; null where it names none, and without an orden. */
export const PRODUCTO_DE_VENTA = sql<string | null>`(
  select ${PRODUCTO_DE_ARTICULO} from articulo where articulo.orden_id = orden.id order by articulo.posicion limit 1)`;
