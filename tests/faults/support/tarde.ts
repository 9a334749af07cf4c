import { sql } from 'kysely';
import { expect } from 'vitest';
import { acceptCancelRepetida } from '~/domain/facturacion/cancelacion/cancelRepetida.server';
import { Repetidas } from '~/platform/effects/late.server';
import { unresolved } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { pause } from './scene';

/**
 * Everything has landed by now; the last look of each effect that ended, the one at a day and a half, is made, and one of those that wait for people. With
 * `ids`, of these alone: each look reads a month, which a long run fills.
 */
export async function lookLast(db: Db, ids: string[] | null = null): Promise<void> {
  const deEstos = sql`(${ids}::uuid[] is null or id = any(${ids}::uuid[]))`;
  await sql`update effect set settled_at = case when settled_at is not null then now() - interval '3 days' end, look_again_at = now()
    where look_again_at is not null and ${deEstos}`.execute(db);
  await enqueue(db, 'effect.sweep', {});
  await expect
    .poll(
      async () =>
        (
          await db
            .selectFrom('effect')
            .select('id')
            .where('lookAgainAt', 'is not', null)
            .where('settledAt', 'is not', null)
            .where(sql<boolean>`${deEstos}`)
            .execute()
        ).length,
      { timeout: 60_000, interval: 300 },
    )
    .toBe(0);
  await pause(1_500);
}

/** What the board says is one too many of these effects, each with the effect that its alarm stands at. */
export async function repetidasDe(db: Db, ids: string[]): Promise<{ id: string; uuid: string }[]> {
  const alarms = await unresolved(db)
    .select(['effect.id', 'effect.lateEvidence'])
    .where('effect.id', 'in', ids)
    .execute();
  return alarms.flatMap(({ id, lateEvidence }) => {
    const alarma = Repetidas.safeParse(lateEvidence).data;
    return (alarma?.repetidas.slice(alarma.vigente ? 0 : 1) ?? []).map(({ uuid }) => ({ id, uuid }));
  });
}

/** A person presses 'Cancelar la repetida' on each. */
export async function pressCancelar(
  db: Db,
  usuarioId: string,
  repetidas: { id: string; uuid: string }[],
): Promise<void> {
  for (const { id, uuid } of repetidas)
    await db.transaction().execute((trx) => acceptCancelRepetida(trx, { effectId: id, uuid, usuarioId }));
}
