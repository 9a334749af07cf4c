import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { Unavailable } from '~/integrations/errors';
import { breakCredential, openSecrets, sealSecrets } from './credentials.server';

/** Longer than a renewal and its one repetition may take, so that a living owner never loses the lease. */
const LEASE_SECONDS = 60;
const WAIT_MS = 50_000;
/** A token this close to its end is renewed before it is used. */
const MARGIN_MS = 60_000;
/** For so long a process believes the row it read; a renewal or a new link elsewhere shows after it. */
const BELIEVED_MS = 2_000;

/** How the far side gives a token, and how its end is told. */
export type Renewal = {
  connection: string;
  label: string;
  /** For people, when nothing but linking again helps. */
  ended: string;
  tokenOf(secrets: Secrets): string;
  /** What is sealed from now on, and for how long its token lives. */
  renew(secrets: Secrets): Promise<{ secrets: Secrets; expiresInSeconds: number }>;
  /** Will never work again, whoever asks. */
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
  /** What is left of the access token, by the clock of the database that wrote its end. */
  leftMs: number;
  version: number;
  leased: boolean;
};

/**
 * The token of a linked account, shared by every process through its row. Whoever takes the row's lease renews it and everybody else waits for the next
 * version, so a token that works once is spent once; nothing is held open in the database meanwhile.
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

  /** What is in hand may be the only one that works: it is written even by an owner whose lease ran out, unless a newer link came. */
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
