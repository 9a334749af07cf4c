import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import type { Db, Trx } from '~db/client.server';
import { type Cara, carasOf, type Preciable } from './caras';
import { readPropias, readReglas } from './reglas.server';

/** Some products as prices look at them. One that its supplier was never read with an offer is not among them. */
export async function readPreciables(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, Preciable>> {
  if (productos.length === 0) return new Map();
  const [propias, rows] = await Promise.all([
    readPropias(db, productos),
    db
      .selectFrom('producto')
      .innerJoin('oferta', 'oferta.productoId', 'producto.id')
      .leftJoin('catalogoProveedor', 'catalogoProveedor.proveedor', 'producto.proveedor')
      .select(['producto.id', 'producto.proveedor', 'costoEnvio', 'precio', 'moneda', 'sinPrecio'])
      .select(sql<Money | null>`coalesce(catalogo_proveedor.tipo_cambio, oferta.tipo_cambio)`.as('tipoCambio'))
      .where('producto.id', 'in', productos)
      .execute(),
  ]);
  return new Map(
    rows.map(({ id, proveedor, costoEnvio, ...ofrecido }) => [
      id,
      { proveedor, ofrecido, envio: costoEnvio, propias: propias.get(id) ?? {} },
    ]),
  );
}

/** Both faces of their price, at each marketplace. */
export async function readCaras(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, Record<Market, Cara>>> {
  const [reglas, preciables] = await Promise.all([readReglas(db), readPreciables(db, productos)]);
  return new Map([...preciables].map(([id, preciable]) => [id, carasOf(reglas, preciable)]));
}
