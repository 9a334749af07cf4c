import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';
import type { DB } from '~db/types';
import type { Identificador } from '~/core/identificador';
import type { Chip, ListFilter, Todas } from '~/core/list';
import type { Money } from '~/core/money';
import type { Periodo } from '~/core/periodo';
import type { Vista } from '~/core/vistas';
import type { Campos, Propias } from './lineas.server';

/** A query that has chosen its rows and not yet its columns. */
export type Chosen<TB extends keyof DB> = SelectQueryBuilder<DB, TB, Record<never, never>>;

/** A column of the Excel of a list. */
export type ExcelColumn<Row> = { header: string; ancho?: number } & (
  | { tipo: 'texto'; valor(row: Row): string | null }
  | { tipo: 'fecha' | 'fechaHora'; valor(row: Row): Date | null }
  | { tipo: 'pesos'; valor(row: Row): Money | null }
  | { tipo: 'numero'; valor(row: Row): number | null }
);

/** The question that a list asks, declared once. */
export type Question<F extends ListFilter, TB extends keyof DB, TBR extends keyof DB, Leida, Totales, Row, Lado> = {
  /** Key of the list's screen: a person who may open the screen may read its windows and export it. */
  lista: string;
  titulo: string;
  /** Schema of the query string and of `deRol`, the role of the person who looks, which no address can set. Every field falls back to a default. */
  filtro: z.ZodType<F>;
  /** Tiebreak of every sort: a unique column, `tabla.id`. */
  id: string;
  /** True where ids grow with time (uuidv7): rows born after a list was opened are then kept out of its later windows. */
  idsGrow: boolean;
  /** Sorts that `orden` may name. Both `matches` and `rows` must know the tables of these expressions. */
  sorts: Record<string, RawBuilder<unknown>>;
  /**
   * SQL for the ids of the rows that have an identifier which was typed whole; undefined where the list knows no such kind. These rows are looked for
   * by the identifier alone, whatever their date.
   */
  enteros?: (entero: Identificador) => RawBuilder<unknown> | undefined;
  /**
   * Chooses the rows: conditions only, in terms that an index answers. `enteros` are the ids to choose from, in place of the range and the words of
   * the search.
   */
  matches: (db: Db | Trx, filtro: F, enteros: RawBuilder<unknown> | null) => Chosen<TB>;
  /**
   * For a list without dates: the column that a search looks in, and the words that were meant, or null where a thing was named whole. `matches` puts
   * the same condition on them.
   */
  texto?: { columna: string; palabras: (q: string) => string | null };
  /** Columns and joins of a row: they run for the rows of one window, not for all that match. */
  rows: (db: Db | Trx) => SelectQueryBuilder<DB, TBR, Leida>;
  /** Reads once, before any row, what SQL cannot tell; the returned function completes each row. Absent: rows are shown as they were read. */
  completa?: (db: Db | Trx) => Promise<(leida: Leida) => Row>;
  /**
   * Reads, for a window that somebody looks at, what stands beside the facts of each row, as a picture does: the row's `alLado`. Programs, files and
   * paper get rows without it, and a change of it is no change of a row.
   */
  alLado?: (db: Db, filas: readonly NoInfer<Row>[]) => Promise<Lado[]>;
  /** How SQL writes the JSON of fields that take a program less work than a screen. */
  lineas?: Propias;
  /** Sums over all that match; the number of rows is always counted. */
  totales: (matches: Chosen<TB>) => SelectQueryBuilder<DB, TB, Totales>;
  /**
   * The totals of a list without a search and outside its views, where they are had sooner than row by row: a table keeps the count, or indexes that are not
   * joined. Undefined for a filter of which that is not so. `corte` is the id after which rows are born too late; null for none.
   */
  contadas?: (db: Db, filtro: F, corte: string | null) => Promise<Totales & { registros: number }> | undefined;
  /** The name of the list without a view, as the noun of its rows asks; 'Todas' by default. */
  todas?: Todas;
  /** Views that everybody finds, by the word of their address: the rows of a state, in the list's own range or in a named one. Only rows that an index of their own holds may be of all dates. */
  cuales?: Record<string, { nombre: string; donde: RawBuilder<boolean>; rango?: Periodo }>;
  /** Texts of chips for the list's own filters, by their field. */
  propios?: Record<string, (valor: string) => string>;
  excel: {
    hoja: string;
    /** The last row adds up the columns in pesos. */
    sumas?: boolean;
    columnas: ExcelColumn<NoInfer<Row>>[];
    /** Returns the end of the file's name: the range, or a state. */
    sufijo?: (filtro: F) => string;
  };
};

/** An identifier that was typed whole, and SQL for the ids of the rows that have it. */
export type Found = { entero: Identificador; ids: RawBuilder<unknown> };

