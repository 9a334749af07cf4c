import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { Vivo } from './definition';

/**
 * What people have to know of more than one that is alive under one reference: the one we took for ours, and the others. `respuesta` is what the far
 * side said to cancelling one of them.
 */
export const Repetidas = z.object({
  uuid: z.string(),
  vigente: z.object({ uid: z.string(), uuid: z.string(), folio: z.string() }).nullable(),
  repetidas: z.array(
    z.object({ uid: z.string(), uuid: z.string(), folio: z.string(), respuesta: z.string().nullable().default(null) }),
  ),
});
export type Repetidas = z.infer<typeof Repetidas>;

/** With `ours` one of them is known and the others are too many; without, nobody can say which. Undefined: nothing is repeated. */
export function repetidasOf(vivos: Vivo[], ours: string | null): Repetidas | undefined {
  const repetidas = vivos.filter(({ uid }) => uid !== ours).map((vivo) => ({ ...vivo, respuesta: null }));
  if (repetidas.length === 0 || (ours === null && repetidas.length === 1)) return undefined;
  return { uuid: repetidas[0]!.uuid, vigente: vivos.find(({ uid }) => uid === ours) ?? null, repetidas };
}

/**
 * The far side did it, and we learnt it when nobody waited for it any more. Where another runner has it in hand it will learn the same; where people had decided that it
 * does not exist, they are told: the board shows it until somebody has seen to it, and it need not be looked for any more.
 */
export async function noteLateEvidence(
  db: Db,
  effectId: string,
  evidence: unknown,
  /** Also of what ended well: there is another than the one it ended with. */
  { done = false }: { done?: boolean } = {},
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('effect')
    .set({ lateEvidence: JSON.stringify(evidence), lookAgainAt: null })
    .where('id', '=', effectId)
    .where('state', 'in', done ? ['cancelled', 'refused', 'done'] : ['cancelled', 'refused'])
    .where((is) =>
      is.or([
        is('state', '<>', 'done'),
        // The very one that is known, told by another runner.
        sql<boolean>`result ->> 'uuid' is distinct from ${uuidOf(evidence)}`,
      ]),
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    log.error('respuesta tardía', new Error('el otro lado hizo lo que ya se había dado por no hecho'), {
      effect: effectId,
    });
}

const uuidOf = (evidence: unknown) => (evidence as { uuid?: string }).uuid ?? null;

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
