import { describe, expect, test } from 'vitest';
import { currentMonth, MAX_RANGO_DIAS, rangoProblem, readRango } from '~/core/list';
import { addDays } from '~/core/time';

const MES = { desde: '2026-11-01', hasta: '2026-11-30' };
const problem = (query: string) => {
  const search = new URLSearchParams(query);
  const day = (name: string) =>
    /^(19|20)\d\d-\d\d-\d\d$/.test(search.get(name) ?? '') && search.get(name) !== '2026-02-31'
      ? search.get(name)!
      : undefined;
  const used = readRango({ desde: day('desde'), hasta: day('hasta') }, MES);
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
    ] as const) {
      expect(problem(query), query).toEqual({ used: MES, texto: expect.stringContaining(said) });
    }
  });

  test('of exactly the longest is not too long', () => {
    const hasta = addDays('2026-01-01', MAX_RANGO_DIAS - 1);
    expect(readRango({ desde: '2026-01-01', hasta })).toEqual({ desde: '2026-01-01', hasta });
    expect(readRango({ desde: '2026-01-01', hasta: addDays(hasta, 1) })).toEqual(currentMonth());
  });
});
