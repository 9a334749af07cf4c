import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ActionFunctionArgs, ServerBuild } from '@remix-run/node';
import express from 'express';
import { afterAll, expect, test, vi } from 'vitest';
import { machineDoors } from '~/http/machines.server';

const action = vi.fn(async ({ request, params }: ActionFunctionArgs) => {
  const text = await request.text();
  if (text === 'falla') throw new Error('no');
  return new Response(`${params.secreto} ${text}`, {
    status: text === '' ? 202 : 200,
    headers: { 'x-de': 'la puerta' },
  });
});
const route = (id: string, path: string) => ({ id, path, module: { action } });
const build = {
  routes: { avisos: route('files/avisos', 'avisos/uno/:secreto'), otra: route('sa/otra', 'otra') },
} as unknown as ServerBuild;
const app = express();
app.use(machineDoors(build, () => ({ nonce: '', requestId: '', ip: '', setCookie: () => undefined })));
app.use((_req, res) => void res.status(418).end());
app.use(((_error, _req, res, _next) => void res.status(500).end()) as express.ErrorRequestHandler);
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => new Promise((resolve) => server.close(resolve)));
const send = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method: 'POST', ...init });

test('what a machine sends reaches its action as it was sent, whatever it calls it', async () => {
  for (const type of ['application/json', 'text/plain', 'cosa rara', 'application/x-www-form-urlencoded']) {
    const answer = await send('/avisos/uno/abc', { body: '\ufeff{"a":1}', headers: { 'content-type': type } });
    expect([answer.status, answer.headers.get('x-de'), await answer.text()]).toEqual([200, 'la puerta', 'abc {"a":1}']);
  }
  expect((await send('/avisos/uno/abc')).status).toBe(202);
});

test('what fails is a failure of the server; too much is refused; pages and other addresses are left to Remix', async () => {
  expect((await send('/avisos/uno/abc', { body: 'falla' })).status).toBe(500);
  expect((await send('/avisos/uno/abc', { body: 'x'.repeat(70_000) })).status).toBe(500);
  expect((await send('/avisos/uno/abc', { method: 'GET' })).status).toBe(418);
  expect((await send('/otra', { body: 'x' })).status).toBe(418);
  expect((await send('/avisos/uno', { body: 'x' })).status).toBe(418);
});