/** The place of a window in a list that was opened with so many rows. `corte` is the id after which rows are born too late for it. */
export type WindowAddress = { indice: number; total: number; corte: string | null };

/** An opened list: one window, and the totals unless they would take long. */
export type Opened<Row, Totales> = {
  indice: number;
  filas: Row[];
  corte: string;
  totales: (Totales & { registros: number }) | null;
  entero: Identificador | null;
};

/** The place of a reader in a list: the sort's value of the last row that was read, as PostgreSQL writes it, and the id of that row. */
export type Paso = { marca: string | null; id: string };

/** Rows by their ids, whatever the filter makes of them now; or all that matched when the list was opened. */
export type Elegidas = { ids?: readonly string[] | undefined; corte?: string | undefined };

/** Rows of a list as JSON, in its order. */
export type Lineas<F> = {
  after(db: Db | Trx, filtro: F, paso: Paso | null, limite: number): Promise<{ filas: string[]; sigue: Paso | null }>;
  stream(trx: Trx, filtro: F): AsyncIterable<string>;
};

/** A row as a screen shows it. */
export type ConLado<Row, Lado> = Row & { alLado?: Lado };

/** A list, as screens, exports and programs read it. */
export type List<F extends ListFilter = ListFilter, Row = unknown, Totales = unknown, Lado = unknown> = {
  lista: string;
  titulo: string;
  /** Fields of the list in its address. */
  campos: string[];
  /** Names of its sorts. */
  sorts: string[];
  /** Views that everybody finds. */
  fijas: Vista[];
  /** The name of the list without a view. */
  todas: Todas;
  /** Counts the rows of each of `fijas`, up to one more than `MUCHOS`. */
  countFijas(db: Db, quien: { rol?: Rol }): Promise<Record<string, number>>;
  /** Reads the filter from an address, for a person of this role. */
  parse(search: URLSearchParams, quien?: { rol?: Rol }): F;
  /** Returns the identifier that was typed whole and is looked for in all dates; null when the list looks in its range. */
  entero(db: Db | Trx, filtro: F): Promise<Identificador | null>;
  /** Counts the rows that match, with a new `corte`. */
  totals(db: Db | Trx, filtro: F, corte?: string): Promise<Totales & { registros: number; corte: string }>;
  /** Returns rows of a window with what stands beside them on a screen. */
  conLado(db: Db, filas: Row[]): Promise<ConLado<Row, Lado>[]>;
  /** Reads the rows of a window. */
  window(db: Db | Trx, filtro: F, at: WindowAddress): Promise<Row[]>;
  /** Reads the first window alone. A window that is not full is the whole list, so it comes with its totals. */
  first(db: Db, filtro: F): Promise<Opened<Row, Totales>>;
  /** Reads one window, the first or that of a page, and the totals of all rows. */
  whole(db: Db, filtro: F, pagina: string | null): Promise<Opened<Row, Totales>>;
  /** Counts the rows that match and were born after `corte`; 0 where ids do not tell. */
  born(db: Db, filtro: F, corte: string): Promise<number>;
  /**
   * Reads so many rows after a step, or from the first on, and the step after which there are more. The place is found by the sort's value of the
   * last row, so no count is needed, and rows that come meanwhile shift nothing.
   */
  after(db: Db | Trx, filtro: F, paso: Paso | null, limite: number): Promise<{ filas: Row[]; sigue: Paso | null }>;
  /** Returns the same rows as JSON of these fields, written by PostgreSQL; null where PostgreSQL cannot write them. */
  lineas(db: Db | Trx, campos: Campos): Promise<Lineas<F> | null>;
  /** Reads so many rows from a place on, and counts all: for programs that ask by numbers of pages. */
  page(db: Db, filtro: F, at: { limit: number; offset: number }): Promise<{ filas: Row[]; registros: number }>;
  /** Counts the totals that `first` left out. */
  count(db: Db, filtro: F, corte: string): Promise<Totales & { registros: number }>;
  /** Counts what a search finds over all dates, up to one more than `MUCHOS`; null where the list has no dates or looks in all of them already. */
  inAllDates(db: Db | Trx, filtro: F): Promise<number | null>;
  /** Returns a chip for each filter that differs from `byDefault`, with the range at the end. */
  chips(filtro: F, byDefault: F): Chip[];
  /** Returns the ids of the rows that matched when the list was opened, in its order and so many at most. */
  ids(db: Db | Trx, filtro: F, corte: string | null, most: number): Promise<string[]>;
  /** Yields every row that matches or was chosen, in the list's order, from a cursor. Runs in a transaction, whose snapshot it reads. */
  stream(trx: Trx, filtro: F, elegidas?: Elegidas): AsyncIterable<Row>;
  excel: {
    hoja: string;
    columnas: ExcelColumn<Row>[];
    sumas: boolean | undefined;
    nombre(filtro: F, entero?: Identificador | null): string;
  };
};
