import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

/** A limit: so many hits in each window of so many seconds. */
export type Limit = { hits: number; seconds: number };
/** One hit of a limit. */
export type Taken = {
  allowed: boolean;
  /** True for the last hit that the window allows. */
  last: boolean;
  /** Number of hits that the window still allows. */
  quedan: number;
  retryAfterSeconds: number;
  /** Takes the hit back: it does not count. */
  giveBack(): Promise<void>;
};

/**
 * Takes one of `limit.hits` in the current window of `limit.seconds`. The counter is a row that every process sees, and it moves before the work that
 * it limits: two at once cannot both be the last. Keys may name people, so only their hash is kept.
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
    // A power cut may take the count along, so the statement does not wait for the disk.
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

/** SQL: the begin of the current window, by the database's clock, which all processes share. */
function windowOf({ seconds }: Limit) {
  return sql<Date>`to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds})`;
}

/** A try whose failures make the next one wait. */
export type Try = {
  allowed: boolean;
  retryAfterSeconds: number;
  /** Failures in a row. This try counts among them until it turned out well. */
  fallos: number;
  /** Takes the try back: nobody looked at it. */
  giveBack(): Promise<void>;
  /** Notes that the try turned out well: the row of failures ends. */
  forget(): Promise<void>;
};

/**
 * How long failures wait, in seconds. The first `free` in a row cost no wait; each one after them waits twice as long, up to `longest`. A day without
 * failures ends the row.
 */
const WAIT = { free: 5, first: 30, longest: 900, forgottenAfter: 86_400 } as const;

/**
 * Takes a try whose failures make the next one wait longer and longer. As with `takeRate`, the row moves before the work and by the database's clock:
 * of two tries at once only one finds the door open. A refused try (`allowed: false`) moves nothing, so insisting does not make the wait longer.
 */
export async function takeTry(db: Db | Trx, key: string): Promise<Try> {
  const clave = hashOf(key);
  const now = sql<Date>`clock_timestamp()`;
  const fallos = sql<number>`case
    when espera.ultimo_en < ${now} - make_interval(secs => ${WAIT.forgottenAfter}) then 1
    else espera.fallos + 1 end`;
  const wait = sql`case
    when ${fallos} < ${WAIT.free} then 0
    else least(${WAIT.longest}, ${WAIT.first} * power(2, least(20, ${fallos} - ${WAIT.free}))) end`;
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
