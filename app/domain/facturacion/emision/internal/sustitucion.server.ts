import { record } from '~/platform/bitacora.server';
import type { Trx } from '~db/client.server';
import { acceptCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';

type Sustitucion = { facturaId: string; nueva: { id: string; uuid: string } };

/**
 * Settles a substitution once the new factura is stamped: the new one takes the sales of the old one, and only then the SAT is asked to
 * cancel the old one, with motive 01. So the sale is never without a factura; a receiver who refuses leaves two, which the list shows.
 * Returns the effect of the cancellation, if one was needed.
 */
export async function settleSustitucion(
  trx: Trx,
  effect: { id: string; usuarioId: string | null },
  { facturaId, nueva }: Sustitucion,
): Promise<string | undefined> {
  const { usuarioId } = effect;
  await trx
    .updateTable('fiscalClaim')
    .set({ effectId: effect.id, facturaId: nueva.id })
    .where('facturaId', '=', facturaId)
    .execute();
  await trx
    .updateTable('refacturacion')
    .set({ effectId: effect.id, facturaId: nueva.id })
    .where('facturaId', '=', facturaId)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'sustituida',
    datos: { uuid: nueva.uuid },
  });
  const vieja = await trx
    .selectFrom('factura')
    .select('estatus')
    .where('id', '=', facturaId)
    .forUpdate()
    .executeTakeFirst();
  return vieja?.estatus === 'vigente'
    ? acceptCancelacion(trx, { facturaId, motivo: '01', usuarioId, sustituto: nueva })
    : undefined;
}
