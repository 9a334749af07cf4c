import { diasOfPeriodo, writeDias, isSiempre, periodoOf, TODAS, type Periodo } from './periodo';
import { isDia, isStorable, withoutUnstorable } from './text';
import type { Vista } from './vistas';
import { daysBetween, isCivilMinute, monthOf } from './time';

/**
 * Rows in a window of a list.
 * All state of a list is in the URL. `q` is the search, `desde` and `hasta` the range in civil days, `orden` the sort
 * ('columna' or '-columna'), `pagina` the page without JavaScript, `ver` the open row.
 */
export const WINDOW = 50;

/**
 * Filter of a list as read from a URL. Anybody may have typed the URL: a value that does not fit falls back to its
 * default, so a bad query string is no error.
 */
export type ListFilter = { q: string; orden: string };
/** A range of civil days ('YYYY-MM-DD') or minutes ('YYYY-MM-DDTHH:mm'), both ends included. */
export type Rango = { desde: string; hasta: string };

/** Returns whether the filter has a range of dates. */
export function hasRango<F extends ListFilter>(filtro: F): filtro is F & Rango {
  return 'desde' in filtro && 'hasta' in filtro;
}

export type Direction = 'asc' | 'desc';

/** Returns the column and the direction of a sort: '-fecha' is `fecha`, descending. */
export function readOrden(orden: string): { key: string; direction: Direction } {
  return orden.startsWith('-') ? { key: orden.slice(1), direction: 'desc' } : { key: orden, direction: 'asc' };
}

/** Most characters of a search. */
export const MAX_Q = 100;

/** Returns the search of an address, trimmed, cut at `MAX_Q` and without characters that the database cannot hold. */
export function readQ(text: string): string {
  return [...withoutUnstorable(text).trim()].slice(0, MAX_Q).join('').trim();
}

/**
 * Returns a sentence for the page when the search differs from the search in the address; null when both are the same.
 */
export function qProblem(search: URLSearchParams): string | null {
  const q = search.get('q') ?? '';
  if (!isStorable(q)) return 'La búsqueda tiene caracteres que ningún dato puede tener. Se buscó sin ellos.';
  if ([...q.trim()].length <= MAX_Q) return null;
  return `La búsqueda admite hasta ${MAX_Q} caracteres. Se buscaron los primeros ${MAX_Q}.`;
}

/** Most days of a range, both ends counted. */
export const MAX_RANGO_DIAS = 400;

/**
 * Returns whether the text is a minute of this century. In a range with hours, a day alone stands for the whole day.
 */
export const isMinute = (text: string) => isCivilMinute(text) && isDia(text.slice(0, 10));
/** Returns the civil days between the ends of a range, with or without hours. */
export const diasOf = ({ desde, hasta }: Rango) => daysBetween(desde.slice(0, 10), hasta.slice(0, 10));
const isRango = (rango: Rango) => rango.desde <= rango.hasta && diasOf(rango) < MAX_RANGO_DIAS;
/** Returns whether the range begins and ends with whole days, so that the days alone describe the range. */
const deDiasEnteros = ({ desde, hasta }: Rango) => !/T(?!00:00$)/.test(desde) && !/T(?!23:59$)/.test(hasta);

/** Returns the range as a part of a file's name. */
export function nombreOfRango(rango: Rango): string {
  if (isTodasLasFechas(rango)) return 'todas las fechas';
  const [desde, hasta] = [rango.desde, rango.hasta].map((end) =>
    deDiasEnteros(rango) ? end.slice(0, 10) : end.replace('T', ' ').replace(':', ''),
  );
  return `${desde} a ${hasta}`;
}

/** Returns the first and the last day of the current month in the business zone. */
export function currentMonth(now = new Date()): Rango {
  const { first, last } = monthOf(now);
  return { desde: first, hasta: last };
}

/** Returns the current month from its first minute to its last. */
export function currentMonthByMinute(now = new Date()): Rango {
  return conHoras(currentMonth(now));
}

/** Returns the range in days when the range consists of whole days, else unchanged. */
const enDias = (rango: Rango): Rango =>
  deDiasEnteros(rango) ? { desde: rango.desde.slice(0, 10), hasta: rango.hasta.slice(0, 10) } : rango;
const conHoras = ({ desde, hasta }: Rango): Rango => ({ desde: `${desde}T00:00`, hasta: `${hasta}T23:59` });

/** Returns the range of all dates, in days or in minutes as the given range is. */
export function allDatesAs(rango: Rango): Rango {
  const siempre = diasOfPeriodo(TODAS);
  return isMinute(rango.desde) ? conHoras(siempre) : siempre;
}
/** Returns whether the range covers all dates. */
export const isTodasLasFechas = (rango: Rango) => isSiempre(enDias(rango));

/** Returns the range as people read ranges: '01/11/2026 al 30/11/2026'. */
export const writeRango = (rango: Rango) => writeDias(enDias(rango));

/**
 * Returns the range that an address asks for, by days or by the name of a period. Days outrank a name. A missing end
 * comes from the default. A range that ends before its start, or is too long, gives the default. All dates are allowed
 * only together with a search. `rango` is the name of the result, if the result has a name.
 */
export function readRango(
  asked: { desde?: string | undefined; hasta?: string | undefined; rango?: Periodo | undefined; q?: string },
  byDefault: Rango = currentMonth(),
): Rango & { rango?: Periodo | undefined } {
  const whole = isMinute(byDefault.desde) ? conHoras : (dias: Rango) => dias;
  const named = asked.rango && !asked.desde && !asked.hasta ? whole(diasOfPeriodo(asked.rango)) : byDefault;
  const rango = { desde: asked.desde ?? named.desde, hasta: asked.hasta ?? named.hasta };
  const fits = isRango(rango) || (isTodasLasFechas(rango) && Boolean(asked.q));
  const used = fits ? rango : byDefault;
  return { ...used, rango: periodoOf(enDias(used)) };
}

