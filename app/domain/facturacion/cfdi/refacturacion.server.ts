import type { Trx } from '~db/client.server';

/**
 * A sale that was in a stamped global and whose customer asks for a factura. Its claim passes from the global to that factura, and the
 * row that stays says what the global owes: a credit note for the sale, which 'Notas de Credito' of Refacturacion issues. A factura that is
 * refused or cancelled gives it back (freeClaims).
 */

/** Passes the claims of these ordenes from their stamped global to the stamp `effectId`. Returns the ordenes it passed; the rest had no global. */
export async function claimForRefacturacion(trx: Trx, ordenIds: string[], effectId: string): Promise<string[]> {
  if (ordenIds.length === 0) return [];
  const passed = await trx
    .updateTable('fiscalClaim as claim')
    .from('factura')
    .set({ kind: 'individual', effectId, facturaId: null, claimedAt: new Date() })
    .whereRef('factura.id', '=', 'claim.facturaId')
    .where('factura.estatus', '=', 'vigente')
    .where('claim.ordenId', 'in', ordenIds)
    .where('claim.kind', '=', 'global')
    .returning(['claim.ordenId', 'factura.id as globalId'])
    .execute();
  if (passed.length === 0) return [];
  // A row that stayed belongs to a cancelled factura whose credit note is not known to stand. This factura takes its place.
  await trx
    .insertInto('refacturacion')
    .values(passed.map(({ ordenId, globalId }) => ({ ordenId, globalId, effectId })))
    .onConflict((same) => same.columns(['ordenId', 'globalId']).doUpdateSet({ effectId, facturaId: null }))
    .execute();
  return passed.map(({ ordenId }) => ordenId);
}

/** The customer's factura is stamped: from now on the sale is in the list. */
export async function settleRefacturacion(trx: Trx, effectId: string, facturaId: string): Promise<void> {
  await trx.updateTable('refacturacion').set({ facturaId }).where('effectId', '=', effectId).execute();
}
