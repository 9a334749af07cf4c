import { expect, test } from 'vitest';
import { askLeave, CONNECTIONS, standForLeave } from '~/domain/effects/connections.server';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
const { burst, perSecond } = CONNECTIONS.correo;

test('a bucket that is asked faster than it fills gives what it was filled with', async () => {
  let given = 0;
  const end = performance.now() + 2_000;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      while (performance.now() < end) if ((await askLeave(db, 'correo')) === null) given += 1;
    }),
  );
  expect(given).toBeGreaterThan(burst + perSecond);
  expect(given).toBeLessThanOrEqual(burst + 2.5 * perSecond);
});

test('who stands at an empty bucket gets the next one, each in their turn', async () => {
  // Before the last ask: from then on the bucket fills, and what was left in it is less than one.
  let began: number;
  do began = performance.now();
  while ((await askLeave(db, 'correo')) === null);
  expect(await Promise.all(Array.from({ length: 10 }, () => standForLeave(db, 'correo')))).toEqual(
    Array.from({ length: 10 }, () => null),
  );
  expect(performance.now() - began).toBeGreaterThan((9 / perSecond) * 1000);
});
