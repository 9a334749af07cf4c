import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { ConnectionName } from './definition';

/** Why an effect of a paused connection waits, as its pages show it. */
export const EN_PAUSA = 'La integración está en pausa: un Super Usuario la desactivó en Empresas.';

/** How long an effect waits before it asks again; resuming does not wait for that. */
export const PAUSED_WAIT_MS = 600_000;

/** Stops what runs by itself over a connection: its effects wait from their next step on, its syncs do not begin. What is under way ends. */
export async function pauseConnection(trx: Trx, connection: ConnectionName): Promise<void> {
  await sql`insert into connection_state as c (connection, paused_at) values (${connection}, now())
    on conflict (connection) do update set paused_at = coalesce(c.paused_at, now())`.execute(trx);
}

/** What waited goes on at once. */
export async function resumeConnection(trx: Trx, connection: ConnectionName): Promise<void> {
  await trx.updateTable('connectionState').set({ pausedAt: null }).where('connection', '=', connection).execute();
  await trx
    .updateTable('effect')
    .set({ nextAt: sql<Date>`now()`, reason: sql<string | null>`nullif(reason, ${EN_PAUSA})` })
    .where('connection', '=', connection)
    .where('state', 'in', ['queued', 'unknown'])
    .execute();
  await enqueue(trx, 'effect.sweep', {});
}

export async function isPaused(db: Db | Trx, connection: ConnectionName): Promise<boolean> {
  const row = await db
    .selectFrom('connectionState')
    .select('pausedAt')
    .where('connection', '=', connection)
    .executeTakeFirst();
  return row?.pausedAt != null;
}
