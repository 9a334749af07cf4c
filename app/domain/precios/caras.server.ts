import type { Market } from '~/core/market';
import type { Db, Trx } from '~db/client.server';
import { type Cara, carasDe } from './caras';
import { readPropias, readReglas } from './reglas.server';
import { tipoCambio } from './tipoCambio.server';

/** Both faces of the price of some products, at each marketplace. One that its supplier was never read with an offer is not among them. */
export async function readCaras(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, Record<Market, Cara>>> {
  if (productos.length === 0) return new Map();
  const [reglas, propias, rows] = await Promise.all([
    readReglas(db),
    readPropias(db, productos),
    db
      .selectFrom('producto')
      .innerJoin('oferta', 'oferta.productoId', 'producto.id')
      .select(['producto.id', 'producto.proveedor', 'costoEnvio', 'precio', 'moneda', 'sinPrecio'])
      .select(tipoCambio.as('tipoCambio'))
      .where('producto.id', 'in', productos)
      .execute(),
  ]);
  return new Map(
    rows.map(({ id, proveedor, costoEnvio, ...ofrecido }) => [
      id,
      carasDe(reglas, { proveedor, ofrecido, envio: costoEnvio, propias: propias.get(id) ?? {} }),
    ]),
  );
}
