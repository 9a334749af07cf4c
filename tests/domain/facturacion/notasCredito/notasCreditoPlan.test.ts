import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import {
  parteDevueltaOf,
  parteOf,
  type Acreditable,
  type FacturaDeNota,
} from '~/domain/facturacion/notasCredito/notasCreditoPlan';
import { porTasa, type PagoPorTasa } from '~/domain/facturacion/cfdi/importes';

/** A cart in a global, as the month's button wrote it: an orden per entry, with what of it was at 8 % and at 0 %. */
function cart(ordenes: { pagado: string; al8?: string; al0?: string }[]) {
  const repartos = ordenes.map(({ pagado, al8, al0 }, at) => ({
    ordenId: `o${at}`,
    numOrden: 'N',
    pagado: Money.of(pagado),
    otras: [...(al0 ? [{ tasa: '0.000000', importe: al0 }] : []), ...(al8 ? [{ tasa: '0.080000', importe: al8 }] : [])],
  })) satisfies (PagoPorTasa & { ordenId: string; numOrden: string })[];
  const conceptos = porTasa(repartos).map(({ tasaIva, importe }) => ({
    ordenId: 'o0',
    numOrden: 'N',
    tasaIva,
    total: importe,
  }));
  const total = Money.sum(repartos.map(({ pagado }) => pagado));
  const factura: FacturaDeNota = {
    id: 'f',
    tipo: 'global',
    total,
    acreditado: Money.zero,
    notas: [],
    enCamino: false,
    pendientes: [],
    conceptos,
    repartos,
  };
  const back = (...at: number[]): Acreditable[] =>
    at.map((n) => ({
      ordenId: `o${n}`,
      facturaId: 'f',
      market: 'ml',
      numOrden: 'N',
      pagado: repartos[n]!.pagado,
      importe: repartos[n]!.pagado,
      partes: [],
      enCamino: false,
    }));
  return { factura, back };
}

const VECTORS: [name: string, ordenes: Parameters<typeof cart>[0], back: number[], lineas: [string, string][]][] = [
  ['the part at 8 % alone', [{ pagado: '108.00', al8: '108.00' }, { pagado: '116.00' }], [0], [['0.080000', '108.00']]],
  [
    'the part at 16 % alone',
    [{ pagado: '108.00', al8: '108.00' }, { pagado: '116.00' }],
    [1],
    [['0.160000', '116.00']],
  ],
  [
    'its shipping comes back at the general rate',
    [{ pagado: '166.00', al8: '108.00' }, { pagado: '116.00' }],
    [0],
    [
      ['0.080000', '108.00'],
      ['0.160000', '58.00'],
    ],
  ],
  [
    'three rates, two of three ordenes',
    [
      { pagado: '33.33', al0: '33.33' },
      { pagado: '10.01', al8: '10.01' },
      { pagado: '99.99', al8: '50.00' },
    ],
    [0, 2],
    [
      ['0.000000', '33.33'],
      ['0.080000', '50.00'],
      ['0.160000', '49.99'],
    ],
  ],
  [
    'a discount below the price of what was at 8 %',
    [{ pagado: '90.00', al8: '108.00' }, { pagado: '116.00' }],
    [0],
    [['0.080000', '90.00']],
  ],
  [
    'all of it',
    [{ pagado: '108.00', al8: '108.00' }, { pagado: '116.00' }],
    [0, 1],
    [
      ['0.080000', '108.00'],
      ['0.160000', '116.00'],
    ],
  ],
];

test.each(VECTORS)('a cart of several rates: %s', (_name, ordenes, at, lineas) => {
  const { factura, back } = cart(ordenes);
  const parte = parteOf(factura, back(...at));
  if (typeof parte === 'string') throw new Error(parte);
  expect(parte.lineas.map(({ tasaIva, importe }) => [tasaIva, importe.toFixed(2)]).toSorted()).toEqual(
    lineas.toSorted(),
  );
  expect(Money.sum(parte.importes).equals(Money.sum(parte.lineas.map(({ importe }) => importe)))).toBe(true);
});

test('credited part by part, a cart gives back exactly what each rate charged', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const cents = (n: number) => ((((seed * 7919 + n * 104_729) % 50_000) + 1) / 100).toFixed(2);
    const { factura, back } = cart([
      { pagado: cents(1), al8: cents(2) },
      { pagado: cents(3), al0: cents(4) },
      { pagado: cents(5) },
    ]);
    const credited = [0, 1, 2].flatMap((n) => {
      const parte = parteOf(factura, back(n));
      return typeof parte === 'string' ? [] : parte.lineas;
    });
    for (const { tasaIva, total } of factura.conceptos) {
      expect(
        Money.sum(credited.filter((line) => line.tasaIva === tasaIva).map(({ importe }) => importe)).equals(total),
      ).toBe(true);
    }
  }
});

test('what no longer explains the stamped amounts is left out, and nothing is credited twice over', () => {
  const { factura, back } = cart([{ pagado: '108.00', al8: '108.00' }, { pagado: '116.00' }]);
  expect(parteOf({ ...factura, repartos: factura.repartos.map((one) => ({ ...one, otras: [] })) }, back(0))).toBe(
    'sinReparto',
  );
  expect(parteOf({ ...factura, repartos: [] }, back(0))).toBe('sinReparto');
  expect(parteOf({ ...factura, acreditado: factura.total }, back(0))).toBe('sinSaldo');
  const parte = parteOf({ ...factura, acreditado: Money.of('200.00') }, back(0));
  expect(typeof parte === 'string' ? parte : Money.sum(parte.importes).toFixed(2)).toBe('24.00');
});

