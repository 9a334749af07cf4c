import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { RunKind } from '~/core/market';
import { aheadOf } from '~/integrations/relojes.server';

/** Counts of a run: rows seen, rows written, and rows that could not be brought. */
export type SyncCounts = { seen: number; written: number; failed: number };

/**
 * Starts a run that people can watch: its row exists from the first moment and moves as the run goes. Runs that a killed worker left open are ended.
 */
export async function startRun(db: Db, source: string, kind: RunKind) {
  const counts: SyncCounts = { seen: 0, written: 0, failed: 0 };
  const problems: string[] = [];
  const gaps: string[] = [];
  await db
    .updateTable('syncRun')
    .set({ endedAt: sql`now()`, error: 'Se interrumpió' })
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('endedAt', 'is', null)
    .where('startedAt', '<', sql<Date>`now() - interval '2 hours'`)
    .execute();
  const { id } = await db.insertInto('syncRun').values({ source, kind }).returning('id').executeTakeFirstOrThrow();
  return {
    counts,
    /** Counts a row that could not be brought; the first five are told by name. */
    fail(what: string, error: unknown) {
      counts.failed += 1;
      if (problems.length < 5) problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    },
    /** Counts a part that was not seen whole; gaps are told before anything else. */
    gap(text: string) {
      counts.failed += 1;
      if (gaps.length < 3) gaps.push(text);
    },
    /** Writes the counts so far. */
    progress: async () => void (await db.updateTable('syncRun').set(counts).where('id', '=', id).execute()),
    /** Ends the run, with `error` when it broke off, and returns what it came to. */
    async end(error?: unknown): Promise<{ id: string } & SyncCounts & { error: string | null }> {
      const text =
        error === undefined
          ? [...gaps, ...problems].join(' · ') || null
          : error instanceof Error
            ? error.message
            : String(error);
      await db
        .updateTable('syncRun')
        .set({ ...counts, error: text, endedAt: sql`now()` })
        .where('id', '=', id)
        .execute();
      return { id, ...counts, error: text };
    },
  };
}

export type SyncRun = Awaited<ReturnType<typeof startRun>>;

/** Returns how far the reading of a source got; null before the first run. */
export async function readCursor(db: Db, source: string): Promise<Date | null> {
  const row = await db.selectFrom('syncCursor').select('reachedAt').where('source', '=', source).executeTakeFirst();
  return row?.reachedAt ?? null;
}

/**
 * Moves the cursor of a source forward, never back. A cursor that lies after `now` was written by a clock that ran ahead, and is replaced. Where this machine
 * is ahead of the far side, the cursor stops at that side's own now: what happens there until ours would never be asked for.
 */
export async function moveCursor(db: Db, source: string, reachedAt: Date, now: Date): Promise<void> {
  const theirs = now.getTime() - aheadOf(source.split(':', 1)[0]!);
  await db
    .insertInto('syncCursor')
    .values({ source, reachedAt: new Date(Math.min(reachedAt.getTime(), theirs)) })
    .onConflict((on) =>
      on.column('source').doUpdateSet({
        reachedAt: sql`
          case when sync_cursor.reached_at > ${now} then excluded.reached_at
            else greatest(sync_cursor.reached_at, excluded.reached_at) end`,
        updatedAt: sql`now()`,
      }),
    )
    .execute();
}
