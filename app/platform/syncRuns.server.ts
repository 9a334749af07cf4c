import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { RunKind } from '~/core/market';

export type SyncCounts = { seen: number; written: number; failed: number };

/** A run people can watch: its row exists from the first moment and moves as it goes. */
export async function startRun(db: Db, source: string, kind: RunKind) {
  const counts: SyncCounts = { seen: 0, written: 0, failed: 0 };
  const problems: string[] = [];
  const gaps: string[] = [];
  // A run that a killed worker left open never ends by itself.
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
    /** One of them could not be brought; the first ones are told by name. */
    fail(what: string, error: unknown) {
      counts.failed += 1;
      if (problems.length < 5) problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    },
    /** A part of what should have been looked at was not seen whole: told before anything else. */
    gap(text: string) {
      counts.failed += 1;
      if (gaps.length < 3) gaps.push(text);
    },
    progress: async () => void (await db.updateTable('syncRun').set(counts).where('id', '=', id).execute()),
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

export async function readCursor(db: Db, source: string): Promise<Date | null> {
  const row = await db.selectFrom('syncCursor').select('reachedAt').where('source', '=', source).executeTakeFirst();
  return row?.reachedAt ?? null;
}

/** The cursor only moves forward, but for one that lies after `now`: a clock that ran ahead wrote it. */
export async function moveCursor(db: Db, source: string, reachedAt: Date, now: Date): Promise<void> {
  await db
    .insertInto('syncCursor')
    .values({ source, reachedAt })
    .onConflict((on) =>
      on.column('source').doUpdateSet({
        reachedAt: sql`case when sync_cursor.reached_at > ${now} then excluded.reached_at else greatest(sync_cursor.reached_at, excluded.reached_at) end`,
        updatedAt: sql`now()`,
      }),
    )
    .execute();
}
