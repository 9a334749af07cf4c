import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../../support/sandboxClient';

/** Fills the budgets of suppliers, which no pace shortens, and frees what the dead held: what is proven is not how fast it goes. */
export async function fillTokens(db: Db): Promise<void> {
  // Some of them are kept for people, so a half-empty bucket holds a machine too.
  await sql`update connection set tokens = 20, refilled_at = now()`.execute(db);
  // A worker that was killed while it renewed a token holds that for a minute.
  await sql`update credential set lease_owner = null, lease_until = null where lease_until < now() + interval '57 seconds'`.execute(
    db,
  );
}

/** Lets a minute pass at the suppliers that count calls by the minute. */
export async function passMinute(sandbox: SandboxClient): Promise<void> {
  for (const kind of ['syscom', 'ct']) await sandbox.proveedor(kind).post('/reloj', { segundos: 61 });
}

/** Fills the budgets of suppliers and what they allow by the minute. */
export async function fillBudgets(db: Db, sandbox: SandboxClient): Promise<void> {
  await fillTokens(db);
  await passMinute(sandbox);
}
