import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { action } from '~/routes/public/login';
import { testDatabase } from '../support/db';
import { buildUsuarios, PASSWORD } from '../support/web';

const { db } = testDatabase();

beforeAll(async () => {
  await buildUsuarios(db);
});

type Answer = { status: number; retryAfter: string | null; texto: unknown };

async function login(usuario: string, password: string): Promise<Answer> {
  const request = new Request('http://trastienda.test/login', {
    method: 'POST',
    body: new URLSearchParams({ intent: 'entrar', usuario, password }),
  });
  const args: ActionFunctionArgs = { request, params: {}, context: { ip: '10.0.0.1' } as unknown as AppLoadContext };
  const answer = await action(args);
  if (!('init' in answer)) return { status: answer.status, retryAfter: null, texto: null };
  const headers = new Headers(answer.init?.headers);
  return { status: answer.init?.status ?? 200, retryAfter: headers.get('Retry-After'), texto: answer.data.error };
}

test('more passwords at once than can be looked at are sent away for a moment, and count as no failure', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => login(`nadie${at}`, 'Otra#12345')));
  const sentAway = answers.filter(({ status }) => status === 503);
  expect(sentAway.length).toBeGreaterThan(0);
  expect(sentAway[0]).toMatchObject({
    retryAfter: '5',
    texto: { '': ['Demasiadas personas están entrando a la vez. Espera unos segundos y vuelve a intentarlo.'] },
  });
  const failed = answers.filter(({ status }) => status === 401).length;
  expect(failed + sentAway.length).toBe(40);
  const counted = await db.selectFrom('rateLimit').select('hits').where('hits', '>', 1).execute();
  expect(new Set(counted.map(({ hits }) => hits))).toEqual(new Set([failed]));
  expect(await db.selectFrom('espera').select('clave').execute()).toHaveLength(failed);
  expect((await login('sa', PASSWORD)).status).toBe(302);
});
