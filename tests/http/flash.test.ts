import { afterEach, expect, test, vi } from 'vitest';
import { flash, takeFlash } from '~/http/flash.server';

afterEach(() => void vi.useRealTimers());

/** The cookies of a browser, which an answer writes when it arrives. */
function browser() {
  const held = new Map<string, string>();
  return {
    set(cookie: string | null | undefined) {
      const [name, value] = cookie?.split(';')[0]?.split(/=(.*)/s) ?? [];
      if (name === undefined) return;
      if (cookie!.includes('Max-Age=0')) held.delete(name);
      else held.set(name, value!);
    },
    read(dest: 'document' | 'empty') {
      const Cookie = [...held].map((pair) => pair.join('=')).join('; ');
      return takeFlash(new Request('http://trastienda.test/sa', { headers: { Cookie, 'Sec-Fetch-Dest': dest } }));
    },
  };
}

test('a page that the browser loads takes the notice away', async () => {
  const one = browser();
  one.set(await flash('Se guardó.'));
  const first = await one.read('document');
  expect(first?.aviso.texto).toBe('Se guardó.');
  one.set(first?.cookie);
  expect(await one.read('document')).toBeNull();
});

test('a script whose answer is overtaken takes the notice from nobody, and it is the same notice', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-29T12:00:00Z'), toFake: ['Date'] });
  const one = browser();
  one.set(await flash('Se guardó.'));
  const overtaken = await one.read('empty');
  one.set(overtaken?.cookie);
  vi.setSystemTime(new Date('2026-11-29T12:00:03Z'));
  const shown = await one.read('empty');
  expect(shown?.aviso).toEqual(overtaken?.aviso);
  one.set(shown?.cookie);
  // A page that was loaded after it was shown says it no second time, nor does a script much later.
  expect(await one.read('document')).toBeNull();
  vi.setSystemTime(new Date('2026-11-29T12:00:06Z'));
  expect(await one.read('empty')).toBeNull();
});

test('a notice that can be undone for eight seconds may be read by scripts for as long', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-29T12:00:00Z'), toFake: ['Date'] });
  const one = browser();
  one.set(await flash('La respuesta sale en 8 segundos.', { dura: 8_000 }));
  one.set((await one.read('empty'))?.cookie);
  vi.setSystemTime(new Date('2026-11-29T12:00:07Z'));
  expect((await one.read('empty'))?.aviso.texto).toBe('La respuesta sale en 8 segundos.');
  vi.setSystemTime(new Date('2026-11-29T12:00:09Z'));
  expect(await one.read('empty')).toBeNull();
});

test('an answer that brought a notice and arrives after the next act hides nothing of it', async () => {
  const one = browser();
  one.set(await flash('Se edito la factura correctamente.'));
  one.set((await one.read('empty'))?.cookie);
  const late = await one.read('empty');
  one.set(await flash('Se elimino la factura correctamente.'));
  one.set(late?.cookie);
  expect((await one.read('empty'))?.aviso.texto).toBe('Se elimino la factura correctamente.');

  const first = browser();
  first.set(await flash('Se agrego la factura correctamente.'));
  const slow = await first.read('empty');
  first.set(await flash('Se edito la factura correctamente.'));
  first.set(slow?.cookie);
  expect((await first.read('empty'))?.aviso.texto).toBe('Se edito la factura correctamente.');
});
