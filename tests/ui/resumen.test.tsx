import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Column } from '~/ui/lista/column';
import { Resumen } from '~/ui/lista/Resumen';

type Totales = { pagado: string };

const COLUMNAS: Column<string, Totales>[] = [
  { header: 'No. Orden', cell: (numero) => numero },
  { header: 'Monto pagado', cell: () => null, total: ({ pagado }) => pagado },
];
const resumen = (totales: Totales | null) =>
  renderToStaticMarkup(<Resumen columns={COLUMNAS} totales={totales} label="Ventas" />);

test('a summary says each column that has a total, under its name', () => {
  const html = resumen({ pagado: '$292,516.05' });
  expect(html).toContain('<dt>Monto pagado</dt><dd>$292,516.05</dd>');
  expect(html).not.toContain('No. Orden');
});

test('while they are counted its place is kept', () => {
  expect(resumen(null)).toContain('<dt>Monto pagado</dt><dd>…</dd>');
});