test('what a note takes back is told of each orden as its factura charged for it, whatever was paid', () => {
  const orden = (ordenId: string, pagado: string, importe: string | null): Acreditable => ({
    ordenId,
    facturaId: 'f',
    market: 'ml',
    numOrden: 'N',
    pagado: Money.of(pagado),
    importe: importe === null ? null : Money.of(importe),
    partes: [],
    enCamino: false,
  });
  const factura: FacturaDeNota = {
    id: 'f',
    tipo: 'individual',
    total: Money.of('400.09'),
    acreditado: Money.zero,
    notas: [],
    enCamino: false,
    pendientes: ['a', 'b'],
    conceptos: [
      { ordenId: 'a', numOrden: null, tasaIva: '0.160000', total: Money.of('149.99') },
      { ordenId: 'b', numOrden: null, tasaIva: '0.160000', total: Money.of('250.10') },
    ],
    repartos: [],
  };
  const importes = (...ordenes: Acreditable[]) => {
    const parte = parteOf(factura, ordenes);
    return typeof parte === 'string' ? parte : parte.importes.map((importe) => importe.toFixed(2));
  };
  expect(importes(orden('a', '100.00', '149.99'), orden('b', '900.00', '250.10'))).toEqual(['149.99', '250.10']);
  expect(importes(orden('a', '100.00', null), orden('b', '300.00', null))).toEqual(['100.02', '300.07']);
});

describe('of a part of the money', () => {
  const GENERAL = '0.160000';
  const orden = (
    ordenId: string,
    { importe, pagado, antes = [] }: { importe: string; pagado: string; antes?: [string, string][] },
  ): Acreditable => ({
    ordenId,
    facturaId: 'f',
    market: 'ml',
    numOrden: 'N',
    pagado: Money.of(pagado),
    importe: Money.of(importe),
    partes: antes.map(([tasa, importe]) => ({ tasa, importe })),
    enCamino: false,
  });
  const factura = (conceptos: [string, string, string][], sketch: Partial<FacturaDeNota> = {}): FacturaDeNota => ({
    id: 'f',
    tipo: 'individual',
    total: Money.sum(conceptos.map(([, , total]) => Money.of(total))),
    acreditado: Money.zero,
    notas: [],
    enCamino: false,
    pendientes: [...new Set(conceptos.map(([ordenId]) => ordenId))],
    conceptos: conceptos.map(([ordenId, tasaIva, total]) => ({
      ordenId,
      numOrden: 'N',
      tasaIva,
      total: Money.of(total),
    })),
    repartos: [],
    ...sketch,
  });
  const told = (parte: ReturnType<typeof parteOf>) =>
    typeof parte === 'string' ? parte : parte.lineas.map(({ tasaIva, importe }) => [tasaIva, importe.toFixed(2)]);

  test('the note is of what the factura charges beyond what stayed paid', () => {
    const una = factura([['a', GENERAL, '116.00']]);
    expect(told(parteDevueltaOf(una, orden('a', { importe: '116.00', pagado: '100.01' })))).toEqual([
      [GENERAL, '15.99'],
    ]);
    // A second refund has a note of what the first one left.
    const otra = orden('a', { importe: '116.00', pagado: '90.00', antes: [[GENERAL, '15.99']] });
    expect(told(parteDevueltaOf({ ...una, acreditado: Money.of('15.99') }, otra))).toEqual([[GENERAL, '10.01']]);
    expect(parteDevueltaOf(una, orden('a', { importe: '116.00', pagado: '116.00' }))).toBe('sinSaldo');
  });

  test('lines of several rates, or a note on its way, get none', () => {
    const mixta = factura([
      ['a', GENERAL, '116.00'],
      ['a', '0.000000', '50.00'],
    ]);
    const devuelta = orden('a', { importe: '166.00', pagado: '150.00' });
    expect(parteDevueltaOf(mixta, devuelta)).toBe('variasTasas');
    const una = factura([['a', GENERAL, '166.00']]);
    expect(parteDevueltaOf(una, { ...devuelta, enCamino: true })).toBe('enCamino');
    expect(parteDevueltaOf({ ...una, enCamino: true }, devuelta)).toBe('enCamino');
    expect(parteDevueltaOf({ ...una, conceptos: [] }, devuelta)).toBe('sinRenglones');
  });

  test('when the rest comes back, its note is of the rest at its rate', () => {
    const toda = orden('a', { importe: '116.00', pagado: '0.00', antes: [[GENERAL, '15.99']] });
    const una = factura([['a', GENERAL, '116.00']], {
      acreditado: Money.of('15.99'),
      notas: [{ tasaIva: GENERAL, importe: Money.of('15.99') }],
    });
    expect(told(parteOf(una, [toda]))).toEqual([[GENERAL, '100.01']]);
    const global = factura(
      [
        ['a', GENERAL, '116.00'],
        ['b', GENERAL, '900.00'],
      ].map(([ordenId, tasa, total]) => [ordenId!, tasa!, total!]),
      { tipo: 'global', acreditado: Money.of('15.99'), pendientes: [] },
    );
    const suya = { ...global, conceptos: global.conceptos.map((one, at) => ({ ...one, numOrden: `N${at}` })) };
    expect(told(parteOf(suya, [{ ...toda, numOrden: 'N0' }]))).toEqual([[GENERAL, '100.01']]);
  });

  test('the last orden of a cart takes back its own rate, whatever came back before', () => {
    const carrito = factura(
      [
        ['a', GENERAL, '300.00'],
        ['b', '0.080000', '108.00'],
      ],
      {
        acreditado: Money.of('108.00'),
        notas: [{ tasaIva: '0.080000', importe: Money.of('108.00') }],
        pendientes: ['a'],
      },
    );
    expect(told(parteOf(carrito, [orden('a', { importe: '300.00', pagado: '0.00' })]))).toEqual([[GENERAL, '300.00']]);
  });
});
