import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { Unavailable } from '~/integrations/errors';
import {
  isDeadGrant,
  isLostAnswer,
  type MercadolibreOauth,
  type TokenPair,
} from '~/integrations/mercadolibre/oauth.server';
import type { Access, Tokens } from '~/integrations/mercadolibre/tokens';
import { breakCredential, openSecrets, sealSecrets } from './credentials.server';

const CONNECTION = 'mercadolibre';
/** Longer than a refresh and its one repetition may take, so that a living owner never loses the lease. */
const LEASE_SECONDS = 60;
const WAIT_MS = 50_000;
/** A token this close to its end is renewed before it is used. */
const MARGIN_MS = 60_000;
/** For so long a process believes the row it read; a renewal or a new link elsewhere shows after it. */
const BELIEVED_MS = 2_000;

const VENCIDO = 'Mercado Libre dio por terminado el permiso. Vuelve a activar la cuenta.';

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
 * The tokens of the linked seller, shared by every process through their row. A refresh token works once, so whoever takes the row's
 * lease renews and everybody else waits for the next version; nothing is held open in the database meanwhile.
 */
export function mercadolibreTokens(db: Db, oauth: MercadolibreOauth): Tokens {
  let believed: { access: Access; readAt: number; leftMs: number } | undefined;

  async function readRow(): Promise<Row> {
    const row = await db
      .selectFrom('credential')
      .select(['account', 'status', 'detail', 'sealed', 'version'])
      .select(sql<boolean>`coalesce(lease_until > now(), false)`.as('leased'))
      .select(sql<number>`coalesce(extract(epoch from expires_at - now()) * 1000, 0)::float8`.as('leftMs'))
      .where('connection', '=', CONNECTION)
      .executeTakeFirst();
    if (!row) throw new Unavailable('Mercado Libre no está vinculado', { account: true });
    return row;
  }

  function accessOf(row: Row): Access {
    if (row.status === 'broken') throw new Unavailable(row.detail ?? VENCIDO, { account: true });
    const access = {
      token: openSecrets(CONNECTION, row.sealed).accessToken!,
      sellerId: row.account,
      version: row.version,
    };
    believed = { access, readAt: performance.now(), leftMs: row.leftMs };
    return access;
  }

  async function current(): Promise<Access> {
    const age = believed ? performance.now() - believed.readAt : Infinity;
    if (believed && age < BELIEVED_MS && believed.leftMs - age > MARGIN_MS) return believed.access;
    const row = await readRow();
    const access = accessOf(row);
    return row.leftMs > MARGIN_MS ? access : renew(access);
  }

  async function renew(seen: Access): Promise<Access> {
    const owner = randomUUID();
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline) {
      const row = await readRow();
      if (row.version > seen.version || row.status === 'broken') return accessOf(row);
      if (!row.leased) {
        const sealed = await takeLease(owner, row.version);
        if (sealed) return await renewUnderLease(owner, row, openSecrets(CONNECTION, sealed).refreshToken!);
      }
      await wait(40 + Math.random() * 80);
    }
    throw new Unavailable('Otro proceso está renovando el permiso de Mercado Libre', { retryAfterMs: 5_000 });
  }

  async function takeLease(owner: string, version: number): Promise<Buffer | undefined> {
    const taken = await db
      .updateTable('credential')
      .set({ leaseOwner: owner, leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
      .where('connection', '=', CONNECTION)
      .where('version', '=', version)
      .where('status', '=', 'linked')
      .where((is) => is.or([is('leaseUntil', 'is', null), is('leaseUntil', '<=', sql<Date>`now()`)]))
      .returning('sealed')
      .executeTakeFirst();
    return taken?.sealed;
  }

  async function renewUnderLease(owner: string, row: Row, refreshToken: string): Promise<Access> {
    try {
      const pair = await refreshOnceMore(refreshToken);
      return await store(row, pair);
    } catch (error) {
      if (isDeadGrant(error)) {
        await breakCredential(db, CONNECTION, row.version, VENCIDO);
        throw new Unavailable(VENCIDO, { account: true, cause: error });
      }
      await db
        .updateTable('credential')
        .set({ leaseOwner: null, leaseUntil: null })
        .where('connection', '=', CONNECTION)
        .where('leaseOwner', '=', owner)
        .execute();
      if (error instanceof Unavailable) throw error;
      throw new Unavailable('Mercado Libre no renovó el permiso', { cause: error });
    }
  }

  /** A lost answer may have spent the token: it is tried once more, and a no to that is final. */
  async function refreshOnceMore(refreshToken: string): Promise<TokenPair> {
    try {
      return await oauth.refresh(refreshToken);
    } catch (error) {
      if (!isLostAnswer(error)) throw error;
      return await oauth.refresh(refreshToken);
    }
  }

  /** The pair in hand is the only one that works: it is written even by an owner whose lease ran out, unless a newer link came. */
  async function store(row: Row, pair: TokenPair): Promise<Access> {
    const sealed = sealSecrets(CONNECTION, { accessToken: pair.accessToken, refreshToken: pair.refreshToken });
    const stored = await db
      .updateTable('credential')
      .set({
        sealed,
        expiresAt: sql<Date>`now() + make_interval(secs => ${pair.expiresInSeconds})`,
        status: 'linked',
        detail: null,
        leaseOwner: null,
        leaseUntil: null,
        version: row.version + 1,
        updatedAt: sql`now()`,
      })
      .where('connection', '=', CONNECTION)
      .where('version', '=', row.version)
      .returning('version')
      .executeTakeFirst();
    return stored
      ? accessOf({
          ...row,
          sealed,
          leftMs: pair.expiresInSeconds * 1000,
          status: 'linked',
          version: stored.version,
        })
      : accessOf(await readRow());
  }

  return {
    current,
    async renew(seen) {
      believed = undefined;
      return await renew(seen);
    },
    async reject(seen, reason) {
      believed = undefined;
      await breakCredential(db, CONNECTION, seen.version, reason);
    },
  };
}
