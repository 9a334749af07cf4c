import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import {
  CfdiAmountsError,
  splitLineas,
  splitResidual,
  verifyCfdiAmounts,
  writtenAmounts,
  type Linea,
  type Split,
} from '~/domain/facturacion/cfdi/importes';
import vectores from './vectores.json';

const linea = (importe: string, cantidad = 1, tasaIva = '0.160000'): Linea => ({
  importe: Money.of(importe),
  cantidad,
  tasaIva,
});

function sums(split: Split) {
  return { subTotal: String(split.subTotal), iva: String(split.iva), total: String(split.total) };
}

function expectBalanced(lineas: Linea[], split: Split) {
  const paid = Money.sum(lineas.map((one) => one.importe));
  if (!split.total.equals(paid) || !split.subTotal.plus(split.iva).equals(paid))
    throw new Error(`${split.subTotal} + ${split.iva} is not ${paid}`);
  const faults = verifyCfdiAmounts(writtenAmounts(split));
  if (faults.length > 0) throw new Error(JSON.stringify({ faults, lineas, split }));
}

describe('worked examples', () => {
  for (const caso of vectores.casos) {
    const lineas = Array.from({ length: caso.repetir ?? 1 }, () =>
      caso.lineas.map(([importe, cantidad]) => linea(String(importe), Number(cantidad))),
    ).flat();
    if (caso.residual) {
      const { residual } = caso;
      test(caso.caso, () => {
        const split = splitResidual(lineas);
        const [concepto] = split.conceptos;
        expect(sums(split)).toEqual({ subTotal: residual.subTotal, iva: residual.ivaTotal, total: residual.total });
        expect([concepto!.valorUnitario.toFixed(6), concepto!.base.toFixed(6), concepto!.iva.toFixed(6)]).toEqual([
          residual.valorUnitario,
          residual.base,
          residual.iva,
        ]);
        expectBalanced(lineas, split);
        const chosen = splitLineas(lineas);
        expect(chosen.repaired).toBe(true);
        expect(sums(chosen)).toEqual(sums(split));
        expectBalanced(lineas, chosen);
      });
      continue;
    }
    test(caso.caso, () => {
      const split = splitLineas(lineas);
      const expected = Array.from({ length: caso.repetir ?? 1 }, () => caso.conceptos!).flat();
      expect(writtenAmounts(split).conceptos).toEqual(
        expected.map((concepto) => ({ ...concepto, tasaIva: '0.160000' })),
      );
      expect(sums(split)).toEqual({ subTotal: caso.subTotal, iva: caso.iva, total: caso.total });
      expect(split.repaired).toBe(false);
      expectBalanced(lineas, split);
    });
  }
});

describe('generated carts', () => {
  const carts = process.env.FAULTS === 'long' ? 100_000 : 20_000;

  test(`${carts} carts of a shop add up to what was paid, to the cent`, () => {
    const random = randomOf(20261120);
    for (let cart = 0; cart < carts; cart++) {
      const lineas = Array.from({ length: 1 + random(5) }, () =>
        linea(pesos(1 + random(random(10) === 0 ? 5_000_000 : 300_000)), 1 + random(random(4) === 0 ? 40 : 3)),
      );
      const split = splitLineas(lineas);
      if (split.repaired) throw new Error(`needed a repair: ${JSON.stringify(lineas)}`);
      if (cart % 4 === 0) expectBalanced(lineas, split);
      else if (!split.subTotal.plus(split.iva).equals(Money.sum(lineas.map((one) => one.importe))))
        throw new Error(JSON.stringify(lineas));
    }
  }, 30_000);

  test('carts with mixed rates add up too, although three roundings may part', () => {
    const random = randomOf(7);
    let repaired = 0;
    for (let cart = 0; cart < 3_000; cart++) {
      const lineas = Array.from({ length: 2 + random(5) }, () =>
        linea(pesos(1 + random(200_000)), 1 + random(9), ['0.160000', '0.080000', '0.000000'][random(3)]!),
      );
      const split = splitLineas(lineas);
      expectBalanced(lineas, split);
      if (split.repaired) repaired += 1;
    }
    expect(repaired).toBeGreaterThan(0);
  });

  test('a month of several rates always closes as a global, each concept within a cent of its sale', () => {
    const random = randomOf(1608);
    const mixes = [
      ['0.160000', '0.080000'],
      ['0.160000', '0.000000'],
      ['0.080000', '0.000000'],
      ['0.160000', '0.080000', '0.000000'],
    ] as const;
    let moved = 0;
    for (let month = 0; month < 6_000; month++) {
      const rates = mixes[month % mixes.length]!;
      const cheap = random(5) === 0;
      const lineas = Array.from({ length: 2 + random(month % 50 === 0 ? 400 : 12) }, (_, at) =>
        linea(
          pesos(1 + random(cheap ? 20 : 500_000)),
          1,
          rates[at === 0 ? rates.length - 1 : random(4) === 0 ? random(rates.length) : 0]!,
        ),
      );
      const split = splitResidual(lineas);
      expectBalanced(lineas, split);
      const off = split.conceptos
        .map(({ base, iva }, at) => base.plus(iva).minus(lineas[at]!.importe).micros)
        .filter((micros) => micros > 3n || micros < -3n);
      if (off.length > 1 || off.some((micros) => micros >= 12_000n || micros <= -12_000n))
        throw new Error(JSON.stringify({ lineas, off: off.map(String) }));
      if (off.length === 1) moved += 1;
    }
    expect(moved).toBeGreaterThan(300);
  }, 60_000);

  test('documents far over 297 units are repaired and stay inside both limits', () => {
    const random = randomOf(99);
    let repaired = 0;
    for (let cart = 0; cart < 1_500; cart++) {
      const lineas = Array.from({ length: 1 + random(3) }, () =>
        linea(pesos(100_000 + random(9_000_000)), 400 + random(9_000)),
      );
      const split = splitLineas(lineas);
      expectBalanced(lineas, split);
      expectBalanced(lineas, splitResidual(lineas));
      if (split.repaired) repaired += 1;
    }
    expect(repaired).toBeGreaterThan(50);
  });

  test('a global of 600 equal tickets closes', () => {
    for (let cents = 9_901; cents < 9_961; cents++) {
      const lineas = Array.from({ length: 600 }, () => linea(pesos(cents)));
      expectBalanced(lineas, splitLineas(lineas));
    }
  });
});

