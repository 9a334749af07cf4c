import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';
import type { DB } from '~db/types';
import type { Identificador } from '~/core/identificador';
import type { Chip, ListFilter } from '~/core/list';
import type { Money } from '~/core/money';
import type { Periodo } from '~/core/periodo';
import type { Vista } from '~/core/vistas';
import type { Campos, Propias } from './lineas.server';

/** A query that has chosen its rows and not yet its columns. */
export type Chosen<TB extends keyof DB> = SelectQueryBuilder<DB, TB, Record<never, never>>;

export type ExcelColumn<Row> = { header: string; ancho?: number } & (
  | { tipo: 'texto'; valor(row: Row): string | null }
  | { tipo: 'fecha' | 'fechaHora'; valor(row: Row): Date | null }
  | { tipo: 'pesos'; valor(row: Row): Money | null }
  | { tipo: 'numero'; valor(row: Row): number | null }
);

/** What a list is, told once. */
export type Question<F extends ListFilter, TB extends keyof DB, TBR extends keyof DB, Leida, Totales, Row> = {
  /** Its screen's key: who may open the screen may read its windows and export it. */
  lista: string;
  titulo: string;
  /**
   * Takes the whole query string and `deRol`, the role of who looks, which no address can set. Every field falls back
   * to a default.
   */
  filtro: z.ZodType<F>;
  /** The tiebreak of every sort: a unique column, `tabla.id`. */
  id: string;
  /** Whether ids grow with time (uuidv7), so that rows born after a list was opened can be kept out of its later windows. */
  idsGrow: boolean;
  /** What `orden` may name. Both `matches` and `rows` must know the tables these expressions speak of. */
  sorts: Record<string, RawBuilder<unknown>>;
  /**
   * The ids of what has an identifier that was typed whole, whatever its date; undefined where a list knows nothing of that kind. What something has
   * is looked for by that alone, and not in the range.
   */
  enteros?: (entero: Identificador) => RawBuilder<unknown> | undefined;
  /** Which rows: conditions only, in terms that an index answers. `enteros` are the ids it may choose from, instead of the range and the words of the search. */
  matches: (db: Db | Trx, filtro: F, enteros: RawBuilder<unknown> | null) => Chosen<TB>;
  /**
   * Where no date bounds what a search walks: the text it looks in, and the words that were meant; null where something was named whole. `matches` then says the
   * same of them.
   */
  texto?: { columna: string; palabras: (q: string) => string | null };
  /** What a row shows: its joins run for the rows of one window, not for all that match. */
  rows: (db: Db | Trx) => SelectQueryBuilder<DB, TBR, Leida>;
  /** What of a row no SQL says: what that follows from is read once, before any row is. Without it rows are shown as they were read. */
  completa?: (db: Db | Trx) => Promise<(leida: Leida) => Row>;
  /** Fields that a program is told with less work than a screen: how SQL writes their JSON. */
  lineas?: Propias;
  /** Sums over all that match; the number of rows is always counted. */
  totales: (matches: Chosen<TB>) => SelectQueryBuilder<DB, TB, Totales>;
  /** The same without a search, where somebody counts along: a list of 150,000 rows is not counted row by row while its page is waited for. */
  contadas?: (db: Db, filtro: F) => Promise<Totales & { registros: number }>;
  /** The views that everybody finds, by the word of their address: rows of a state, in the list's own range or in one of a name. */
  cuales?: Record<string, { nombre: string; donde: RawBuilder<boolean>; rango?: Periodo }>;
  /** The list's own filters, by their field, and what a chip says of one. */
  propios?: Record<string, (valor: string) => string>;
  excel: {
    hoja: string;
    columnas: ExcelColumn<NoInfer<Row>>[];
    /** Ends the file's name: the range, a state. */ sufijo?: (filtro: F) => string;
  };
};

/** An identifier typed whole, and the ids of what has it. */
export type Found = { entero: Identificador; ids: RawBuilder<unknown> };

export type WindowAddress = { indice: number; total: number; corte: string | null };

