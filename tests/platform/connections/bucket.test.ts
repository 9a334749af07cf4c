import { beforeEach, expect, test } from 'vitest';
import { askLeave } from '~/platform/connections/breaker.server';
import { syscom } from '~/domain/compras/directorio/internal/syscom.server';
import { askCall, takeCall } from '~/platform/connections/bucket.server';
import { Unavailable } from '~/integrations/errors';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
/** Three at once, and one more each second; a machine leaves two of them. */
const side = { kind: 'syscom', label: 'Syscom', budget: { atOnce: 1, perSecond: 1, burst: 3, forPeople: 2 } };

beforeEach(async () => {
  await db.deleteFrom('connection').execute();
});
const asked = async (quien: 'persona' | 'maquina', times: number) => {
  const waits: number[] = [];
  for (let n = 0; n < times; n++) waits.push(await askCall(db, side, quien));
  return waits;
};

test('a machine leaves to people what they may need at any moment', async () => {
  const [first, ...others] = await asked('maquina', 3);
  expect(first).toBe(0);
  expect(others.every((waitMs) => waitMs > 0)).toBe(true);
  expect(await asked('persona', 2)).toEqual([0, 0]);
});

test('who finds too little takes nothing, so those who wait do not keep the bucket empty', async () => {
  await asked('persona', 3);
  const before = await db.selectFrom('connection').select(['tokens', 'refilledAt']).executeTakeFirstOrThrow();
  expect((await askCall(db, side, 'maquina')) > 0).toBe(true);
  expect(await db.selectFrom('connection').select(['tokens', 'refilledAt']).executeTakeFirstOrThrow()).toEqual(before);
});

test('a page is not kept waiting for a bucket that fills slowly', async () => {
  const slow = { ...side, budget: { ...side.budget, perSecond: 0.01 } };
  for (let n = 0; n < 3; n++) await takeCall(db, slow, 'persona');
  const error = await takeCall(db, slow, 'persona').catch((one: unknown) => one);
  expect(error).toBeInstanceOf(Unavailable);
  expect((error as Unavailable).details.retryAfterMs).toBeGreaterThan(5_000);
});

test('reads and orders of a supplier are counted in one bucket', async () => {
  const { burst } = syscom.budget;
  for (let n = 0; n < burst; n++) expect(await askLeave(db, 'syscom', 'send')).toMatchObject({ given: true });
  expect(await askCall(db, { ...side, budget: syscom.budget }, 'persona')).toBeGreaterThan(0);
});
