import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { Unavailable } from '~/integrations/errors';
import { breakCredential, openSecrets, sealSecrets } from './credentials.server';

/** How long a lease lasts: longer than a renewal and its one repetition, so that a living owner never loses it. */
const LEASE_SECONDS = 60;
const WAIT_MS = 50_000;
/** How close to its end a token is renewed before it is used. */
const MARGIN_MS = 60_000;
/** How long a process believes the row that it read; a renewal or a new link elsewhere shows after it. */
const BELIEVED_MS = 2_000;

/** How the far side gives a token, and how its end is told. */
export type Renewal = {
  connection: string;
  label: string;
  /** Text for people when nothing but a new link helps. */
  ended: string;
  tokenOf(secrets: Secrets): string;
  /** Renews the token. Returns the secrets to seal from now on, and how long their token lives. */
  renew(secrets: Secrets): Promise<{ secrets: Secrets; expiresInSeconds: number }>;
  /** Returns whether the error means that the link will never work again. */
  isDead(error: unknown): boolean;
};
type Secrets = Record<string, string>;

export type LeasedAccess = { token: string; account: string; version: number };
type Seen = Pick<LeasedAccess, 'version'>;

type Row = {
  account: string;
  status: string;
  detail: string | null;
  sealed: Buffer;
  /** Time left of the access token, by the database's clock. */
  leftMs: number;
  version: number;
  leased: boolean;
};

/**
 * Returns access to the token of a linked account, which all processes share through its row. The process that takes the lease of the row renews the
 * token, and the others wait for the next version: a refresh token that works once is spent once. Nothing is held open in the database meanwhile.
 * `current` and `renew` throw `Unavailable`, with `account` when the account is not linked or its link is broken.
 */
export function leasedTokens(db: Db, { connection, label, ended, tokenOf, renew: ask, isDead }: Renewal) {
  let believed: { access: LeasedAccess; readAt: number; leftMs: number } | undefined;

  async function readRow(): Promise<Row> {
    const row = await db
      .selectFrom('credential')
      .select(['account', 'status', 'detail', 'sealed', 'version'])
      .select(sql<boolean>`coalesce(lease_until > now(), false)`.as('leased'))
      .select(sql<number>`coalesce(extract(epoch from expires_at - now()) * 1000, 0)::float8`.as('leftMs'))
      .where('connection', '=', connection)
      .executeTakeFirst();
    if (!row) throw new Unavailable(`${label} no está vinculado`, { account: true });
    return row;
  }

  function accessOf(row: Row): LeasedAccess {
    if (row.status === 'broken') throw new Unavailable(row.detail ?? ended, { account: true });
    const access = {
      token: tokenOf(openSecrets(connection, row.sealed)),
      account: row.account,
      version: row.version,
    };
    believed = { access, readAt: performance.now(), leftMs: row.leftMs };
    return access;
  }

  async function current(): Promise<LeasedAccess> {
    const age = believed ? performance.now() - believed.readAt : Infinity;
    if (believed && age < BELIEVED_MS && believed.leftMs - age > MARGIN_MS) return believed.access;
    const row = await readRow();
    const access = accessOf(row);
    return row.leftMs > MARGIN_MS ? access : renew(access);
  }

  async function renew(seen: Seen): Promise<LeasedAccess> {
    const owner = randomUUID();
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline) {
      const row = await readRow();
      if (row.version > seen.version || row.status === 'broken') return accessOf(row);
      if (!row.leased) {
        const sealed = await takeLease(owner, row.version);
        if (sealed) return await renewUnderLease(owner, row, openSecrets(connection, sealed));
      }
      await wait(40 + Math.random() * 80);
    }
    throw new Unavailable(`Otro proceso está renovando el permiso de ${label}`, { retryAfterMs: 5_000 });
  }

  async function takeLease(owner: string, version: number): Promise<Buffer | undefined> {
    const taken = await db
      .updateTable('credential')
      .set({ leaseOwner: owner, leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
      .where('connection', '=', connection)
      .where('version', '=', version)
      .where('status', '=', 'linked')
      .where((is) => is.or([is('leaseUntil', 'is', null), is('leaseUntil', '<=', sql<Date>`now()`)]))
      .returning('sealed')
      .executeTakeFirst();
    return taken?.sealed;
  }

  async function renewUnderLease(owner: string, row: Row, secrets: Secrets): Promise<LeasedAccess> {
    try {
      return await store(row, await ask(secrets));
    } catch (error) {
      if (isDead(error)) {
        await breakCredential(db, connection, row.version, ended);
        throw new Unavailable(ended, { account: true, cause: error });
      }
      await db
        .updateTable('credential')
        .set({ leaseOwner: null, leaseUntil: null })
        .where('connection', '=', connection)
        .where('leaseOwner', '=', owner)
        .execute();
      if (error instanceof Unavailable) throw error;
      throw new Unavailable(`${label} no renovó el permiso`, { cause: error });
    }
  }

  /** Writes the renewed secrets, also when the lease ran out, since they may be the only ones that work. A newer link is never overwritten. */
  async function store(
    row: Row,
    { secrets, expiresInSeconds }: Awaited<ReturnType<Renewal['renew']>>,
  ): Promise<LeasedAccess> {
    const sealed = sealSecrets(connection, secrets);
    const stored = await db
      .updateTable('credential')
      .set({
        sealed,
        expiresAt: sql<Date>`now() + make_interval(secs => ${expiresInSeconds})`,
        status: 'linked',
        detail: null,
        leaseOwner: null,
        leaseUntil: null,
        version: row.version + 1,
        updatedAt: sql`now()`,
      })
      .where('connection', '=', connection)
      .where('version', '=', row.version)
      .returning('version')
      .executeTakeFirst();
    return stored
      ? accessOf({
          ...row,
          sealed,
          leftMs: expiresInSeconds * 1000,
          status: 'linked',
          version: stored.version,
        })
      : accessOf(await readRow());
  }

  return {
    current,
    async renew(seen: Seen) {
      believed = undefined;
      return await renew(seen);
    },
    async reject(seen: Seen, reason: string) {
      believed = undefined;
      await breakCredential(db, connection, seen.version, reason);
    },
  };
}
