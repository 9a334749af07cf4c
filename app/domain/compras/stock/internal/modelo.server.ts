import { sql } from 'kysely';

/** Returns the model of a piece: of its product, or of the article it came back from where that product is not in the catalogue. Reads `stock_interno` and `producto`. */
export const modeloOfPieza = sql<string | null>`coalesce(producto.modelo, (
  select a.modelo from articulo a
  where stock_interno.producto_id is null and a.orden_id = stock_interno.orden_id and a.nombre = stock_interno.descripcion
  order by a.posicion limit 1))`.as('modelo');
