import { addDays, civilDay, monthOf } from './time';

type Dias = { desde: string; hasta: string };

/** Ranges with a name. An address with a name moves on with time; an address with dates stays. */
export const PERIODOS = {
  hoy: 'Hoy',
  ayer: 'Ayer',
  ultimos7: 'Últimos 7 días',
  esteMes: 'Este mes',
  mesAnterior: 'Mes anterior',
  ultimos91: 'Últimos 91 días',
  esteAnio: 'Este año',
} as const;
/** All dates: allowed for a search, not for a list. */
export const TODAS = 'todas';

export type Periodo = keyof typeof PERIODOS | typeof TODAS;

/** First and last day that forms accept. */
const SIEMPRE: Dias = { desde: '2000-01-01', hasta: '2099-12-31' };

/** Returns whether the text is the name of a period. */
export function isPeriodo(text: string | undefined): text is Periodo {
  return text !== undefined && (text === TODAS || Object.hasOwn(PERIODOS, text));
}

/** Returns the days of a period; today is the day of `now` in the business zone. */
export function diasOfPeriodo(periodo: Periodo, now = new Date()): Dias {
  const hoy = civilDay(now);
  const { first, last } = monthOf(now);
  switch (periodo) {
    case 'hoy':
      return { desde: hoy, hasta: hoy };
    case 'ayer':
      return { desde: addDays(hoy, -1), hasta: addDays(hoy, -1) };
    case 'ultimos7':
      return { desde: addDays(hoy, -6), hasta: hoy };
    case 'esteMes':
      return { desde: first, hasta: last };
    case 'mesAnterior': {
      const hasta = addDays(first, -1);
      return { desde: `${hasta.slice(0, 7)}-01`, hasta };
    }
    case 'ultimos91':
      return { desde: addDays(hoy, -91), hasta: hoy };
    case 'esteAnio':
      return { desde: `${hoy.slice(0, 4)}-01-01`, hasta: `${hoy.slice(0, 4)}-12-31` };
    case TODAS:
      return SIEMPRE;
  }
}

const same = (a: Dias, b: Dias) => a.desde === b.desde && a.hasta === b.hasta;
/** Returns whether the days are all dates. */
export const isSiempre = (dias: Dias) => same(dias, SIEMPRE);

/** Returns the name that these days have today; undefined without a name. */
export function periodoOf(dias: Dias, now = new Date()): Periodo | undefined {
  const named = Object.keys(PERIODOS).filter(isPeriodo);
  return [...named, TODAS as Periodo].find((periodo) => same(diasOfPeriodo(periodo, now), dias));
}

/** Returns the name of a period as people read the name. */
export const nombreOfPeriodo = (periodo: Periodo) => (periodo === TODAS ? 'Todas las fechas' : PERIODOS[periodo]);

/** Returns '01/11/2026 al 30/11/2026'; hours follow their day when the ends have hours. */
export function writeDias({ desde, hasta }: Dias): string {
  const day = (text: string) => text.slice(0, 10).split('-').reverse().join('/');
  const ends = [desde, hasta].map((end) => [day(end), end.slice(11)].filter(Boolean).join(' '));
  return ends[0] === ends[1] ? ends[0]! : ends.join(' al ');
}
