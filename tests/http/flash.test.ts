import { afterEach, expect, test, vi } from 'vitest';
import { flash, takeFlash } from '~/http/flash.server';

afterEach(() => void vi.useRealTimers());

const read = async (cookie: string, dest: 'document' | 'empty') => {
  const Cookie = cookie.split(';')[0]!;
  return takeFlash(new Request('http://trastienda.test/sa', { headers: { Cookie, 'Sec-Fetch-Dest': dest } }));
};

test('a page that the browser loads takes the notice away', async () => {
  const first = await read(await flash('Se guardó.'), 'document');
  expect(first?.aviso.texto).toBe('Se guardó.');
  expect(first?.cookie).toContain('Max-Age=0');
});

test('a script whose answer is overtaken takes the notice from nobody, and it is the same notice', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-29T12:00:00Z'), toFake: ['Date'] });
  const overtaken = await read(await flash('Se guardó.'), 'empty');
  vi.setSystemTime(new Date('2026-11-29T12:00:03Z'));
  const shown = await read(overtaken!.cookie, 'empty');
  expect(shown?.aviso).toEqual(overtaken?.aviso);
  // A page that was loaded after it was shown says it no second time, nor does a script much later.
  expect(await read(overtaken!.cookie, 'document')).toBeNull();
  vi.setSystemTime(new Date('2026-11-29T12:00:06Z'));
  expect(await read(shown!.cookie, 'empty')).toBeNull();
});
