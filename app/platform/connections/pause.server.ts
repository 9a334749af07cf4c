import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { ConnectionKind } from './registry.server';

/** Reason of an effect that waits for a paused connection, as its pages show it. */
export const EN_PAUSA = 'La integración está en pausa: un Super Usuario la desactivó en Empresas.';

/** How long an effect of a paused connection waits before it asks again; a resumed connection does not wait for that. */
export const PAUSED_WAIT_MS = 600_000;

/** Pauses a connection: its effects wait from their next step on, and its syncs do not begin. Work under way goes on to its end. */
export async function pauseConnection(trx: Trx, kind: ConnectionKind): Promise<void> {
  await sql`
    insert into connection as c (kind, paused_at) values (${kind}, now())
    on conflict (kind, account) do update set paused_at = coalesce(c.paused_at, now())`.execute(trx);
}

/** Resumes a connection: its effects that waited go on at once. */
export async function resumeConnection(trx: Trx, kind: ConnectionKind): Promise<void> {
  await trx.updateTable('connection').set({ pausedAt: null }).where('kind', '=', kind).execute();
  await trx
    .updateTable('effect')
    .set({ nextAt: sql<Date>`now()`, reason: sql<string | null>`nullif(reason, ${EN_PAUSA})` })
    .where('connection', '=', kind)
    .where('state', 'in', ['queued', 'unknown'])
    .execute();
  await enqueue(trx, 'effect.sweep', {});
}

/** Returns whether a connection is paused. Whatever reads by itself (syncs, notices, follow-ups) asks before each run; effects ask by `askLeave`. */
export async function isPaused(db: Db | Trx, kind: ConnectionKind): Promise<boolean> {
  const row = await db
    .selectFrom('connection')
    .select('pausedAt')
    .where('kind', '=', kind)
    .where('account', '=', '')
    .executeTakeFirst();
  return row?.pausedAt != null;
}
