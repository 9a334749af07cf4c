import type { ReactNode } from 'react';
import type { ListFilter, ListPage } from '~/core/list';
import type { Tono } from '../Estatus';
import type { AccionesDeFila } from './acciones';
import type { Column } from './column';
import type { AccionDeLote } from './Lote';
import type { PorQueVacia } from './Vacio';

/** The expansion of a row in place, with its height in lines. */
export type RowDetail = { key: string; lines: number; content: ReactNode };

/** The props of the one table of all lists. */
export type DataTableProps<Row, Totales extends { registros: number } | null> = {
  lista: ListPage<ListFilter, Row, NonNullable<Totales>>;
  columns: Column<Row, Totales>[];
  rowKey: (row: Row) => string;
  tone?: (row: Row) => Tono | undefined;
  /** The name of the table read aloud. */
  label: string;
  /** The address of the area ('/sa'): windows and exports are read under it. */
  area: string;
  /** Lines of every row: two where a cell says two things, one above the other (`DosLineas`). */
  lines?: 1 | 2;
  /** Whether a row opens, in `?ver=` or in the field of the address named here. */
  opens?: boolean | string;
  /**
   * The expansion of the open row, in place, with its height in lines; a second click closes it. Without an expansion the open row is a dialog of the screen's.
   */
  detail?: RowDetail | null;
  /** The panel of the open row, which reads its own record. Records of rows under the pointer are read ahead. */
  ficha?: ReactNode;
  /** The reasons why the list may be empty, in its own words. */
  vacia?: PorQueVacia;
  /** The acts on one row. */
  enFila?: AccionesDeFila<Row>;
  /** Returns the name of a row as it is read aloud: 'la orden 2000009100492380'. */
  nombra?: (row: Row) => string;
  /** The acts on several rows at once; with acts, rows can be chosen. */
  acciones?: readonly AccionDeLote[];
  /** The fields that the search looks in: 'Folio, orden, RFC…'. */
  placeholder?: string;
  /** The number out of which the rows were chosen, where 'X de Y' is told. */
  de?: (totales: NonNullable<Totales>) => number;
  /** The label of the button that makes the Excel. */
  excel?: string;
  /** Set where the totals stand above the rows on a telephone, because they are longer than one line. */
  resumen?: boolean;
  /** Filters of this list's own, as `RangoFechas`, beside the search box. */
  children?: ReactNode;
  /** Set where the filters are longer than the line of the search box at 1440 px: then they wait behind 'Filtros'. */
  plegados?: boolean;
};
