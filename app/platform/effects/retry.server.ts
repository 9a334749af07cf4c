import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { EffectCatalog, EffectDefinition } from './definition';
import { type Accepted, acceptEffect, taskOf } from './effects.server';

/**
 * Does 'Reintentar'. An effect that waits for its next try has it now; one that ended in a clear no is asked for once more, where its kind has
 * `again`. Returns the effect to look at; two people who press at once get the same one. Throws `NotAllowed` for any other.
 */
export async function retryEffect(
  trx: Trx,
  catalog: EffectCatalog,
  effectId: string,
  usuarioId: string,
): Promise<Accepted> {
  const effect = await trx
    .selectFrom('effect')
    .select(['id', 'type', 'ref', 'request', 'state', 'sends', 'leaseUntil'])
    .where('id', '=', effectId)
    .forUpdate()
    .executeTakeFirst();
  const definition = effect && (catalog.get(effect.type) as EffectDefinition<unknown, unknown, unknown> | undefined);
  const leased = effect?.leaseUntil && effect.leaseUntil > new Date();
  if (!effect || !definition || leased)
    throw new NotAllowed('Aviso', 'Esta solicitud ya se está atendiendo o ya terminó. Vuelve a cargar la página.');
  await record(trx, {
    usuarioId,
    entidad: 'effect',
    entidadId: effectId,
    accion: 'reintentar',
    datos: { type: effect.type, ref: effect.ref },
  });
  if (effect.state === 'queued' || effect.state === 'unknown') {
    await trx
      .updateTable('effect')
      .set({ nextAt: sql<Date>`now()` })
      .where('id', '=', effectId)
      .execute();
    await enqueue(trx, taskOf(definition.connection), { effectId });
    return { id: effectId, created: false };
  }
  if (effect.state !== 'refused' || !definition.again)
    throw new NotAllowed('Aviso', 'Esta solicitud no se puede repetir desde aquí.');
  const request = definition.request.parse(effect.request);
  await definition.stillWanted?.(trx, request);
  return acceptEffect(trx, definition, { request, usuarioId });
}