/**
 * Returns a sentence for the page when the range differs from the range in the address; null when both are the same.
 */
export function rangoProblem(search: URLSearchParams, used: Rango): string | null {
  if (isTodasLasFechas(used)) return null;
  const byMinute = isMinute(used.desde);
  const read = (end: keyof Rango) => {
    const asked = search.get(end) || used[end];
    return byMinute ? minuteOf(asked, end) : isDia(asked) ? asked : undefined;
  };
  const [desde, hasta] = [read('desde'), read('hasta')];
  const instead = 'Se muestra el periodo predeterminado.';
  if (desde === undefined || hasta === undefined) return `Las fechas del rango no son válidas. ${instead}`;
  if (desde > hasta) return `La fecha inicial del rango es posterior a la final. ${instead}`;
  return isRango({ desde, hasta }) ? null : `El rango de fechas no puede pasar de ${MAX_RANGO_DIAS} días. ${instead}`;
}

/**
 * Reads an end of a range with its hour from an address. A day alone is whole, and seconds are cut. Undefined when the
 * text is neither.
 */
export function minuteOf(text: string, end: keyof Rango): string | undefined {
  const minute = isDia(text)
    ? `${text}T${end === 'desde' ? '00:00' : '23:59'}`
    : text.replace(/^(.{16}):\d{2}(\.\d+)?$/, '$1');
  return isMinute(minute) ? minute : undefined;
}

/** Returns the words of a search, six at most. A row has to contain every word. */
export function searchWords(q: string): string[] {
  return q
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 6);
}

/** A row as the browser gets rows: instants as ISO text, money as decimal text. */
export type Wire<T> = T extends Date | { toJSON(): string }
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

/** Returns the value as JSON carries the value to the browser. */
export function toWire<T>(value: T): Wire<T> {
  return JSON.parse(JSON.stringify(value)) as Wire<T>;
}

/** A window of a list; `indice` counts windows from 0. */
export type ListWindow<Row> = { indice: number; filas: Row[] };
/** Totals of a list, when the table asks for totals after the first window. */
export type ListTotals<Totales> = { totales: Totales };

/** Most rows counted for a search over all dates. */
export const MUCHOS = 1_000;
/** Rows that a search finds over all dates, up to `MUCHOS`. */
export type ListEnTodas = { enTodas: number };

/** A filter shown above a list; `quita` names the fields of the address to remove with the filter. */
export type Chip = { texto: string; quita: string[] };

/** Most rows of a printed list (`?imprimir=1`). A longer list is printed without rows. */
export const MAX_IMPRESAS = 2_000;
/** Rows of a printed list, null when there are too many, and the moment of printing as text. */
export type Impresion<Row> = { filas: Row[] | null; cuando: string };

/** Count of rows that are newer than the opened list, and a fresh copy of a window. */
export type ListNews<Row> = { nuevas: number; ventana: ListWindow<Row> };

/** Answer of a list's loader, shown by `DataTable`. */
/** The whole of a list, by the gender of the noun of its rows. */
export type Todas = 'Todas' | 'Todos';

export type ListPage<F extends ListFilter, Row, Totales extends { registros: number }> = {
  lista: string;
  filtro: F;
  /** The window that came with the page: the first, or the one `pagina` asked for. */
  ventana: ListWindow<Row>;
  /** Null while they are still to be counted: the table asks for them once it shows its first window. */
  totales: Totales | null;
  /** The instant this list was opened, as a uuidv7: rows born later do not shift the windows read after it. */
  corte: string;
  exportaciones: ExportView[];
  /** Columns as the person placed columns (`core/columnas`); null for the order of the list. */
  columnas: string | null;
  /** Views of the product, the same for everybody. */
  fijas: Vista[];
  /** The name of the list without a view, as the noun of its rows asks. */
  todas: Todas;
  /** Saved views that the person may see. */
  vistas: Vista[];
  /** Fields of the address that belong to this list. */
  campos: string[];
  /** Sentence for a page that shows something else than its address asks for; such a page is answered with 422. */
  aviso: string | null;
  /** All rows, when the address asks for a printed list. */
  impresion: Impresion<Row> | null;
  /** Scope of the search in words; null without a search. */
  alcance: string | null;
  /**
   * Rows that the search finds over all dates, when the range is shorter. Null when the count does not matter; 'aparte'
   * when the page asks for the count later.
   */
  enTodas: number | 'aparte' | null;
  /** Filters beyond the fields that the list itself shows. */
  chips: Chip[];
};

export type ExportState = 'queued' | 'running' | 'done' | 'failed';
/** An export of a list to Excel, as its list shows the progress. `total` is null until the rows are counted. */
export type ExportView = {
  id: string;
  lista: string;
  titulo: string;
  estado: ExportState;
  escritos: number;
  total: number | null;
};

/** Returns the query string with some fields changed; null removes a field. */
export function withParams(search: string, changes: Record<string, string | null>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '?' : `?${text}`;
}

/**
 * Returns a function that adds a field to the query string. The query string is read once, however many rows call the
 * function.
 */
export function withParamOf(search: string, changes: Record<string, null>): (name: string, value: string) => string {
  const rest = withParams(search, changes);
  const start = rest === '?' ? rest : `${rest}&`;
  return (name, value) => `${start}${name}=${encodeURIComponent(value)}`;
}

/**
 * Returns the query string of a whole filter, defaults included. The query gives the same rows in the next month, when
 * 'the current month' is another month.
 */
export function searchOf(filtro: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filtro))
    if (value !== '' && value !== null && value !== undefined) params.set(name, String(value));
  return params.toString();
}