export type Opened<Row, Totales> = {
  indice: number;
  filas: Row[];
  corte: string;
  totales: (Totales & { registros: number }) | null;
  entero: Identificador | null;
};

/** Where a reader stands in a list: the sort's value of the last row they have, as PostgreSQL writes it, and that row's id. */
export type Paso = { marca: string | null; id: string };

/** Rows by their ids, whatever the filter says of them now; or all that matched when the list was opened. */
export type Elegidas = { ids?: readonly string[] | undefined; corte?: string | undefined };

/** Rows of a list as JSON, in its order. */
export type Lineas<F> = {
  after(db: Db | Trx, filtro: F, paso: Paso | null, limite: number): Promise<{ filas: string[]; sigue: Paso | null }>;
  stream(trx: Trx, filtro: F): AsyncIterable<string>;
};

export type List<F extends ListFilter = ListFilter, Row = unknown, Totales = unknown> = {
  lista: string;
  titulo: string;
  /** What it says of itself in its address. */ campos: string[];
  /** What it can be sorted by. */ sorts: string[];
  /** The views that everybody finds. */ fijas: Vista[];
  /** How many rows each of those shows, counted up to one more than `MUCHOS`. */
  countFijas(db: Db, quien: { rol?: Rol }): Promise<Record<string, number>>;
  parse(search: URLSearchParams, quien?: { rol?: Rol }): F;
  /** What it was asked for by an identifier typed whole, and looks for in all dates; null when it looks in the range. */
  entero(db: Db | Trx, filtro: F): Promise<Identificador | null>;
  totals(db: Db | Trx, filtro: F, corte?: string): Promise<Totales & { registros: number; corte: string }>;
  window(db: Db | Trx, filtro: F, at: WindowAddress): Promise<Row[]>;
  /** The first window alone. One that is not full is the whole list, and quickly added up. */
  first(db: Db, filtro: F): Promise<Opened<Row, Totales>>;
  /** One window, the first or the one of a page, and the totals of all rows. */
  whole(db: Db, filtro: F, pagina: string | null): Promise<Opened<Row, Totales>>;
  /** How many match that were born after it was opened; 0 where ids do not tell. */
  born(db: Db, filtro: F, corte: string): Promise<number>;
  /**
   * So many rows after a step, or from the first on; and the step after which there are more. Unlike windows it finds its place by what the last row was
   * sorted by, so it needs no count, and rows that come meanwhile shift nothing.
   */
  after(db: Db | Trx, filtro: F, paso: Paso | null, limite: number): Promise<{ filas: Row[]; sigue: Paso | null }>;
  /** The same rows as JSON of these fields, written by PostgreSQL; null where it cannot write them. */
  lineas(db: Db | Trx, campos: Campos): Promise<Lineas<F> | null>;
  /** So many rows from a place on, and how many there are: for who asks by numbers of pages. */
  page(db: Db, filtro: F, at: { limit: number; offset: number }): Promise<{ filas: Row[]; registros: number }>;
  /** The totals that `first` left out. */
  count(db: Db, filtro: F, corte: string): Promise<Totales & { registros: number }>;
  /** How many a search finds over all dates, counted up to one more than `MUCHOS`; null where it has no dates or looks in all of them already. */
  inAllDates(db: Db | Trx, filtro: F): Promise<number | null>;
  /** What filters this list beyond what it shows by itself, with its range at the end. */
  chips(filtro: F, byDefault: F): Chip[];
  /** The ids of what matched when the list was opened, in its order and so many at most. */
  ids(db: Db | Trx, filtro: F, corte: string | null, most: number): Promise<string[]>;
  /** Every row in the list's order that matches, or was chosen, in batches of a cursor. Runs in a transaction, whose snapshot it reads. */
  stream(trx: Trx, filtro: F, elegidas?: Elegidas): AsyncIterable<Row>;
  excel: { hoja: string; columnas: ExcelColumn<Row>[]; nombre(filtro: F, entero?: Identificador | null): string };
};
