import type { Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/**
 * Holds the catalogue of one supplier, or of all of them, until the transaction ends: only this transaction writes its products. Reads and price
 * lists write thousands of rows each in an order of their own, so two at once could deadlock. A transaction that holds the catalogue may ask again.
 */
export async function lockCatalogo(trx: Trx, proveedor?: string): Promise<void> {
  if (proveedor !== undefined) return await lockName(trx, 'catalogo', proveedor);
  const all = await trx.selectFrom('proveedor').select('value').orderBy('value').execute();
  for (const { value } of all) await lockName(trx, 'catalogo', value);
}
