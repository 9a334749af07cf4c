import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeEach, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { takeVitales } from '~/http/vitales.server';
import { action } from '~/routes/files/vitales';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';

const { db } = testDatabase();
beforeEach(() => void takeVitales());

async function tell(usuario: Usuario, body: unknown): Promise<number> {
  const request = new Request(`http://trastienda.test/${usuario.rol}/vitales`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const context = { usuario, sesion: PROBADA } as unknown as AppLoadContext;
  return (await action({ request, params: {}, context } as ActionFunctionArgs)).status;
}

test('what a browser measured is counted by screen, device and measure; words that are none of these count nothing', async () => {
  const sa = await buildPersona(db, 'sa');
  const cont = await buildPersona(db, 'cont');
  const medidos = [
    { pantalla: '/sa/ordenes', vital: 'lcp', valor: 900 },
    { pantalla: '/sa', vital: 'inp', valor: 40 },
    { pantalla: '/sa/ordenes', vital: 'cls', valor: 0 },
    { pantalla: '/sa/una-palabra', vital: 'lcp', valor: 1 },
    { pantalla: '/sa/ordenes', vital: 'constructor', valor: 1 },
    { pantalla: '/cont/ordenes', vital: 'lcp', valor: 1 },
  ];
  expect(await tell(sa, { dispositivo: 'telefono', medidos })).toBe(204);
  expect(Object.keys(takeVitales()!).sort()).toEqual([
    'hoy telefono inp',
    'ordenes telefono cls',
    'ordenes telefono lcp',
  ]);
  expect(takeVitales()).toBeUndefined();
  // A screen that the role does not have.
  expect(
    await tell(cont, { dispositivo: 'escritorio', medidos: [{ pantalla: '/cont/tokens', vital: 'lcp', valor: 1 }] }),
  ).toBe(204);
  for (const body of [
    '',
    '{',
    'null',
    { dispositivo: 'reloj', medidos: [] },
    { dispositivo: 'telefono', medidos: [{ pantalla: '/sa', vital: 'lcp', valor: -1 }] },
  ])
    expect(await tell(sa, body)).toBe(400);
  expect(takeVitales()).toBeUndefined();
});
