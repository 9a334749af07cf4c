import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import { costoEnPesos, GANANCIA, margenNeto, type Ofrecido, precioOfVenta } from '~/domain/compras/precios/precio';
import { COMISION, type Tarifa } from '~/domain/ventas/ordenes/tarifa';

const m = (text: string) => Money.of(text);

function ofrecido(precio: string | null, more: Partial<Ofrecido> = {}): Ofrecido {
  return { precio: precio === null ? null : m(precio), moneda: 'MXN', sinPrecio: null, tipoCambio: null, ...more };
}
const enDolares = (precio: string, tipoCambio: string | null) =>
  ofrecido(precio, { moneda: 'USD', tipoCambio: tipoCambio === null ? null : m(tipoCambio) });

function precio(de: Ofrecido, ganancia = '0.5', envio: string | null = null): string {
  const said = precioOfVenta(de, { ganancia: m(ganancia), envio: envio === null ? null : m(envio) });
  return said.clase === 'precio' ? said.precio.toString() : said.porque;
}

test.each([
  ['a round price of the supplier', ofrecido('100'), '0.5', null, '174.00'],
  ['one cent more is one peso more', ofrecido('100.01'), '0.5', null, '175.00'],
  ['without mark-up it is what it costs with its VAT', ofrecido('100'), '0', null, '116.00'],
  ['the mark-up is of the cost and not of the shipping', ofrecido('100'), '0.5', '90', '264.00'],
  ['shipping with cents', ofrecido('100'), '0.5', '89.50', '264.00'],
  ['a mark-up of an eighth', ofrecido('80'), '0.125', null, '105.00'],
  ['a mark-up of more than the cost', ofrecido('100'), '1.2', null, '256.00'],
  ['dollars at the rate of that supplier', enDolares('22.10', '18.62'), '0.5', null, '717.00'],
  ['the same dollars elsewhere', enDolares('22.10', '18.41'), '0.5', null, '708.00'],
  ['what costs less than a cent', ofrecido('0.000001'), '0.5', null, '1.00'],
  ['nine digits', ofrecido('123456789.12'), '0.5', null, '214814814.00'],
])('the price rule: %s', (_, de, ganancia, envio, expected) => {
  expect(precio(de, ganancia, envio)).toBe(expected);
});

/** The rates of a company in 2026. */
const TARIFA: Tarifa = { ...COMISION, retencionIva: Money.of('0.08'), retencionIsr: Money.of('0.025') };

test('nothing is cut before the price is rounded up', () => {
  expect(precio(enDolares('5', '5'), '0')).toBe('29.00');
  // 25.0000001 pesos: with six decimals they would be 25, and a price of 29.
  expect(precio(enDolares('4.1', '6.097561'), '0')).toBe('30.00');
});

test.each([
  ['no price', ofrecido(null, { moneda: null, sinPrecio: 'sinDistribucion' }), 'sinDistribucion'],
  ['no price and no reason', ofrecido(null, { moneda: null }), 'ilegible'],
  ['a reason beside a price', ofrecido('10', { sinPrecio: 'proyecto' }), 'proyecto'],
  ['nothing', ofrecido('0'), 'cero'],
  ['less than nothing', ofrecido('-5'), 'cero'],
  ['no currency', ofrecido('10', { moneda: null }), 'moneda'],
  ['dollars without a rate', enDolares('10', null), 'tipoCambio'],
  ['dollars at a rate of nothing', enDolares('10', '0'), 'tipoCambio'],
])('%s is no price, whatever is added to it', (_, de, porque) => {
  expect(costoEnPesos(de)).toBe(porque);
  expect(precioOfVenta(de, { ganancia: GANANCIA, envio: m('90') })).toEqual({ clase: 'sinPrecio', porque });
});

test('the parts of a price add up to it', () => {
  const said = precioOfVenta(enDolares('22.10', '18.62'), { ganancia: GANANCIA, envio: m('89.50') });
  if (said.clase !== 'precio') throw new Error(said.porque);
  const { costo, iva, ganancia, envio, redondeo } = said;
  expect([costo, iva, ganancia, envio].map((one) => one.toFixed(6))).toEqual([
    '411.502000',
    '65.840320',
    '238.671160',
    '89.500000',
  ]);
  expect(Money.sum([costo, iva, ganancia, envio, redondeo]).toFixed(6)).toBe(said.precio.toFixed(6));
  expect([redondeo.isNegative(), redondeo.compare(m('1'))]).toEqual([false, -1]);
});

