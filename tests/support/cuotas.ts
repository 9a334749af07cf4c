import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach } from 'vitest';
import type { Db } from '~db/client.server';

/** The longest that a test of a limit takes, in seconds. */
const ROOM = 25;

/**
 * Begins each test of a file with its quotas whole. Limits are counted by the hour of the clock, and a test that goes over its end may do twice as much: the last
 * seconds of an hour are waited out.
 */
export function wholeQuotas(db: Db): void {
  beforeEach(
    async () => {
      const left = 3_600 - ((Date.now() / 1_000) % 3_600);
      if (left < ROOM) await pause(left * 1_000 + 100);
      await sql`delete from rate_limit`.execute(db);
    },
    (ROOM + 10) * 1_000,
  );
}
