import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

export type Disponible = { id: string; folio: string };

/** By product, the pieces on our shelf that may leave for any sale, the oldest first. The same model from another supplier serves as well. */
export async function disponiblesOf(
  db: Db | Trx,
  productoIds: readonly string[],
): Promise<ReadonlyMap<string, Disponible[]>> {
  const deCada = new Map<string, Disponible[]>();
  if (productoIds.length === 0) return deCada;
  const { rows } = await sql<Disponible & { de: string }>`
    with igual as (
      select p.id as de, p.id from producto p where p.id = any(${[...productoIds]}::uuid[])
      union select p.id, q.id from producto p cross join proveedor v join producto q on q.proveedor = v.value and lower(q.modelo) = lower(p.modelo)
        where p.id = any(${[...productoIds]}::uuid[]))
    select igual.de, s.id, s.folio from igual join stock_interno s on s.producto_id = igual.id
    where s.estado = 'disponible' order by s.creada_en, s.folio`.execute(db);
  for (const { de, ...pieza } of rows) deCada.set(de, [...(deCada.get(de) ?? []), pieza]);
  return deCada;
}

/** A piece that left, or is kept, for an orden. */
export type Apartada = { ordenId: string; productoId: string | null; modelo: string | null };

export async function apartadasPara(db: Db | Trx, ordenIds: readonly string[]): Promise<Apartada[]> {
  if (ordenIds.length === 0) return [];
  const { rows } = await sql<Apartada>`
    select s.venta_id as orden_id, s.producto_id, p.modelo from stock_interno s left join producto p on p.id = s.producto_id
    where s.venta_id = any(${[...ordenIds]}::uuid[]) order by s.folio`.execute(db);
  return rows;
}
