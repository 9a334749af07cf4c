/** The faults that `npm run mundo -- --plantadas` plants still fit the functions of the ledger, and each property of money has one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROPIEDADES } from './auditar';
import { plantedText, PLANTADAS } from './plantadas';

const schema = readFileSync(join(import.meta.dirname, '../../db/schema.sql'), 'utf8');
const textOf = (funcion: string) =>
  new RegExp(`CREATE OR REPLACE FUNCTION public\\.${funcion}\\(.*?\\$function\\$\\n;`, 's').exec(schema)![0];

test.each(PLANTADAS.map((una) => [una.id, una] as const))('%s fits its function', (_, plantada) => {
  const text = textOf(plantada.funcion);
  expect(plantedText(text, plantada)).not.toBe(text);
});

test('a fault that no longer fits is told', () => {
  expect(() => plantedText('select 1', PLANTADAS[0]!)).toThrow(PLANTADAS[0]!.id);
});

test('each property of money is judged', () => {
  const money = Object.keys(PROPIEDADES).filter((id) => id.startsWith('dinero.'));
  const judged = new Set<string>(PLANTADAS.map(({ propiedad }) => propiedad));
  expect(money.filter((id) => !judged.has(id))).toEqual([]);
  expect(new Set(PLANTADAS.map(({ id }) => id)).size).toBe(PLANTADAS.length);
});
