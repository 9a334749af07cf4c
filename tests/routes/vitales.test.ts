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

async function tell(usuario: Usuario, dispositivo: string, medidos: unknown): Promise<number | undefined> {
  const request = new Request(`http://trastienda.test/${usuario.rol}/vitales`, {
    method: 'POST',
    body: new URLSearchParams({
      intent: 'vista',
      dispositivo,
      medidos: typeof medidos === 'string' ? medidos : JSON.stringify(medidos),
    }),
  });
  const context = { usuario, sesion: PROBADA } as unknown as AppLoadContext;
  const answer = (await action({ request, params: {}, context } as ActionFunctionArgs)) as {
    init: { status?: number } | null;
  };
  return answer.init?.status;
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
  expect(await tell(sa, 'telefono', medidos)).toBe(200);
  expect(Object.keys(takeVitales()!).sort()).toEqual([
    'hoy telefono inp',
    'ordenes telefono cls',
    'ordenes telefono lcp',
  ]);
  expect(takeVitales()).toBeUndefined();
  // A screen that the role does not have.
  expect(await tell(cont, 'escritorio', [{ pantalla: '/cont/tokens', vital: 'lcp', valor: 1 }])).toBe(200);
  for (const nada of ['', '{', 'null', '7', [{ pantalla: '/sa', vital: 'lcp', valor: -1 }]])
    expect(await tell(sa, 'telefono', nada)).toBe(422);
  expect(await tell(sa, 'reloj', [])).toBe(422);
  expect(takeVitales()).toBeUndefined();
});
