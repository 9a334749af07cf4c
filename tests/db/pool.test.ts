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
