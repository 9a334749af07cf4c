import { diasOfPeriodo, writeDias, isSiempre, periodoOf, TODAS, type Periodo } from './periodo';
import { isDia, isStorable, withoutUnstorable } from './text';
import type { Vista } from './vistas';
import { daysBetween, isCivilMinute, monthOf } from './time';

/**
 * What every list shares between its URL, its queries and its table. All state is in the URL. `q` is the search,
 * `desde` and `hasta` the range in civil days, `orden` the sort ('columna' or '-columna'), `pagina` the page without
 * JavaScript, `ver` the open row.
 */
export const WINDOW = 50;

/** Read from a URL that anyone may have typed: whatever does not fit falls back to its default, so a bad query string is no error. */
export type ListFilter = { q: string; orden: string };
export type Rango = { desde: string; hasta: string };

/** Whether a list has dates to choose from. */
export function hasRango<F extends ListFilter>(filtro: F): filtro is F & Rango {
  return 'desde' in filtro && 'hasta' in filtro;
}

export type Direction = 'asc' | 'desc';

export function readOrden(orden: string): { key: string; direction: Direction } {
  return orden.startsWith('-') ? { key: orden.slice(1), direction: 'desc' } : { key: orden, direction: 'asc' };
}

/** What a search may be as long as. */
export const MAX_Q = 100;

/** The search an address asks for, in what a search can hold. */
export function readQ(text: string): string {
  return [...withoutUnstorable(text).trim()].slice(0, MAX_Q).join('').trim();
}

/** Why the search that an address asks for was not the one made, in a sentence for the page; null when it was. */
export function qProblem(search: URLSearchParams): string | null {
  const q = search.get('q') ?? '';
  if (!isStorable(q)) return 'La búsqueda tiene caracteres que ningún dato puede tener. Se buscó sin ellos.';
  if ([...q.trim()].length <= MAX_Q) return null;
  return `La búsqueda admite hasta ${MAX_Q} caracteres. Se buscaron los primeros ${MAX_Q}.`;
}

/** The longest range a list is asked for, both ends counted. */
export const MAX_RANGO_DIAS = 400;

/** A day with its hour: where a range has hours, a day alone stands for all of it. */
export const isMinute = (text: string) => isCivilMinute(text) && isDia(text.slice(0, 10));
/** Civil days between the ends of a range, whether they have hours or not. */
export const diasOf = ({ desde, hasta }: Rango) => daysBetween(desde.slice(0, 10), hasta.slice(0, 10));
const isRango = (rango: Rango) => rango.desde <= rango.hasta && diasOf(rango) < MAX_RANGO_DIAS;
/** Whether both ends are the first and the last minute of a day, so that the days alone say it. */
const deDiasEnteros = ({ desde, hasta }: Rango) => !/T(?!00:00$)/.test(desde) && !/T(?!23:59$)/.test(hasta);

/** A range as a file's name may hold it. */
export function nombreOfRango(rango: Rango): string {
  if (isTodasLasFechas(rango)) return 'todas las fechas';
  const [desde, hasta] = [rango.desde, rango.hasta].map((end) =>
    deDiasEnteros(rango) ? end.slice(0, 10) : end.replace('T', ' ').replace(':', ''),
  );
  return `${desde} a ${hasta}`;
}

/** First to last day of the current month in the business zone. */
export function currentMonth(now = new Date()): Rango {
  const { first, last } = monthOf(now);
  return { desde: first, hasta: last };
}

/** The current month from its first minute to its last. */
export function currentMonthByMinute(now = new Date()): Rango {
  return conHoras(currentMonth(now));
}

/** The same range as days where it is made of whole ones. */
const enDias = (rango: Rango): Rango =>
  deDiasEnteros(rango) ? { desde: rango.desde.slice(0, 10), hasta: rango.hasta.slice(0, 10) } : rango;
const conHoras = ({ desde, hasta }: Rango): Rango => ({ desde: `${desde}T00:00`, hasta: `${hasta}T23:59` });

/** All of time, in the terms of this range: days, or minutes. */
export function siempreComo(rango: Rango): Rango {
  const siempre = diasOfPeriodo(TODAS);
  return isMinute(rango.desde) ? conHoras(siempre) : siempre;
}
export const isTodasLasFechas = (rango: Rango) => isSiempre(enDias(rango));

