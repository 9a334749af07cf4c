import { expect, test } from 'vitest';
import { askLeave, standForLeave } from '~/platform/connections/breaker.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
const { burst, perSecond } = CONNECTIONS.of('correo').budget;

test('a bucket that is asked faster than it fills gives what it was filled with', async () => {
  let given = 0;
  const began = performance.now();
  const end = began + 2_000;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      while (performance.now() < end) if ((await askLeave(db, 'correo', 'send')).given) given += 1;
    }),
  );
  expect(given).toBeGreaterThan(burst + perSecond);
  // It fills as long as it is asked; the last answer comes when the machine lets it.
  const seconds = (performance.now() - began) / 1_000;
  expect(given).toBeLessThanOrEqual(burst + (seconds + 0.5) * perSecond);
});

test('who stands at an empty bucket gets the next one, each in their turn', async () => {
  // Before the last ask: from then on the bucket fills, and what was left in it is less than one.
  let began: number;
  do began = performance.now();
  while ((await askLeave(db, 'correo', 'send')).given);
  expect(await Promise.all(Array.from({ length: 10 }, () => standForLeave(db, 'correo', 'send')))).toEqual(
    Array.from({ length: 10 }, () => ({ given: true, trial: false })),
  );
  expect(performance.now() - began).toBeGreaterThan((9 / perSecond) * 1000);
});
