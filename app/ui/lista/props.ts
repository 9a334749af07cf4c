import type { ReactNode } from 'react';
import type { ListFilter, ListPage } from '~/core/list';
import type { Tono } from '../Estatus';
import type { AccionesDeFila } from './acciones';
import type { Column } from './column';
import type { AccionDeLote } from './Lote';
import type { RowDetail } from './useOpened';
import type { PorQueVacia } from './Vacio';

/** What a list tells the one table of all lists. */
export type DataTableProps<Row, Totales extends { registros: number } | null> = {
  lista: ListPage<ListFilter, Row, NonNullable<Totales>>;
  columns: Column<Row, Totales>[];
  rowKey: (row: Row) => string;
  tone?: (row: Row) => Tono | undefined;
  /** What the table is called aloud. */
  label: string;
  /** The address of the area ('/sa'): windows and exports are read under it. */
  area: string;
  /** Lines of every row: two where a cell says two things, one above the other (`DosLineas`). */
  lines?: 1 | 2;
  /** Whether a row opens, in `?ver=` or in the field of the address named here. */
  opens?: boolean | string;
  /** What the open row expands to, in place, so many lines tall; a second click closes it. Without it an open row is a dialog of the screen's. */
  detail?: RowDetail | null;
  /** The panel of the open row, which reads itself beside the list. Its rows are read ahead. */
  ficha?: ReactNode;
  /** Why it may hold nothing, in words of its own. */
  vacia?: PorQueVacia;
  /** What can be done with one row. */
  enFila?: AccionesDeFila<Row>;
  /** What a row is called aloud: 'la orden 2000009100492380'. */
  nombra?: (row: Row) => string;
  /** What can be done with several rows at once; with it, rows can be chosen. */
  acciones?: readonly AccionDeLote[];
  /** What the search box looks in: 'Folio, orden, RFC…'. */
  placeholder?: string;
  /** Out of how many these were chosen, where that is told: 'X de Y'. */
  de?: (totales: NonNullable<Totales>) => number;
  /** What the button that makes the Excel is called. */
  excel?: string;
  /** Its totals stand over its rows on a telephone, where they are more than one line holds. */
  resumen?: boolean;
  /** Filters of this list's own, as `RangoFechas`, beside the search box. */
  children?: ReactNode;
};
