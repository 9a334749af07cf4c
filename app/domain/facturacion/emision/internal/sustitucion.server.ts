import { record } from '~/platform/bitacora.server';
import type { Trx } from '~db/client.server';
import { acceptCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';

type Sustitucion = { facturaId: string; nueva: { id: string; uuid: string } };

/**
 * The new factura is stamped: what the old one held is the new one's, and only now the SAT is asked to cancel the old one, naming the
 * new one (motive 01). In that order the sale is never without a factura; a receiver who says no leaves two, which the list shows. Answers the request
 * to the SAT, if one was needed.
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
