/** Filters of the lists of `/api/v1`: a program asks for what a person asks for. */
import { beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { CALLS } from '~/api/catalog.server';
import { civilDay } from '~/core/time';
import { get, post } from '../support/api';
import { buildOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { buildUsuarios, PASSWORD } from '../support/web';

/** What the session says, and what a program does not page by. */
const NOT_ASKED = ['deRol', 'pagina', 'ver', 'vista'];
const lists = CALLS.flatMap(({ path, lista, query }) => (lista ? [{ path, lista, query }] : []));

let sa: string;
beforeAll(async () => {
  const { db } = testDatabase();
  await buildUsuarios(db);
  sa = ((await post('/api/usuario/login', { user: 'sa', password: PASSWORD })).body as { token: string }).token;
});

test.each(lists)('$path can be asked for every filter of its screen', ({ lista, query }) => {
  const filtro = Object.keys(lista.parse(new URLSearchParams())).filter((campo) => !NOT_ASKED.includes(campo));
  expect(filtro.filter((campo) => !Object.hasOwn((query as z.ZodObject).shape, campo))).toEqual([]);
});

test('the sales of a month are told for their month, and a month that was not said is asked for', async () => {
  const { db } = testDatabase();
  const { numOrden } = await buildOrden(db, { titulo: 'Por facturar' });
  const mes = civilDay(new Date()).slice(0, 7);
  const told = await get(`/api/v1/mes/balance?mes=${mes}`, sa);
  expect(told).toMatchObject({ status: 200, body: { datos: [{ numOrden }] } });
  for (const wrong of ['', '?mes=', '?mes=2026-13', '?mes=todos']) {
    const answer = await get(`/api/v1/mes/balance${wrong}`, sa);
    expect([wrong, answer.status]).toEqual([wrong, 400]);
  }
});
