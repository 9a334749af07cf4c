import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { skuOf } from '~/domain/compras/catalogo/producto';
import type { Db, Trx } from '~db/client.server';
import type { Variables } from '../plantilla';

/** Returns the supplier's product that the sku of a listing names. */
export async function productoOf(db: Db | Trx, texto: string | null) {
  const sku = texto === null ? null : skuOf(texto);
  if (!sku) return null;
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
    .where('producto.proveedor', '=', sku.proveedor)
    .where(
      sql<boolean>`(producto.id_proveedor = ${sku.id} or producto.id::text = ${sku.id} or lower(producto.modelo) = ${sku.modelo.toLowerCase()})`,
    )
    .orderBy(sql`producto.id_proveedor = ${sku.id}`, 'desc')
    .limit(1)
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
