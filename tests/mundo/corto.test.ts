/** The short form of `npm run mundo`: an hour of the whole product, as `npm start` starts it, by the clock of the run. */
import { expect, test } from 'vitest';
import { liveShop } from './campania';
import { TODO_TIPO } from './eleccion';

test('an hour of a shop that is lived adds up with what is true outside', { timeout: 420_000 }, async () => {
  const told: string[] = [];
  // At night hardly anybody buys, and the suite runs at any hour.
  const { hecho, sales, differences } = await liveShop({
    semilla: Number(process.env.MUNDO_SEMILLA ?? 1),
    eleccion: TODO_TIPO,
    horas: 1,
    ventas: 200,
    reposo: 1,
    say: (line) => told.push(line),
  });
  expect(differences, told.join('\n')).toEqual([]);
  expect(hecho.vendidas).toBeGreaterThan(0);
  expect(sales).toBeGreaterThanOrEqual(hecho.vendidas);
});
