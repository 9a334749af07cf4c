import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { action, loader } from '~/routes/files/presencia';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';

const { db } = testDatabase();
const RECLAMO = 'reclamo:019a0000-0000-7000-8000-000000000001';

function args(usuario: Usuario, que: string, body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${usuario.rol}/presencia?que=${encodeURIComponent(que)}`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario, sesion: PROBADA } as unknown as AppLoadContext };
}
const estoy = (usuario: Usuario, que: string) => action(args(usuario, que, { intent: 'estoy', que }));
const otros = async (usuario: Usuario, que: string) =>
  ((await (await loader(args(usuario, que))).json()) as { otros: object[] }).otros;

test('who has a record open is told to those who have its screen, and written of nobody else', async () => {
  const [sa, admin, aux] = [
    await buildPersona(db, 'sa'),
    await buildPersona(db, 'admin'),
    await buildPersona(db, 'aux'),
  ];
  await estoy(sa, RECLAMO);
  expect(await otros(admin, RECLAMO)).toHaveLength(1);
  expect(await otros(aux, RECLAMO)).toEqual([]);
  await estoy(aux, RECLAMO);
  expect(await otros(admin, RECLAMO)).toHaveLength(1);
  expect(await otros(admin, 'usuario:1')).toEqual([]);
});

test('a sale that is being invoiced has its people, told to those who see sales', async () => {
  const [sa, cont, aux] = [await buildPersona(db, 'sa'), await buildPersona(db, 'cont'), await buildPersona(db, 'aux')];
  const venta = 'venta:701-1234567-1234567';
  await estoy(sa, venta);
  expect(await otros(cont, venta)).toHaveLength(1);
  expect(await otros(aux, venta)).toEqual([]);
});
