import { describe, expect, test } from 'vitest';
import {
  currentMonth,
  currentMonthByMinute,
  MAX_RANGO_DIAS,
  minuteOf,
  nombreOfRango,
  rangoProblem,
  readRango,
} from '~/core/list';
import { rangoFields } from '~/core/listFields';
import { addDays } from '~/core/time';

const MES = { desde: '2026-11-01', hasta: '2026-11-30' };
const problem = (query: string) => {
  const search = new URLSearchParams(query);
  const day = (name: 'desde' | 'hasta') => rangoFields[name].parse(search.get(name) ?? undefined);
  const { desde, hasta } = readRango({ desde: day('desde'), hasta: day('hasta') }, MES);
  const used = { desde, hasta };
  return { used, texto: rangoProblem(search, used) };
};

describe('a range in an address', () => {
  test('that is one is used, and nothing is said', () => {
    for (const query of [
      '',
      'desde=&hasta=',
      'desde=2026-10-01&hasta=2026-10-31',
      'desde=2026-11-05',
      'hasta=2026-11-05',
      'desde=2026-11-05&hasta=2026-11-05',
    ]) {
      expect(problem(query).texto, query).toBeNull();
    }
    expect(problem('desde=2026-10-01&hasta=2026-10-31').used).toEqual({ desde: '2026-10-01', hasta: '2026-10-31' });
  });

  test('that ends before it begins, is too long or is no range at all leaves the default and says why', () => {
    for (const [query, said] of [
      ['desde=2026-10-31&hasta=2026-10-01', 'posterior'],
      ['desde=2026-12-31', 'posterior'],
      [`desde=2026-01-01&hasta=${addDays('2026-01-01', MAX_RANGO_DIAS)}`, '400 días'],
      ['desde=ayer&hasta=2026-10-31', 'no son válidas'],
      ['desde=2026-02-31', 'no son válidas'],
      ['desde=0001-01-01&hasta=9999-12-31', 'no son válidas'],
      ['desde=1999-12-01&hasta=1999-12-31', 'no son válidas'],
      ['desde=2100-01-01&hasta=2100-01-31', 'no son válidas'],
    ] as const) {
      expect(problem(query), query).toEqual({ used: MES, texto: expect.stringContaining(said) });
    }
  });

  test('of exactly the longest is not too long', () => {
    const hasta = addDays('2026-01-01', MAX_RANGO_DIAS - 1);
    expect(readRango({ desde: '2026-01-01', hasta })).toMatchObject({ desde: '2026-01-01', hasta });
    expect(readRango({ desde: '2026-01-01', hasta: addDays(hasta, 1) })).toMatchObject(currentMonth());
  });
});

describe('a range with hours', () => {
  const MINUTOS = { desde: '2026-11-01T00:00', hasta: '2026-11-30T23:59' };
  const problem = (query: string) => {
    const search = new URLSearchParams(query);
    const end = (name: 'desde' | 'hasta') => minuteOf(search.get(name) ?? '', name);
    const { desde, hasta } = readRango({ desde: end('desde'), hasta: end('hasta') }, MINUTOS);
    const used = { desde, hasta };
    return { used, texto: rangoProblem(search, used) };
  };

  test('goes from one minute to another; a day alone is whole, seconds are left out', () => {
    const { desde, hasta } = currentMonthByMinute(new Date('2026-11-15T18:00:00Z'));
    expect({ desde, hasta }).toEqual(MINUTOS);
    expect(problem('desde=2026-10-05T10:30&hasta=2026-10-05T10:30').used).toEqual({
      desde: '2026-10-05T10:30',
      hasta: '2026-10-05T10:30',
    });
    expect(problem('desde=2026-10-05&hasta=2026-10-06T08:00:59').used).toEqual({
      desde: '2026-10-05T00:00',
      hasta: '2026-10-06T08:00',
    });
  });

  test('that is none leaves the default and says why', () => {
    for (const [query, said] of [
      ['desde=2026-10-05T10:30&hasta=2026-10-05T10:29', 'posterior'],
      ['desde=2026-10-05T24:00', 'no son válidas'],
      ['desde=2026-02-30T10:00', 'no son válidas'],
      ['desde=2025-01-01T00:00&hasta=2026-10-05T10:29', '400 días'],
    ] as const)
      expect(problem(query), query).toEqual({ used: MINUTOS, texto: expect.stringContaining(said) });
  });

  test('names a file by its days when they are whole', () => {
    expect(nombreOfRango(MINUTOS)).toBe('2026-11-01 a 2026-11-30');
    expect(nombreOfRango({ desde: '2026-11-01T08:30', hasta: '2026-11-30T23:59' })).toBe(
      '2026-11-01 0830 a 2026-11-30 2359',
    );
  });
});
