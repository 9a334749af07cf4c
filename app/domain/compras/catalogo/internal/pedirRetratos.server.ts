import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';

/** SQLSTATE of a database that only reads, and of a full disk. */
const NO_SE_ESCRIBE = new Set(['25006', '53100']);

/** Asks the worker for the small pictures of these products, where they are missing or due. A list that is only looked at stands where nothing can be written. */
export async function askRetratos(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('productoRetrato')
      .columns(['productoId'])
      // In one order: two lists that ask for the same products never wait for each other.
      .expression((eb) => eb.selectFrom('producto').select('id').where('id', 'in', ids).orderBy('id'))
      .onConflict((conflict) =>
        conflict
          .column('productoId')
          .doUpdateSet({ miradaEn: null, venceEn: PEDIDO })
          .where(sql<boolean>`producto_retrato.vence_en <= now()`),
      )
      .executeTakeFirstOrThrow();
    if ((numInsertedOrUpdatedRows ?? 0n) > 0n) await enqueue(db, 'productos.retratos', {});
  } catch (error) {
    if (!NO_SE_ESCRIBE.has(String((error as { code?: unknown } | null)?.code))) throw error;
  }
}

/** A picture that was asked for is not asked for again before the worker had time for it. */
const PEDIDO = sql<Date>`now() + interval '10 minutes'`;

/** Has the small picture of a product made anew, because its pictures changed. One that no list has shown yet waits until a list shows it. */
export async function renewRetrato(trx: Trx, productoId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('productoRetrato')
    .set({ miradaEn: null, venceEn: PEDIDO })
    .where('productoId', '=', productoId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await enqueue(trx, 'productos.retratos', {});
}
