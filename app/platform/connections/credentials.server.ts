import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { type Keyring, parseKeyring, seal, sealedWith, unseal } from '~/core/seal.server';
import type { Db, Trx } from '~db/client.server';
import type { CredentialStatus } from '~db/columns';

/**
 * Accounts of ours at far sides, by their kind. Secrets are sealed at rest and open only in memory, for the client that needs them.
 * The kinds come from the registry, which leans on this file: here a kind is its text.
 */

/** What may be shown of a link; never its secrets. */
export type CredentialView = {
  connection: string;
  /** Seller id, or the RFC of the issuing company. */
  account: string;
  label: string | null;
  status: CredentialStatus;
  /** Why it is broken, for people. */
  detail: string | null;
  linkedAt: Date;
  updatedAt: Date;
  version: number;
};

export type Opened = CredentialView & { secrets: Record<string, string>; expiresAt: Date | null };

export type NewCredential = {
  account: string;
  label?: string | null;
  secrets: Record<string, string>;
  /** From now, by the database's clock. */
  validForSeconds?: number;
};

let keys: { text: string; keyring: Keyring } | undefined;

/** The keys of this process (LLAVES). */
export function keyring(): Keyring {
  const text = env().LLAVES;
  if (keys?.text !== text) keys = { text, keyring: parseKeyring(text) };
  return keys.keyring;
}

const contextOf = (connection: string) => `credential:${connection}`;

export function sealSecrets(connection: string, secrets: Record<string, string>, ring: Keyring = keyring()): Buffer {
  return seal(ring, JSON.stringify(secrets), contextOf(connection));
}

export function openSecrets(connection: string, sealed: Buffer, ring: Keyring = keyring()): Record<string, string> {
  return JSON.parse(unseal(ring, sealed, contextOf(connection)).toString('utf8')) as Record<string, string>;
}

const VIEW = ['connection', 'account', 'label', 'status', 'detail', 'linkedAt', 'updatedAt', 'version'] as const;
/** The link as a screen may see it; null when there never was one. */
export async function findCredential(db: Db | Trx, connection: string): Promise<CredentialView | null> {
  const row = await db.selectFrom('credential').select(VIEW).where('connection', '=', connection).executeTakeFirst();
  return row ?? null;
}

/** Every link, as a screen may see it. */
export async function listCredentials(db: Db): Promise<CredentialView[]> {
  return db.selectFrom('credential').select(VIEW).execute();
}

/** The link with its secrets; null when there is none. A broken one opens too: who asks looks at `status`. */
export async function openCredential(
  db: Db | Trx,
  connection: string,
  ring: Keyring = keyring(),
): Promise<Opened | null> {
  const row = await db
    .selectFrom('credential')
    .select([...VIEW, 'expiresAt', 'sealed'])
    .where('connection', '=', connection)
    .executeTakeFirst();
  if (!row) return null;
  const { sealed, expiresAt, ...view } = row;
  return { ...view, expiresAt, secrets: openSecrets(connection, sealed, ring) };
}

/** Links an account, or replaces the link there was: its version moves, so nobody keeps using what was open before. */
export async function saveCredential(
  db: Db | Trx,
  connection: string,
  { account, label = null, secrets, validForSeconds }: NewCredential,
  ring: Keyring = keyring(),
) {
  const sealed = sealSecrets(connection, secrets, ring);
  const expiresAt = validForSeconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${validForSeconds})`;
  await db
    .insertInto('credential')
    .values({ connection, account, label, status: 'linked', sealed, expiresAt })
    .onConflict((on) =>
      on.column('connection').doUpdateSet({
        account,
        label,
        status: 'linked',
        detail: null,
        sealed,
        expiresAt,
        leaseOwner: null,
        leaseUntil: null,
        version: sql`credential.version + 1`,
        linkedAt: sql`now()`,
        updatedAt: sql`now()`,
      }),
    )
    .execute();
}

/** Marks a link as unusable until a person acts; `seen` is the version that failed, so a newer link is never marked. */
export async function breakCredential(
  db: Db | Trx,
  connection: string,
  seen: number,
  detail: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({ status: 'broken', detail, leaseOwner: null, leaseUntil: null, updatedAt: sql`now()` })
    .where('connection', '=', connection)
    .where('version', '=', seen)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Seals again, with the current key, the credentials that an older key sealed. Returns how many changed. */
export async function resealCredentials(db: Db, ring: Keyring = keyring()): Promise<number> {
  const rows = await db.selectFrom('credential').select(['connection', 'version', 'sealed']).execute();
  let changed = 0;
  for (const { connection, version, sealed } of rows) {
    if (sealedWith(sealed) === ring.current) continue;
    // A renewal that lands in between has sealed with the current key already.
    const { numUpdatedRows } = await db
      .updateTable('credential')
      .set({ sealed: sealSecrets(connection, openSecrets(connection, sealed, ring), ring) })
      .where('connection', '=', connection)
      .where('version', '=', version)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed;
}
