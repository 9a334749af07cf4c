import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '~db/client.server';
import { testDatabase } from '../support/db';

test('a client that is let go of twice ends nothing', async () => {
  const { pool, close } = openDatabase(testDatabase().url, { max: 1 });
  for (let turn = 0; turn < 2; turn++)
    await new Promise<void>((done, fail) =>
      pool.connect((error, _client, release) => {
        if (error) return fail(error);
        release();
        expect(() => release()).not.toThrow();
        done();
      }),
    );
  expect(pool.idleCount).toBe(1);
  await close();
});

test('how long the oldest waits for a connection is known, by whatever way it asked, until it has one', async () => {
  const { pool, waitedMs, close } = openDatabase(testDatabase().url, { max: 1 });
  expect(waitedMs()).toBe(0);
  const held = await pool.connect();
  expect(waitedMs()).toBe(0);
  const first = pool.query('select 1');
  await sleep(60);
  const second = pool.connect();
  expect(waitedMs()).toBeGreaterThanOrEqual(55);
  held.release();
  await first;
  // The younger one is the oldest now.
  expect(waitedMs()).toBeLessThan(55);
  (await second).release();
  expect(waitedMs()).toBe(0);
  await close();
  await expect(pool.connect()).rejects.toThrow();
  expect(waitedMs()).toBe(0);
});
