import { NotAllowed } from '~/core/errors';
import type { Trx } from '~db/client.server';
import { enOtroDocumento, findClaim } from './facturables.server';
import { claimForRefacturacion } from './refacturacion.server';

/** A sale is in one living document: the row of fiscal_claim of each of its ordenes says which. Nothing is stamped without them. */

type Claims = {
  ordenIds: string[];
  effectId: string;
  /** The factura that is being replaced. */ sustituidaId: string | undefined;
};

/**
 * Ordenes of a stamped global pass from it. Those of a factura that is being replaced stay its own until the new one is stamped: a stamp
 * that is refused then changes nothing. The rest had no document. One that another document took since it was looked at stops it all.
 */
export async function claimOrdenes(trx: Trx, { ordenIds, effectId, sustituidaId }: Claims): Promise<void> {
  await claimForRefacturacion(trx, ordenIds, effectId);
  await trx
    .insertInto('fiscalClaim')
    .values(ordenIds.map((ordenId) => ({ ordenId, kind: 'individual', effectId })))
    .onConflict((conflict) => conflict.column('ordenId').doNothing())
    .execute();
  const held = await trx
    .selectFrom('fiscalClaim')
    .select(['ordenId', 'effectId', 'facturaId'])
    .where('ordenId', 'in', ordenIds)
    .execute();
  const ours = held.filter(
    (claim) => claim.effectId === effectId || (sustituidaId !== undefined && claim.facturaId === sustituidaId),
  );
  if (ours.length === ordenIds.length) return;
  const other = await findClaim(
    trx,
    ordenIds.filter((ordenId) => !ours.some((claim) => claim.ordenId === ordenId)),
    { sustituidaId },
  );
  throw new NotAllowed(
    'Facturación',
    other ? enOtroDocumento(other) : 'Otra persona está facturando esta orden. Búscala de nuevo.',
  );
}

/** The document is stamped: each orden it asked for is held by it, or nothing of it is written and people are told. */
export async function settleClaims(
  trx: Trx,
  { ordenIds, effectId, facturaId }: { ordenIds: string[]; effectId: string; facturaId: string },
): Promise<void> {
  const held = await trx
    .updateTable('fiscalClaim')
    .set({ facturaId })
    .where('effectId', '=', effectId)
    .returning('ordenId')
    .execute();
  const ours = new Set(held.map(({ ordenId }) => ordenId));
  const missing = ordenIds.filter((ordenId) => !ours.has(ordenId));
  if (missing.length > 0)
    throw new Error(
      `stamped without a claim on ${missing.length} of ${ordenIds.length} ordenes: ${missing.slice(0, 5).join(', ')}`,
    );
}