/** A range as people read it: '01/11/2026 al 30/11/2026'. */
export const writeRango = (rango: Rango) => writeDias(enDias(rango));

/**
 * The range that an address asks for, by its days or by the name of a period; days outrank a name. One missing end takes the default's. What is no range (it
 * ends before it begins, or is too long) leaves the default standing. All of time is a range for who looks for something, and comes back with its name as any
 * that has one.
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

/** A sentence for the page: why it does not use the range that its address asks for. Null when it does. */
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

/** An end of a range with its hour, as an address has it: with seconds, or a day alone, which is whole. Undefined when it is neither. */
export function minuteOf(text: string, end: keyof Rango): string | undefined {
  const minute = isDia(text)
    ? `${text}T${end === 'desde' ? '00:00' : '23:59'}`
    : text.replace(/^(.{16}):\d{2}(\.\d+)?$/, '$1');
  return isMinute(minute) ? minute : undefined;
}

/** The words of a search, each of which a row must contain. */
export function searchWords(q: string): string[] {
  return q
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 6);
}

/** A row as it reaches the browser: instants as ISO text, money as decimal text. */
export type Wire<T> = T extends Date | { toJSON(): string }
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

export function toWire<T>(value: T): Wire<T> {
  return JSON.parse(JSON.stringify(value)) as Wire<T>;
}

export type ListWindow<Row> = { indice: number; filas: Row[] };
/** What the table asks for beside its first window, when that did not wait for them. */
export type ListTotals<Totales> = { totales: Totales };

/** The most that are counted of what a search finds over all dates. */
export const MUCHOS = 1_000;
/** How many a search finds over all dates. */
export type ListEnTodas = { enTodas: number };

/** Something that filters a list, and the fields of its address that it goes away with. */
export type Chip = { texto: string; quita: string[] };

/** A list as it is printed, from `?imprimir=1`: whole up to so many rows, and none beyond. */
export const MAX_IMPRESAS = 2_000;
export type Impresion<Row> = { filas: Row[] | null; cuando: string };

/** How many rows were born since a list was opened, and one of its windows as it is now. */
export type ListNews<Row> = { nuevas: number; ventana: ListWindow<Row> };

/** What a list's loader answers and `DataTable` shows. */
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
  /** Order, width and sight of the columns (`core/columnas`); null is how the list has them. */
  columnas: string | null;
  /** The views that everybody finds. */
  fijas: Vista[];
  /** Its saved views, as far as who looks may see them. */
  vistas: Vista[];
  /** What it says of itself in its address: the rest of an address is not of the list. */
  campos: string[];
  /** Why the page shows something else than its address asks for; it is answered with 422. */
  aviso: string | null;
  /** All of its rows, where the address asks for them on paper. */
  impresion: Impresion<Row> | null;
  /** Where it looked, when it looked for something. */
  alcance: string | null;
  /**
   * How many a search finds over all dates, when its range is not all of them; null when it does not matter, 'aparte' when that is asked beside the
   * page.
   */
  enTodas: number | 'aparte' | null;
  /** What filters this list beyond what it shows by itself. */
  chips: Chip[];
};

export type ExportState = 'queued' | 'running' | 'done' | 'failed';
export type ExportView = {
  id: string;
  lista: string;
  titulo: string;
  estado: ExportState;
  escritos: number;
  total: number | null;
};

/** The query string with some of its fields changed; null takes a field away. */
export function withParams(search: string, changes: Record<string, string | null>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '?' : `?${text}`;
}

/** The same for what differs from row to row: the address is read once, and its last field said by each row. */
export function withParamOf(search: string, changes: Record<string, null>): (name: string, value: string) => string {
  const rest = withParams(search, changes);
  const start = rest === '?' ? rest : `${rest}&`;
  return (name, value) => `${start}${name}=${encodeURIComponent(value)}`;
}

/** A filter written out whole, defaults included: the same rows tomorrow, when 'the current month' is another. */
export function searchOf(filtro: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filtro))
    if (value !== '' && value !== null && value !== undefined) params.set(name, String(value));
  return params.toString();
}
