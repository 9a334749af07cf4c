import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { CifrasDelDia } from '~/domain/cierre/reportes/cifrasDelDia.server';
import { cifrasDichas } from '~/routes/inicio/hoy/cifrasDichas';

type Cifras = CifrasDelDia['hoy'];
type Hora = CifrasDelDia['porHora']['hoy'][number];

const cifras = (sketch: Partial<Cifras>): Cifras => ({
  ventas: 4,
  vendido: Money.of('400.00'),
  utilidad: null,
  estimadas: 0,
  sinSaber: 0,
  facturas: 0,
  canceladas: 0,
  ...sketch,
});
const hora = (utilidad: string | null, estimada = false): Hora => ({ ordenes: 1, utilidad, estimada });
const utilidadDe = (hoy: Partial<Cifras>, antes: Partial<Cifras> = {}) =>
  cifrasDichas({
    hoy: cifras(hoy),
    antes: cifras(antes),
    diaDeAntes: '2026-11-23',
    porHora: { hoy: [], antes: [] },
  }).cifras.find(({ nombre }) => nombre === 'Utilidad');

test.each<[Partial<Cifras>, string, string]>([
  [{ utilidad: Money.of('120.00') }, '$120.00', ''],
  [{ utilidad: Money.of('120.00'), estimadas: 1 }, '≈ $120.00', ''],
  [{ utilidad: Money.of('120.00'), sinSaber: 1 }, '$120.00', ' de 3 de 4 ventas'],
  [{ sinSaber: 4 }, '—', ' todavía no se sabe'],
  [{ ventas: 0 }, '—', ''],
])('the profit of %o is said as %s%s', (hoy, texto, nota) => {
  expect(utilidadDe(hoy)).toMatchObject({ hoy: texto, nota });
});

test('a change is told against what was earned or lost before, and against nothing that is unknown', () => {
  const antes = (sketch: Partial<Cifras>) => utilidadDe({ utilidad: Money.of('50.00') }, sketch)!.antes;
  expect(antes({ utilidad: Money.of('100.00') })).toBe('$100.00 (-50 %)');
  expect(antes({ utilidad: Money.of('-100.00') })).toMatch(/\(\+150 %\)$/);
  expect(antes({ sinSaber: 4 })).toBe('— todavía no se sabe');
});

test('a loss hangs below the line, an unknown hour has words and no bar, and nothing known has no drawing', () => {
  const de = (hoy: Hora[], antes: Hora[]) =>
    cifrasDichas({ hoy: cifras({}), antes: cifras({}), diaDeAntes: '2026-11-23', porHora: { hoy, antes } }).dibujos;
  const utilidad = de([hora('100.00', true), hora(null)], [hora('-100.00')]).at(-1)!;
  expect(utilidad).toMatchObject({
    nombre: 'Utilidad',
    hoy: 'M2 32v-32h5v32z',
    antes: 'M0 32v32h9v-32z',
    cero: 'M0 32h240',
  });
  expect(utilidad.dicho).toContain('Hoy: a las 0, ≈ $100.00; a las 1, —. El 23/11: a las 0, ');
  expect(de([hora(null)], [hora(null)]).map(({ nombre }) => nombre)).toEqual(['Ordenes']);
});
