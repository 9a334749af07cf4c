import { describe, expect, test } from 'vitest';
import { currentMonthByMinute, readRango, rangoProblem } from '~/core/list';
import { minutoFields, rangoFields } from '~/core/listFields';
import { diasOfPeriodo, writeDias, isPeriodo, periodoOf, PERIODOS, type Periodo } from '~/core/periodo';

/** Five in the afternoon of the first of March in Mexico; in UTC it is March as well. */
const MARZO = new Date('2026-03-01T23:00:00Z');
const dias = (periodo: Periodo, now = MARZO) => Object.values(diasOfPeriodo(periodo, now));

describe('a period by its name', () => {
  test.each<[Periodo, [string, string]]>([
    ['hoy', ['2026-03-01', '2026-03-01']],
    ['ayer', ['2026-02-28', '2026-02-28']],
    ['ultimos7', ['2026-02-23', '2026-03-01']],
    ['esteMes', ['2026-03-01', '2026-03-31']],
    ['mesAnterior', ['2026-02-01', '2026-02-28']],
    ['ultimos91', ['2025-11-30', '2026-03-01']],
    ['esteAnio', ['2026-01-01', '2026-12-31']],
  ])('%s', (periodo, expected) => expect(dias(periodo)).toEqual(expected));

  test('is of the day in the business zone', () => {
    expect(dias('hoy', new Date('2026-03-01T05:30:00Z'))).toEqual(['2026-02-28', '2026-02-28']);
    expect(dias('mesAnterior', new Date('2026-01-10T12:00:00Z'))).toEqual(['2025-12-01', '2025-12-31']);
  });

  test('is known again by its days, and other days have no name', () => {
    for (const periodo of Object.keys(PERIODOS).filter(isPeriodo))
      expect(periodoOf(diasOfPeriodo(periodo, MARZO), MARZO)).toBe(periodo);
    expect(periodoOf({ desde: '2026-02-03', hasta: '2026-02-04' }, MARZO)).toBeUndefined();
  });
});

describe('a period in an address', () => {
  const rango = (text: string) => rangoFields.rango.parse(text);

  test('stands for its days; days that were typed outrank it; what is none is nothing', () => {
    expect(readRango({ rango: rango('ayer') })).toEqual({ ...diasOfPeriodo('ayer'), rango: 'ayer' });
    expect(readRango({ rango: rango('ayer'), desde: '2024-02-01', hasta: '2024-02-03' })).toEqual({
      desde: '2024-02-01',
      hasta: '2024-02-03',
    });
    expect([rango('toString'), rango('siempre'), rango('')]).toEqual([undefined, undefined, undefined]);
  });

  test('has its hours where a range has hours', () => {
    const asked = { rango: minutoFields.rango.parse('ayer') };
    const { desde } = diasOfPeriodo('ayer');
    expect(readRango(asked, currentMonthByMinute())).toEqual({
      desde: `${desde}T00:00`,
      hasta: `${desde}T23:59`,
      rango: 'ayer',
    });
  });

  test('all of time is a range for who looks for something, and no complaint', () => {
    const used = readRango({ rango: 'todas', q: 'camara' });
    expect(used).toEqual({ desde: '2000-01-01', hasta: '2099-12-31', rango: 'todas' });
    expect(rangoProblem(new URLSearchParams('rango=todas&q=camara'), used)).toBeNull();
    expect(readRango({ rango: 'todas', q: '' }).rango).not.toBe('todas');
    expect(readRango({ desde: '2000-01-01', hasta: '2099-12-30', q: 'camara' }).desde).not.toBe('2000-01-01');
  });
});

test('days are written as people read them, whole or with their hours', () => {
  expect(writeDias({ desde: '2026-11-01', hasta: '2026-11-30' })).toBe('01/11/2026 al 30/11/2026');
  expect(writeDias({ desde: '2026-11-01', hasta: '2026-11-01' })).toBe('01/11/2026');
  expect(writeDias({ desde: '2026-11-01T08:00', hasta: '2026-11-01T09:30' })).toBe(
    '01/11/2026 08:00 al 01/11/2026 09:30',
  );
});
