/** The impostor of Mercado Libre lets in as the real one does: codes, tokens, PKCE. Everything over HTTP, as the product sees it. */
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { CLIENT_ID, FOREIGN_ORDER_ID, SELLER_ID } from '../sandbox/mercadolibre';
import { REDIRECT, startMl, type Running } from './support/mercadolibre';

let ml: Running;
beforeAll(async () => {
  ml = await startMl();
  await ml.link();
});

test('the page sends back a code and the state, or the refusal', async () => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    state: 'abc',
  });
  const page = await fetch(`${ml.url}/mercadolibre-auth/authorization?${query}`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Autorizar');
  const decide = async (decision: string) => {
    const answer = await fetch(`${ml.url}/mercadolibre-auth/authorization`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([...query, ['decision', decision]]),
    });
    expect(answer.status).toBe(302);
    return new URL(answer.headers.get('location')!);
  };
  const accepted = await decide('autorizar');
  expect(accepted.origin + accepted.pathname).toBe(REDIRECT);
  expect(accepted.searchParams.get('state')).toBe('abc');
  expect(accepted.searchParams.get('code')).toMatch(/^TG-/);
  expect((await decide('rechazar')).searchParams.get('error')).toBe('access_denied');
  expect(
    (
      await fetch(
        `${ml.url}/mercadolibre-auth/authorization?${query}&redirect_uri=x`.replace(
          encodeURIComponent(REDIRECT),
          encodeURIComponent('http://otra.example/activacion'),
        ),
      )
    ).status,
  ).toBe(400);
});

test('a collaborator gets no code', async () => {
  const one = await startMl({ orders: 0 });
  await one.control('POST', '/interruptores', { colaborador: true });
  const query = new URLSearchParams({ response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT, auto: '1' });
  const answer = await fetch(`${one.url}/mercadolibre-auth/authorization?${query}`, { redirect: 'manual' });
  expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe('invalid_operator_user_id');
});

test('codes and refresh tokens work once, and only the last refresh token', async () => {
  const one = await startMl({ orders: 0 });
  const code = await one.code();
  const exchange = () => one.token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT });
  const wrong = await one.token({ grant_type: 'authorization_code', code, redirect_uri: `${REDIRECT}/` });
  expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
  const first = await exchange();
  expect(first.body).toMatchObject({ expires_in: 10_800, user_id: SELLER_ID });
  expect((await exchange()).body.error).toBe('invalid_grant');
  const second = await one.token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token });
  expect(second.status).toBe(200);
  expect((await one.token({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })).body.error).toBe(
    'invalid_grant',
  );
  expect((await one.token({ grant_type: 'refresh_token', refresh_token: second.body.refresh_token })).status).toBe(200);
  expect((await one.token({ grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'no' })).body.error).toBe(
    'invalid_client',
  );
  expect(await one.control('GET', '/token')).toMatchObject({ exchanges: 1, refreshes: 2, invalidGrants: 3 });
});

test('PKCE: a code with a challenge needs its verifier', async () => {
  const one = await startMl({ orders: 0 });
  const verifier = 'un-verificador-de-mas-de-cuarenta-y-tres-caracteres';
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const exchange = async (extra: Record<string, string>) => {
    const { status, body } = await one.token({
      grant_type: 'authorization_code',
      code: await one.code(challenge),
      redirect_uri: REDIRECT,
      ...extra,
    });
    return body.error ?? status;
  };
  expect(await exchange({})).toBe('invalid_request');
  expect(await exchange({ code_verifier: 'otro' })).toBe('invalid_grant');
  expect(await exchange({ code_verifier: verifier })).toBe(200);
});

test('without a living token every route answers 401; what is of others, 403', async () => {
  const one = await startMl({ orders: 0 });
  const routes = [
    '/mercadolibre/users/me',
    '/mercadolibre/orders/search?seller=1',
    '/mercadolibre/missed_feeds',
    '/mercadopago/v1/payments/1',
    '/mercadolibre/shipment_statuses',
  ];
  for (const route of routes) expect((await one.raw(route)).status, route).toBe(401);
  const { refresh_token } = await one.link();
  expect((await one.raw('/mercadolibre/users/me')).status).toBe(200);
  await one.control('POST', '/token', { expireNow: true });
  for (const route of routes) expect((await one.raw(route)).status, route).toBe(401);
  await one.control('POST', '/token', { expires_in: 60 });
  expect((await one.token({ grant_type: 'refresh_token', refresh_token })).body.expires_in).toBe(60);
  await one.link();
  expect((await one.raw(`/mercadolibre/orders/${FOREIGN_ORDER_ID}`)).status).toBe(403);
  expect((await one.raw('/mercadolibre/orders/search?seller=77')).status).toBe(403);
  const { refresh_token: last } = await one.link();
  await one.control('POST', '/token', { revoke: true });
  expect((await one.token({ grant_type: 'refresh_token', refresh_token: last })).body.error).toBe('invalid_grant');
});
