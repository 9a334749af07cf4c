import type { Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/**
 * Holds the catalogue of a supplier, or of all of them, until the transaction ends: this transaction alone writes its products. A lot, a list of prices and the
 * end of a read write thousands of rows each in an order of its own, so two at once could wait for each other. A transaction that holds the catalogue may ask again.
 */
export async function lockCatalogo(trx: Trx, proveedor?: string): Promise<void> {
  if (proveedor !== undefined) return await lockName(trx, 'catalogo', proveedor);
  const all = await trx.selectFrom('proveedor').select('value').orderBy('value').execute();
  for (const { value } of all) await lockName(trx, 'catalogo', value);
}
