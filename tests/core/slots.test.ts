import { expect, test } from 'vitest';
import { createSlots } from '~/core/slots';

test('so many at once, the rest in line, and what finds the line full is refused at once', async () => {
  const slots = createSlots({ atOnce: 2, waiting: 3, full: () => new Error('lleno') });
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (at: number) =>
    slots
      .run(async () => {
        most = Math.max(most, (running += 1));
        await new Promise((done) => setTimeout(done, 1));
        running -= 1;
        order.push(at);
        // One that fails keeps no slot.
        if (at === 1) throw new Error('falló');
      })
      .then(
        () => 'hecho',
        (error: Error) => error.message,
      );
  expect(await Promise.all([0, 1, 2, 3, 4, 5, 6].map(work))).toEqual([
    'hecho',
    'falló',
    'hecho',
    'hecho',
    'hecho',
    'lleno',
    'lleno',
  ]);
  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4]]);
  expect(await work(7)).toBe('hecho');
});
