import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { type Keyring, parseKeyring, seal, sealedWith, unseal } from '~/core/seal.server';
import type { Db, Trx } from '~db/client.server';
import type { CredentialStatus } from '~db/columns';

/**
 * Accounts of ours at far sides, by the kind of the far side. Secrets are sealed at rest, and open in memory alone, for the client that needs them. A
 * kind is a text here, since the registry that knows the kinds leans on this file.
 */

/** The part of a link that may be shown; never its secrets. */
export type CredentialView = {
  connection: string;
  /** Name of the account at the far side, such as a seller id. */
  account: string;
  label: string | null;
  status: CredentialStatus;
  /** Why the link is broken, for people. */
  detail: string | null;
  linkedAt: Date;
  updatedAt: Date;
  version: number;
};

/** A link with its secrets. */
export type Opened = CredentialView & { secrets: Record<string, string>; expiresAt: Date | null };

/** A link to be saved. */
export type NewCredential = {
  account: string;
  label?: string | null;
  secrets: Record<string, string>;
  /** How long the link is good, from now by the database's clock. */
  validForSeconds?: number;
};

let keys: { text: string; keyring: Keyring } | undefined;

/** Returns the keys of this process (setting LLAVES). */
export function keyring(): Keyring {
  const text = env().LLAVES;
  if (keys?.text !== text) keys = { text, keyring: parseKeyring(text) };
  return keys.keyring;
}

const contextOf = (connection: string) => `credential:${connection}`;

/** Seals secrets for one far side: they cannot be opened as those of another. */
export function sealSecrets(connection: string, secrets: Record<string, string>, ring: Keyring = keyring()): Buffer {
  return seal(ring, JSON.stringify(secrets), contextOf(connection));
}

/** Opens what `sealSecrets` sealed. Throws when no key of the ring opens it. */
export function openSecrets(connection: string, sealed: Buffer, ring: Keyring = keyring()): Record<string, string> {
  return JSON.parse(unseal(ring, sealed, contextOf(connection)).toString('utf8')) as Record<string, string>;
}

const VIEW = ['connection', 'account', 'label', 'status', 'detail', 'linkedAt', 'updatedAt', 'version'] as const;
/** Returns a link as a screen may see it; null when there never was one. */
export async function findCredential(db: Db | Trx, connection: string): Promise<CredentialView | null> {
  const row = await db.selectFrom('credential').select(VIEW).where('connection', '=', connection).executeTakeFirst();
  return row ?? null;
}

/** Lists every link as a screen may see it. */
export async function listCredentials(db: Db): Promise<CredentialView[]> {
  return db.selectFrom('credential').select(VIEW).execute();
}

/** Returns a link with its secrets; null when there is none. A broken link opens too, so the caller looks at `status`. */
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

/** Links an account, or replaces the link there was. The version moves, so nobody keeps using secrets that were open before. */
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

/** Marks a link as unusable until a person acts. `seen` is the version that failed: a newer link is never marked. Returns whether it was marked. */
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
