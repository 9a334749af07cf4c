import { sql } from 'kysely';
import type { Trx } from '~db/client.server';

/**
 * A sale that was in a stamped global and whose customer asks for a factura. Its claim passes from the global to that factura, and the
 * row that stays says what the global owes: a credit note for the sale, which 'Notas de Credito' of Refacturacion issues.
 */

/** Passes the claims of these ordenes from their stamped global to the stamp `effectId`. Returns the ordenes it passed; the rest had no global. */
export async function claimForRefacturacion(trx: Trx, ordenIds: string[], effectId: string): Promise<string[]> {
  if (ordenIds.length === 0) return [];
  const passed = await trx
    .updateTable('fiscalClaim as claim').from('factura')
    .set({ kind: 'individual', effectId, facturaId: null, claimedAt: new Date() })
    .whereRef('factura.id', '=', 'claim.facturaId').where('factura.estatus', '=', 'vigente')
    .where('claim.ordenId', 'in', ordenIds).where('claim.kind', '=', 'global')
    .returning(['claim.ordenId', 'factura.id as globalId'])
    .execute();
  if (passed.length === 0) return [];
  await trx.insertInto('refacturacion').values(passed.map(({ ordenId, globalId }) => ({ ordenId, globalId, effectId }))).execute();
  return passed.map(({ ordenId }) => ordenId);
}

/** The customer's factura is stamped: from now on the sale is in the list. */
export async function settleRefacturacion(trx: Trx, effectId: string, facturaId: string): Promise<void> {
  await trx.updateTable('refacturacion').set({ facturaId }).where('effectId', '=', effectId).execute();
}

/**
 * The customer's factura was refused, or cancelled later. What the global has not given back with a credit note is the global's again;
 * what it has, or what a global that no longer stands had, is free.
 */
export async function undoRefacturacion(trx: Trx, effectId: string): Promise<void> {
  const held = await trx.selectFrom('refacturacion').select('id').where('effectId', '=', effectId).forUpdate().execute();
  if (held.length === 0) return;
  // Another statement, another look: a credit note may have been accepted while this waited for the row.
  const { rows } = await sql<{ ordenId: string; globalId: string; globalEffectId: string | null }>`
    delete from refacturacion r using factura g
    where r.effect_id = ${effectId} and g.id = r.global_id
      and not exists (select from nota_credito_orden n where n.factura_id = r.global_id and n.orden_id = r.orden_id)
    returning r.orden_id, r.global_id, case when g.estatus <> 'cancelada' then g.effect_id end as global_effect_id`.execute(trx);
  for (const { ordenId, globalId, globalEffectId } of rows) {
    if (globalEffectId === null) continue;
    await trx
      .updateTable('fiscalClaim').set({ kind: 'global', effectId: globalEffectId, facturaId: globalId, claimedAt: new Date() })
      .where('ordenId', '=', ordenId).where('effectId', '=', effectId)
      .execute();
  }
}
