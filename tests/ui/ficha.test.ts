import { afterEach, expect, test, vi } from 'vitest';
import { isTheSame, fichaLeida, readFicha, preload } from '~/ui/ficha/readFicha';
import { shouldRevalidate, soloPantalla } from '~/ui/ficha/soloFicha';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const asks = (from: string, to: string, formMethod?: 'GET' | 'POST', by = shouldRevalidate) =>
  by({
    currentUrl: new URL(from, 'http://trastienda.test'),
    nextUrl: new URL(to, 'http://trastienda.test'),
    currentParams: {},
    nextParams: {},
    defaultShouldRevalidate: true,
    ...(formMethod && { formMethod }),
  });

test('a list is not read again because a row is opened, changed for the next or closed', () => {
  expect(asks('/sa/ordenes?q=x', '/sa/ordenes?q=x&ver=1')).toBe(false);
  expect(asks('/sa/ordenes?ver=1&editar=envio', '/sa/ordenes?ver=2')).toBe(false);
  expect(asks('/sa/ordenes?ver=1', '/sa/ordenes')).toBe(false);
});

test('it is when anything else of its address changes, when it is asked for again, and after every action', () => {
  expect(asks('/sa/ordenes?q=x&ver=1', '/sa/ordenes?q=y')).toBe(true);
  expect(asks('/sa/ordenes?ver=1', '/sa/ordenesActivas?ver=1')).toBe(true);
  expect(asks('/sa/ordenes?ver=1', '/sa/ordenes?ver=1')).toBe(true);
  expect(asks('/sa/ordenes?ver=1&editar=envio', '/sa/ordenes?ver=1', 'POST')).toBe(true);
});

test('the frame is read again for another screen, an action or a page asked for again, and not for a search', () => {
  expect(asks('/sa/ordenes', '/sa/ordenes?q=x', undefined, soloPantalla)).toBe(false);
  expect(asks('/sa/ordenes?q=x', '/sa/ordenes?rango=hoy', 'GET', soloPantalla)).toBe(false);
  expect(asks('/sa/ordenes', '/sa/ordenes', undefined, soloPantalla)).toBe(true);
  expect(asks('/sa/ordenes', '/sa/ordenesActivas', undefined, soloPantalla)).toBe(true);
  expect(asks('/sa/ordenes?ver=1', '/sa/ordenes?vista=todas', 'POST', soloPantalla)).toBe(true);
});

const answering = (...answers: (Response | Error)[]) => {
  const fetch = vi.fn((_url: string) => {
    const next = answers.shift()!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

test('what was read ahead is there at once, and is not asked for twice', async () => {
  const fetch = answering(Response.json({ id: 'a' }));
  vi.stubGlobal('navigator', {});
  preload('/fichas/a', 'x');
  expect(await readFicha('/fichas/a', { corte: 'x' })).toBe('{"id":"a"}');
  expect(fichaLeida('/fichas/a')).toBe('{"id":"a"}');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('who saves data reads nothing ahead', () => {
  const fetch = answering();
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  preload('/fichas/b', 'x');
  expect(fetch).not.toHaveBeenCalled();
});

test('what was read a while ago is read again, and stays in sight until then', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const fetch = answering(Response.json(1), Response.json(2));
  await readFicha('/fichas/c', { corte: 'x' });
  vi.advanceTimersByTime(10_001);
  const again = readFicha('/fichas/c', { corte: 'x' });
  expect(fichaLeida('/fichas/c')).toBe('1');
  expect(await again).toBe('2');
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('what was read before the list was read again is read again, however young, and stays in sight until then', async () => {
  const fetch = answering(Response.json('Acme'), Response.json('Acme SA'));
  await readFicha('/fichas/e', { corte: 'before the action' });
  const again = readFicha('/fichas/e', { corte: 'after it' });
  expect(fichaLeida('/fichas/e')).toBe('"Acme"');
  expect(await again).toBe('"Acme SA"');
  expect(await readFicha('/fichas/e', { corte: 'after it' })).toBe('"Acme SA"');
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a reading that failed is tried again by the next; what is not there is told apart from it', async () => {
  answering(new Error('no network'), new Response('', { status: 404 }));
  await expect(readFicha('/fichas/d', { corte: 'x' })).rejects.toThrow('no network');
  expect(await readFicha('/fichas/d', { corte: 'x' })).toBe('null');
});

test('a record that carries the hour for its clocks is the same one a moment later', () => {
  const at = (ahora: string, estatus = 'abierto') => JSON.stringify({ id: 'a', ahora, estatus });
  expect(isTheSame(at('2026-11-23T12:00:00Z'), at('2026-11-23T12:00:10Z'))).toBe(true);
  expect(isTheSame(at('2026-11-23T12:00:00Z'), at('2026-11-23T12:00:10Z', 'cerrado'))).toBe(false);
});

test('what only stands beside a record, as its picture, is no change of it', () => {
  const con = (foto: string | null, texto = '¿Hay?') => JSON.stringify({ id: 'a', texto, alLado: { foto } });
  expect(isTheSame(con(null), con('/fotos/1'))).toBe(true);
  expect(isTheSame(con(null), con(null, '¿Ya hay?'))).toBe(false);
  expect(isTheSame(con(null), 'null')).toBe(false);
});