test('a repair keeps Importe = Cantidad × ValorUnitario, so it does not matter who multiplies', () => {
  const [concepto] = splitLineas([linea('71400.00', 5000)]).conceptos;
  expect(concepto!.valorUnitario.times(5000).toFixed(6)).toBe(concepto!.importe.toFixed(6));
});

test('when Σ base ends in exactly half a cent, one micro-peso changes sides', () => {
  const lineas = findHalfCent();
  const split = splitResidual(lineas);
  const bases = split.conceptos.reduce((sum, concepto) => sum + concepto.base.micros, 0n);
  expect([4_999n, 5_001n]).toContain(bases % 10_000n);
  expectBalanced(lineas, split);
});

test('a rate of 8 % or 0 % is grouped on its own', () => {
  const split = splitLineas([linea('108.00', 1, '0.080000'), linea('116.00'), linea('50.00', 1, '0.000000')]);
  expect(writtenAmounts(split).traslados).toEqual([
    { tasaIva: '0.080000', base: '100.00', importe: '8.00' },
    { tasaIva: '0.160000', base: '100.00', importe: '16.00' },
    { tasaIva: '0.000000', base: '50.00', importe: '0.00' },
  ]);
  expect(sums(split)).toEqual({ subTotal: '250.00', iva: '24.00', total: '274.00' });
});

test('what no CFDI can carry is refused by name', () => {
  for (const lineas of [
    [],
    [linea('0.00')],
    [linea('-1.00')],
    [linea('1.001')],
    [linea('1.00', 0)],
    [linea('1.00', 1.5)],
    [linea('1.00', 100_001)],
    [linea('1.00', 1, '0.15')],
    [linea('0.01', 100_000)],
  ])
    expect(() => splitLineas(lineas)).toThrow(CfdiAmountsError);
});

describe('verifyCfdiAmounts', () => {
  const good = writtenAmounts(splitLineas([linea('299.97', 3), linea('100.59', 7)]));
  const codes = (cfdi: typeof good) => verifyCfdiAmounts(cfdi).map((fault) => fault.codigo);
  const withConcepto = (change: Partial<(typeof good.conceptos)[number]>) => ({
    ...good,
    conceptos: [{ ...good.conceptos[0]!, ...change }, good.conceptos[1]!],
  });

  test('names the rule that is broken', () => {
    expect(codes(good)).toEqual([]);
    expect(codes({ ...good, subTotal: '345.32' })).toEqual(['40108', '40119']);
    expect(codes({ ...good, total: '400.57' })).toEqual(['40119']);
    expect(codes({ ...good, subTotal: '345.3100' })).toContain('40107');
    expect(codes({ ...good, traslados: [{ ...good.traslados[0]!, importe: '55.26' }] })).toEqual(['40221', '40205']);
    expect(codes({ ...good, traslados: [...good.traslados, good.traslados[0]!] })).toContain('40218');
    expect(codes({ ...good, traslados: [{ ...good.traslados[0]!, base: '345.32' }] })).toEqual(['40215']);
    expect(codes(withConcepto({ iva: '41.375190' }))).toContain('40180');
    expect(codes(withConcepto({ valorUnitario: '130.198276' }))).toContain('40167');
    expect(codes(withConcepto({ valorUnitario: '0.000000' }))).toContain('40166');
    expect(codes(withConcepto({ tasaIva: '0.150000' }))).toContain('40179');
    expect(codes(withConcepto({ importe: '1e5' }))).toEqual(['301']);
  });
});

const pesos = (cents: number) => Money.ofMicros(BigInt(cents) * 10_000n).toFixed(2);

/** 625 equal tickets whose residual bases add up to exactly half a cent: their base is an odd multiple of 8 micro-pesos. */
function findHalfCent(): Linea[] {
  for (let cents = 1; cents < 10_000; cents++) {
    const lineas = Array.from({ length: 625 }, () => linea(pesos(cents)));
    if ((lineas[0]!.importe.withoutIva().micros * 625n) % 10_000n === 5_000n) return lineas;
  }
  throw new Error('no example found');
}

/** mulberry32: the same carts every time. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}
