/** The faults that `npm run mundo -- --plantadas` plants still fit the database, and each property of money, deposits and debts has one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROPIEDADES } from './auditar';
import { plantedText, PLANTADAS, PLANTADAS_EN_DEUDAS, PLANTADAS_EN_FILAS } from './plantadas';

const schema = readFileSync(join(import.meta.dirname, '../../db/schema.sql'), 'utf8');
const textOf = (funcion: string) =>
  new RegExp(`CREATE OR REPLACE FUNCTION public\\.${funcion}\\(.*?\\$function\\$\\n;`, 's').exec(schema)![0];

test.each([...PLANTADAS, ...PLANTADAS_EN_DEUDAS].map((una) => [una.id, una] as const))(
  '%s fits its function',
  (_, plantada) => {
    const text = textOf(plantada.funcion);
    expect(plantedText(text, plantada)).not.toBe(text);
  },
);

test.each(PLANTADAS_EN_FILAS.map((una) => [una.id, una] as const))('%s fits its table', (_, { tabla, columna }) => {
  const text = new RegExp(`^create table ${tabla} \\(.*?^\\);`, 'ms').exec(schema)![0];
  expect(text).toMatch(new RegExp(`^  ${columna} `, 'm'));
});

test('a fault that no longer fits is told', () => {
  expect(() => plantedText('select 1', PLANTADAS[0]!)).toThrow(PLANTADAS[0]!.id);
});

test('each property of money, deposits and debts is judged', () => {
  const todas = [...PLANTADAS, ...PLANTADAS_EN_DEUDAS, ...PLANTADAS_EN_FILAS];
  const money = Object.keys(PROPIEDADES).filter((id) => /^(?:dinero|deposito|deuda)\./.test(id));
  const judged = new Set<string>(todas.map(({ propiedad }) => propiedad));
  expect(money.filter((id) => !judged.has(id))).toEqual([]);
  expect(new Set(todas.map(({ id }) => id)).size).toBe(todas.length);
});
