import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { record } from '~/domain/bitacora.server';
import type { Db, Trx } from '~db/client.server';

/**
 * The far side did it, and we learnt it when nobody waited for it any more. Where another runner has it in hand it will learn the same; where people had decided that it
 * does not exist, they are told: the board shows it until somebody has seen to it, and it need not be looked for any more.
 */
export async function noteLateEvidence(db: Db, effectId: string, evidence: unknown): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('effect')
    .set({ lateEvidence: JSON.stringify(evidence), lookAgainAt: null })
    .where('id', '=', effectId)
    .where('state', 'in', ['cancelled', 'refused'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    log.error('respuesta tardía', new Error('el otro lado hizo lo que ya se había dado por no hecho'), {
      effect: effectId,
    });
}

/** Somebody undid it there, or decided to leave it. */
export async function dismissLateEvidence(trx: Trx, effectId: string, usuarioId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('effect')
    .set({ lateEvidence: null })
    .where('id', '=', effectId)
    .where('lateEvidence', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new NotAllowed('Aviso', 'Esta solicitud ya no espera una decisión. Vuelve a cargar la página.');
  await trx
    .insertInto('effectAttempt')
    .values({ effectId, kind: 'person', phase: 'ended', owner: usuarioId, outcome: null, message: 'Entendido' })
    .execute();
  await record(trx, { usuarioId, entidad: 'effect', entidadId: effectId, accion: 'respuesta tardía atendida' });
}
