import { renderToStaticMarkup } from 'react-dom/server';
import { MantineProvider } from '@mantine/core';
import { expect, test } from 'vitest';
import { MesInput } from '~/ui/MesInput';

const drawn = (mes: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <MesInput mes={mes} max="2026-11" label="Mes" />
    </MantineProvider>,
  );
const valuesOf = (html: string) => [...html.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);

test('months are offered in our words, the newest first, by year and five years back', () => {
  const html = drawn('2026-10');
  expect(html).toContain('<option value="2026-10" selected="">Octubre de 2026</option>');
  expect(valuesOf(html)).toHaveLength(60);
  expect([valuesOf(html)[0], valuesOf(html).at(-1)]).toEqual(['2026-11', '2021-12']);
  expect([...html.matchAll(/<optgroup label="(\d+)"/g)].map(([, year]) => year)).toEqual([
    '2026',
    '2025',
    '2024',
    '2023',
    '2022',
    '2021',
  ]);
});

test('a month that the address names is chosen, whenever it was; no month is chosen for nobody', () => {
  expect(drawn('2019-03')).toContain('<option value="2019-03" selected="">Marzo de 2019</option>');
  expect(valuesOf(drawn('2027-01'))[0]).toBe('2027-01');
  expect(drawn('')).toContain('<option value="" selected="">Elige un mes</option>');
  expect(valuesOf(drawn('2026-10'))).not.toContain('');
});
