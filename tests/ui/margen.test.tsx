import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import { margenNeto } from '~/domain/compras/precios/precio';
import { formatPesos } from '~/ui/Pesos';
import { Margen } from '~/routes/publicaciones/publicador/Oferta';

const TARIFA = { comision: '0.150000', retencionIva: '0.080000', retencionIsr: '0.025000' };
const precios = {
  porque: null,
  sugerido: '1000.00',
  sugeridos: {},
  costo: '500.000000',
  envio: '0.000000',
  estimadas: [{ precio: '1000.00', comision: '174.00' }],
  tarifas: { unica: { ...TARIFA, comisionDe: 'omision' as const } },
};
const dice = (precio: string) =>
  renderToStaticMarkup(<Margen market="amz" precio={precio} precios={precios} tipo="unica" />);

test('the publisher tells while a price is typed what the price rule tells, and whose commission it is', () => {
  const debe = margenNeto(Money.of('1100'), {
    costo: Money.of('500'),
    envio: Money.zero,
    tarifa: {
      comision: Money.of(TARIFA.comision),
      comisionDe: 'omision',
      retencionIva: Money.of(TARIFA.retencionIva),
      retencionIsr: Money.of(TARIFA.retencionIsr),
    },
    estimadas: [{ market: 'amz', precio: Money.of('1000'), comision: Money.of('174') }],
  });
  expect(dice('1100')).toContain(`Queda ${formatPesos(debe.queda.toFixed(2))}`);
  expect(dice('1100')).toContain('Comisión $191.40, la que Amazon estima.');
  expect(dice('1100.01')).toContain('Comisión $165.00, por omisión.');
});
