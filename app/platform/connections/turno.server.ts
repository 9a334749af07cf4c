import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import type { Budget } from './definition';

/** Whose calls are counted, and how many there may be. */
export type Contado = { kind: string; label: string; budget: Budget };

/** Whom a read is for. A machine leaves so many calls of the bucket to people that a question never waits behind a full read. */
export type Quien = 'persona' | 'maquina';

/** Longer than this a page is not kept waiting; a full read has time. */
const ESPERA_MS: Readonly<Record<Quien, number>> = { persona: 5_000, maquina: 120_000 };

/**
 * Waits for one call of the budget that all processes share with the effects of this far side (`askLeave`). Who finds the bucket too empty takes nothing from it,
 * so that those who wait do not keep it empty.
 */
export async function takeTurno(db: Db, side: Contado, quien: Quien): Promise<void> {
  for (const end = performance.now() + ESPERA_MS[quien]; ;) {
    const waitMs = await askTurno(db, side, quien);
    if (waitMs === 0) return;
    if (performance.now() + waitMs > end)
      throw new Unavailable(`${side.label}: se alcanzó el ritmo máximo de consultas`, {
        retryAfterMs: waitMs,
        ownPace: true,
      });
    await sleep(waitMs);
  }
}

/** 0 when the call may go now, else after how long to ask again. */
export async function askTurno(db: Db, { kind, budget }: Contado, quien: Quien): Promise<number> {
  const { perSecond, burst, forPeople = 0 } = budget;
  const needed = 1 + (quien === 'maquina' ? forPeople : 0);
  // As `askLeave` keeps it: below zero, the last call was not given and took nothing.
  const filled = sql`least(${burst}::float8, case when c.tokens < 0 then c.tokens + 1 else c.tokens end
    + greatest(0, extract(epoch from clock_timestamp() - c.refilled_at)::float8) * ${perSecond}::float8)`;
  const { numAffectedRows } = await sql`
    insert into connection as c (kind, tokens, refilled_at) values (${kind}, ${burst - 1}, clock_timestamp())
    on conflict (kind, account) do update set tokens = ${filled} - 1, refilled_at = clock_timestamp() where ${filled} >= ${needed}`.execute(
    db,
  );
  if (numAffectedRows === 1n) return 0;
  const { rows } = await sql<{ filled: number; heldMs: number }>`
    select ${filled} as filled, greatest(0, extract(epoch from c.refilled_at - clock_timestamp()) * 1000)::float8 as "heldMs"
    from connection c where kind = ${kind} and account = ''`.execute(db);
  const { filled: left = 0, heldMs = 0 } = rows[0] ?? {};
  return Math.max(20, Math.ceil(((needed - left) / perSecond) * 1000 + heldMs));
}
