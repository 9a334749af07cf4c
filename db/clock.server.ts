import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db, Trx } from './client.server';

/**
 * Returns the time of the database's clock. Due times are decided by this clock alone, because processes on several
 * machines disagree.
 */
export async function databaseNow(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

/**
 * Returns the ms by which the clock of this process is ahead of the database's; negative when behind. A difference
 * within the time of the question counts as 0.
 */
export async function clockSkewMs(db: Db | Trx): Promise<number> {
  const asked = Date.now();
  const theirs = (await databaseNow(db)).getTime();
  const answered = Date.now();
  if (theirs < asked) return asked - theirs;
  return theirs > answered ? answered - theirs : 0;
}

/**
 * Smallest difference to report, in ms. Tokens and sessions bear this difference, and do not bear ten times as much.
 */
export const SKEW_TOLD_MS = 5_000;
const LOOK_EVERY_MS = 60_000;

/** Watches both clocks, and writes to the log when the clocks begin to differ and when the clocks agree again. */
export function watchClock(db: Db, everyMs = LOOK_EVERY_MS): { stop(): void } {
  let apart = false;
  let looking = false;
  const look = async () => {
    // An older look that ends after a newer one would tell what is over.
    if (looking) return;
    looking = true;
    const skew = await clockSkewMs(db).catch(() => undefined);
    looking = false;
    if (skew === undefined || Math.abs(skew) > SKEW_TOLD_MS === apart) return;
    apart = !apart;
    if (apart) log.warn('el reloj de este proceso no es el de la base', { adelantoMs: skew });
    else log.info('el reloj de este proceso es otra vez el de la base');
  };
  void look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Longest wait of each stored time. A later time was written by a clock that ran ahead. The later time is pulled back
 * to the longest wait, so the work is late by that wait at most.
 */
const LONGEST = [
  // A paused connection asks every ten minutes; the PAC may ask for an hour of patience.
  { tabla: 'effect', columna: 'next_at', segundos: 3_600, vivos: sql`state in ('queued', 'sending', 'unknown')` },
  { tabla: 'effect', columna: 'lease_until', segundos: 90, vivos: sql`state in ('queued', 'sending', 'unknown')` },
  { tabla: 'effect', columna: 'look_again_at', segundos: 24 * 3_600, vivos: sql`true` },
  { tabla: 'inbox', columna: 'next_at', segundos: 10_800, vivos: sql`state = 'pending'` },
  { tabla: 'credential', columna: 'lease_until', segundos: 60, vivos: sql`true` },
  { tabla: 'connection', columna: 'refilled_at', segundos: 0, vivos: sql`true` },
  { tabla: 'connection', columna: 'account_until', segundos: 300, vivos: sql`true` },
  { tabla: 'connection_breaker', columna: 'open_until', segundos: 45, vivos: sql`true` },
  // A clock ahead recorded a minute of the future as done, so no job of that minute would be enqueued until then.
  { tabla: 'graphile_worker._private_known_crontabs', columna: 'last_execution', segundos: 0, vivos: sql`true` },
  { tabla: 'graphile_worker._private_jobs', columna: 'run_at', segundos: 10_800, vivos: sql`locked_at is null` },
] as const;

/**
 * Longest wait for the lock of a table, in ms. A backup or a migration that holds the table must not keep a worker from
 * starting.
 */
const LOCK_MS = 1_000;
const isLocked = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03';

/**
 * Pulls back stored times beyond the longest wait. Returns the count of changed rows by table and column. A locked
 * table is skipped with a line in the log.
 */
export async function pullBackDueTimes(db: Db): Promise<Record<string, number>> {
  const moved: Record<string, number> = {};
  for (const { tabla, columna, segundos, vivos } of LONGEST) {
    const [table, column] = [sql.table(tabla), sql.ref(columna)];
    const limit = sql`now() + make_interval(secs => ${segundos})`;
    const pulled = await db
      .transaction()
      .execute(async (trx) => {
        await sql`set local lock_timeout = ${sql.lit(`${LOCK_MS}ms`)}`.execute(trx);
        const { numAffectedRows } =
          await sql`update ${table} set ${column} = ${limit} where ${column} > ${limit} + interval '5 s' and ${vivos}`.execute(
            trx,
          );
        return Number(numAffectedRows ?? 0);
      })
      .catch((error: unknown) => {
        if (!isLocked(error)) throw error;
        log.warn('no se revisaron las fechas lejanas de una tabla ocupada', { tabla, columna });
        return 0;
      });
    if (pulled > 0) moved[`${tabla}.${columna}`] = pulled;
  }
  if (Object.keys(moved).length > 0) log.warn('fechas demasiado lejanas, adelantadas a su plazo más largo', moved);
  return moved;
}
