import type { CSSProperties, ReactNode } from 'react';
import { columnKeyOf, sortColumnas } from '~/core/columnas';
import type { Celda } from './celda';

export type Column<Row, Totales = { registros: number }> = {
  header: string;
  /** What stands in the head in place of the text. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** The key of a column whose header another column shares. */
  key?: string;
  /** The sort of the list that this header asks for. */
  sort?: string;
  /** Money and counts to the right. */
  align?: 'right';
  /** The width in px. Columns without a width share the rest. */
  width?: number;
  className?: string;
  /** Returns the identifiers of the cell, line by line; each can be copied. */
  copia?: (row: Row) => readonly (string | null)[];
  /** Returns the fact of the cell that this person may change in place; null where the cell is only read. */
  edita?: ((row: Row) => Celda | null) | undefined;
  /** Left out where the list is narrower, by the screen or by a panel beside it: `sm` under 736 px, `md` under 828. */
  hideUnder?: 'sm' | 'md' | undefined;
  /** Set where the cell is the link that opens the row, for people who do not click rows. */
  opens?: true;
  /**
   * The place on the card of a telephone. A list none of whose columns has a place stays a table; a column without a place is left out of the card and read in
   * the record.
   */
  tarjeta?: 'titulo' | 'monto' | 'numero' | 'fecha' | 'estatus' | 'factura' | 'acciones' | 'menu';
  /** The content of the foot, over all rows of the list and not only the visible ones. */
  total?: (totales: NonNullable<Totales>) => ReactNode;
};

const UNSIZED = 122;

export const keyOf = <Row, Totales>(column: Column<Row, Totales>) => column.key ?? column.header;

/** Returns the key of a column in addresses and preferences. */
export const claveOf = <Row, Totales>(column: Column<Row, Totales>) => columnKeyOf(keyOf(column));

/**
 * Returns the visible columns in the person's order. The column that opens a row always stays, since it is the only way in without a click on the row. The
 * first column stays on every screen, since the others pass under it.
 */
export function arrange<Row, Totales>(columns: Column<Row, Totales>[], text: string | null): Column<Row, Totales>[] {
  if (text === null) return columns;
  const own = new Map(columns.map((column) => [claveOf(column), column]));
  const shown = sortColumnas([...own.keys()], text).flatMap(({ clave, oculta, ancho }) => {
    const column = own.get(clave)!;
    return oculta && !column.opens ? [] : [ancho ? { ...column, width: ancho } : column];
  });
  const [first, ...rest] = shown;
  return first ? [{ ...first, hideUnder: undefined }, ...rest] : columns;
}

/** Returns the least widths of the visible columns; columns hidden on narrow screens take no room. */
export function leastWidths<Row, Totales>(columns: Column<Row, Totales>[]) {
  const sum = (shown: Column<Row, Totales>[]) => `${shown.reduce((all, { width }) => all + (width ?? UNSIZED), 0)}px`;
  return {
    '--ancho': sum(columns),
    '--ancho-md': sum(columns.filter(({ hideUnder }) => hideUnder !== 'md')),
    '--ancho-sm': sum(columns.filter(({ hideUnder }) => hideUnder === undefined)),
  } as CSSProperties;
}

export const hidden = <Row, Totales>(column: Column<Row, Totales>) =>
  column.hideUnder ? `sin-${column.hideUnder}` : undefined;

/** Returns the class of a cell. The first visible column on a narrow screen is `primera`, which stays while the others pass under it. */
export const classOf = <Row, Totales>(column: Column<Row, Totales>, columns: Column<Row, Totales>[]) =>
  [
    column === columns.find(({ hideUnder }) => hideUnder === undefined) ? 'primera' : '',
    column.align === 'right' ? 'der' : '',
    hidden(column),
    column.tarjeta && `t-${column.tarjeta}`,
    column.className,
  ]
    .filter(Boolean)
    .join(' ') || undefined;

/** False for a cell of a card, which is changed in the panel of its record, and for one that the width leaves out. */
export const isInTable = (cell: HTMLElement | undefined): cell is HTMLElement =>
  cell !== undefined && getComputedStyle(cell).display === 'table-cell';
