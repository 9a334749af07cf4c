/** How far the reading of a source got, where this machine and the far side tell different times. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '~/integrations/http.server';
import { moveCursor, readCursor } from '~/platform/syncRuns.server';
import { testDatabase } from '../support/db';

const HOUR = 3_600_000;
const { db } = testDatabase();

/** What the far side writes into its answers. */
let headers: Record<string, string> = {};
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((_, answer) => void answer.writeHead(200, headers).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

/** Hears an answer of a far side, and moves its cursor to now. Returns by how many minutes the cursor stays behind. */
async function movedAfter(side: string, said: Record<string, string>): Promise<number> {
  headers = said;
  await exchange({ side: { name: side, root: url }, method: 'GET', url });
  const now = new Date();
  await moveCursor(db, `${side}:sweep`, now, now);
  return Math.round((now.getTime() - (await readCursor(db, `${side}:sweep`))!.getTime()) / 60_000);
}
const ago = (ms: number) => new Date(Date.now() - ms).toUTCString();

test.each([
  ['an hour behind us', 'lejana', { date: ago(HOUR) }, 60],
  ['some seconds behind us', 'cercana', { date: ago(10_000) }, 0],
  ['ahead of us', 'adelantada', { date: ago(-HOUR) }, 0],
  ['a year behind us, which is its own fault', 'rota', { date: ago(365 * 24 * HOUR) }, 0],
  ['an hour old, out of a cache', 'guardada', { date: ago(HOUR), age: '3600' }, 0],
])('a far side that is %s', async (_, side, said, minutes) => {
  expect(await movedAfter(side, said)).toBe(minutes);
});

test('goes on to now once both clocks agree, and never back', async () => {
  expect(await movedAfter('corregida', { date: ago(HOUR) })).toBe(60);
  expect(await movedAfter('corregida', { date: ago(0) })).toBe(0);
  expect(await movedAfter('corregida', { date: ago(HOUR) })).toBe(0);
});
