import { afterEach, expect, test, vi } from 'vitest';
import { enterAs, forget, lastUsuario, recall, remember, listEntradas } from '~/bodega/almacen';
import { ANA, LUIS, pieza, tomaTelefono } from './telefono';

const telefono = tomaTelefono();
afterEach(() => {
  vi.useRealTimers();
});

test('a phone opens a piece without signal as it last saw it, for twelve hours and no longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-03T08:00:00Z') });
  await remember(pieza('A-1', { estadoLabel: 'Disponible' }));
  vi.setSystemTime(new Date('2026-11-03T19:59:00Z'));
  expect((await recall('A-1'))?.value).toMatchObject({ folio: 'A-1', estadoLabel: 'Disponible' });
  expect((await recall('A-1'))?.desde).toBe(Date.parse('2026-11-03T08:00:00Z'));
  vi.setSystemTime(new Date('2026-11-03T20:01:00Z'));
  expect(await recall('A-1')).toBeUndefined();
  expect(await recall('A-2')).toBeUndefined();
});

test('who works without signal is the last person that the server named', async () => {
  expect(await lastUsuario()).toBeUndefined();
  await enterAs(ANA);
  await enterAs(ANA);
  expect(await lastUsuario()).toBe(ANA);
  await enterAs(LUIS);
  expect(await lastUsuario()).toBe(LUIS);
});

test('the pieces of one person are not there for the next one, and come back to nobody', async () => {
  await enterAs(ANA);
  await remember(pieza('A-1'));
  await enterAs(ANA);
  expect((await recall('A-1'))?.value).toMatchObject({ folio: 'A-1' });
  await enterAs(LUIS);
  expect(await recall('A-1')).toBeUndefined();
});

test('whoever leaves is forgotten with their pieces, and what they had not sent stays under their name', async () => {
  await enterAs(ANA);
  await remember(pieza('A-1'));
  const clave = await telefono().presiona({ sobre: 'A-1' });
  await forget();
  expect([await lastUsuario(), await recall('A-1')]).toEqual([undefined, undefined]);
  await enterAs(LUIS);
  expect(await listEntradas()).toMatchObject([{ clave, usuario: ANA, estado: 'espera' }]);
});

test('presses are kept in the order in which they were made, with their photograph', async () => {
  const uno = telefono();
  for (const sobre of ['C', 'A', 'B']) await uno.presiona({ sobre });
  await uno.presiona({ sobre: 'A', que: 'foto', campos: {}, foto: new Blob(['luz'], { type: 'image/jpeg' }) });
  const cola = await listEntradas();
  expect(cola.map(({ sobre }) => sobre)).toEqual(['C', 'A', 'B', 'A']);
  expect([cola[3]!.foto?.type, await cola[3]!.foto?.text()]).toEqual(['image/jpeg', 'luz']);
});
