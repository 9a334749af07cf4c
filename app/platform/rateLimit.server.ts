import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

export type Limit = { hits: number; seconds: number };
export type Taken = {
  allowed: boolean;
  /** Allowed, and the next one is not. */
  last: boolean;
  /** How many more the window allows. */
  quedan: number;
  retryAfterSeconds: number;
  giveBack(): Promise<void>;
};

/**
 * Takes one of `limit.hits` in the current window of `limit.seconds`. The counter is a row, so every web process sees the same one, and it
 * moves before the work it limits: two attempts at once cannot both be the last. Keys may name people, so only their hash is kept.
 */
export async function takeRate(db: Db | Trx, key: string, limit: Limit): Promise<Taken> {
  const hashed = hashOf(key);
  const { windowStart, hits, left } = await db
    .insertInto('rateLimit')
    .values({ key: hashed, windowStart: windowOf(limit), hits: 1 })
    .onConflict((conflict) => conflict.columns(['key', 'windowStart']).doUpdateSet({ hits: sql`rate_limit.hits + 1` }))
    .returning([
      'windowStart',
      'hits',
      sql<number>`ceil(extract(epoch from window_start - now()) + ${limit.seconds})::int`.as('left'),
    ])
    // A count that a power cut takes along is no loss, so it does not wait for the disk.
    .$if(!db.isTransaction, (taken) => taken.returning(sql`set_config('synchronous_commit', 'off', true)`.as('async')))
    .executeTakeFirstOrThrow();
  return {
    allowed: hits <= limit.hits,
    last: hits === limit.hits,
    quedan: Math.max(0, limit.hits - hits),
    retryAfterSeconds: Math.max(1, left),
    async giveBack() {
      await db
        .updateTable('rateLimit')
        .set({ hits: sql`greatest(0, hits - 1)` })
        .where('key', '=', hashed)
        .where('windowStart', '=', windowStart)
        .execute();
    },
  };
}

/** Windows are cut by the database's clock, the one all processes share. */
function windowOf({ seconds }: Limit) {
  return sql<Date>`to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds})`;
}

export type Try = {
  allowed: boolean;
  retryAfterSeconds: number;
  /** In a row, this one among them as long as it has not turned out well. */
  fallos: number;
  /** It was not looked at after all. */
  giveBack(): Promise<void>;
  /** It turned out well: the row of failures ends. */
  forget(): Promise<void>;
};

/** So many failures in a row cost no wait; the next ones wait twice as long each time, up to the longest. A day without any is forgotten. */
const WAIT = { free: 5, first: 30, longest: 900, forgottenAfter: 86_400 } as const;

/**
 * Takes a try whose failures make the next one wait longer and longer. As with `takeRate`, the row moves before the work and by the database's clock: of
 * two tries at once only one finds the door open. A try that is refused moves nothing, so that whoever insists does not wait longer for it.
 */
export async function takeTry(db: Db | Trx, key: string): Promise<Try> {
  const clave = hashOf(key);
  const now = sql<Date>`clock_timestamp()`;
  const fallos = sql<number>`case when espera.ultimo_en < ${now} - make_interval(secs => ${WAIT.forgottenAfter}) then 1 else espera.fallos + 1 end`;
  const wait = sql`case when ${fallos} < ${WAIT.free} then 0 else least(${WAIT.longest}, ${WAIT.first} * power(2, least(20, ${fallos} - ${WAIT.free}))) end`;
  const taken = await db
    .insertInto('espera')
    .values({ clave, fallos: 1, ultimoEn: now, abreEn: now })
    .onConflict((conflict) =>
      conflict
        .column('clave')
        .doUpdateSet({ fallos, ultimoEn: now, abreEn: sql<Date>`${now} + make_interval(secs => ${wait})` })
        .where('espera.abreEn', '<=', now),
    )
    .returning('fallos')
    .executeTakeFirst();
  const row = db.updateTable('espera').where('clave', '=', clave);
  const forget = async () => {
    await db.deleteFrom('espera').where('clave', '=', clave).execute();
  };
  if (taken) {
    return {
      allowed: true,
      retryAfterSeconds: 0,
      fallos: taken.fallos,
      forget,
      async giveBack() {
        if (taken.fallos === 1) return forget();
        await row.set({ fallos: sql`greatest(1, fallos - 1)`, abreEn: now }).execute();
      },
    };
  }
  const waiting = await db
    .selectFrom('espera')
    .select(['fallos', sql<number>`ceil(extract(epoch from abre_en - ${now}))::int`.as('left')])
    .where('clave', '=', clave)
    .executeTakeFirst();
  return {
    allowed: false,
    retryAfterSeconds: Math.max(1, waiting?.left ?? 1),
    fallos: waiting?.fallos ?? 0,
    forget,
    giveBack: async () => {},
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