test('what is withheld is what two sales at Mercado Libre were seen to be withheld', () => {
  // Price, VAT and income tax withheld. Mercado Libre rounds its own way, by a cent at most.
  for (const [at, iva, isr] of [
    ['314.71', '21.71', '6.78'],
    ['279.36', '19.27', '6.02'],
  ] as const) {
    const said = margenNeto(m(at), { costo: m('1'), envio: null, tarifa: TARIFA });
    const cents = [said.retencionIva.minus(m(iva)), said.retencionIsr.minus(m(isr))].map(String);
    expect(['-0.01', '0.00']).toEqual(expect.arrayContaining(cents));
  }
});

test('the margin of a sale is what is left of it line by line', () => {
  const margen = margenNeto(m('174'), { costo: m('100'), envio: null, tarifa: TARIFA });
  const { comision, envio, retencionIva, retencionIsr, costo, queda } = margen;
  expect([comision, envio, retencionIva, retencionIsr, costo, queda].map(String)).toEqual([
    '26.10', // fifteen in a hundred of 174
    '0.00',
    '12.00', // 150 without VAT, eight of each hundred
    '3.75', // and two and a half
    '116.00',
    '16.15',
  ]);
  expect(margen.margen.toFixed(4)).toBe('0.0928');
  expect(margen.precio.minus(Money.sum([comision, envio, retencionIva, retencionIsr, costo, queda])).isZero()).toBe(
    true,
  );
});

test.each([
  ['shipping that we pay', '264', '100', '90', {}, '-5.50'],
  [
    'a category that is charged more',
    '174',
    '100',
    null,
    { comision: '0.175', comisionDe: 'categoria' as const },
    '11.80',
  ],
  ['nothing withheld', '174', '100', null, { retencionIva: '0', retencionIsr: '0' }, '31.90'],
  ['sold below its cost', '100', '100', null, {}, '-40.06'],
])('what is left: %s', (_, at, costo, envio, more, queda) => {
  const { comisionDe = TARIFA.comisionDe, ...rates } = more as Partial<Record<keyof Tarifa, string>> & {
    comisionDe?: Tarifa['comisionDe'];
  };
  const tarifa = {
    ...TARIFA,
    ...Object.fromEntries(Object.entries(rates).map(([name, text]) => [name, m(text)])),
    comisionDe,
  };
  const said = margenNeto(m(at), { costo: m(costo), envio: envio === null ? null : m(envio), tarifa });
  expect([String(said.queda), said.comisionDe]).toEqual([queda, comisionDe]);
});

test('a mark-up of a half is no margin of a half', () => {
  const said = precioOfVenta(ofrecido('100'), { ganancia: GANANCIA, envio: null });
  if (said.clase !== 'precio') throw new Error(said.porque);
  const { margen } = margenNeto(said.precio, { costo: said.costo, envio: said.envio, tarifa: TARIFA });
  expect(margen.compare(m('0.16'))).toBe(-1);
});

test('the nearest estimate within a tenth of a price answers for it in proportion, and never for a category that is known', () => {
  const de = (precio: string, comision: string) => ({
    market: 'amz' as const,
    precio: m(precio),
    comision: m(comision),
  });
  const estimadas = [de('1000', '174'), de('1150', '150'), de('2000', '0.01')];
  const comisionEn = (precio: string, more: Partial<Tarifa> = {}) => {
    const said = margenNeto(m(precio), { costo: m('1'), envio: null, tarifa: { ...TARIFA, ...more }, estimadas });
    return [said.comision.toFixed(2), said.comisionDe];
  };
  expect(comisionEn('1000')).toEqual(['174.00', 'estimada']);
  expect(comisionEn('900')).toEqual(['156.60', 'estimada']);
  expect(comisionEn('899.99')[1]).toBe(TARIFA.comisionDe);
  expect(comisionEn('1060')).toEqual(['184.44', 'estimada']);
  expect(comisionEn('1090'), 'the other one is nearer').toEqual(['142.17', 'estimada']);
  expect(comisionEn('1800'), 'an estimate of next to nothing is one too').toEqual(['0.01', 'estimada']);
  expect(comisionEn('1000', { comisionDe: 'categoria' })[1]).toBe('categoria');
});
