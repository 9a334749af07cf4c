import { env } from '~/core/env.server';
import { productosOfSkus } from '~/domain/compras/catalogo/delArticulo.server';
import type { Db, Trx } from '~db/client.server';
import type { Variables } from '../plantilla';

/** Returns the supplier's product that the sku of a listing names. */
export async function productoOf(db: Db | Trx, texto: string | null) {
  const id = (await productosOfSkus(db, [texto])).get(texto ?? '');
  if (id === undefined) return null;
  const producto = await db
    .selectFrom('producto')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .select([
      'producto.id',
      'producto.link',
      'proveedor.label as proveedor',
      'producto.marca',
      'producto.modelo',
      'oferta.existencia',
    ])
    .where('producto.id', '=', id)
    .executeTakeFirst();
  return producto ?? null;
}

/** Returns what the words of a template stand for at the listing of a question. */
export const variablesOf = (
  { titulo, marca, modelo, sku, enlace }: Record<'titulo' | 'marca' | 'modelo' | 'sku' | 'enlace', string | null>,
  producto: Awaited<ReturnType<typeof productoOf>>,
): Variables => ({
  titulo,
  marca: marca ?? producto?.marca ?? null,
  modelo: modelo ?? producto?.modelo ?? null,
  sku,
  existencia: producto?.existencia == null ? null : String(producto.existencia),
  enlace,
  tienda: env().MARCA,
});
