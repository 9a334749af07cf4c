import type { KeyboardEvent } from 'react';

type Place = {
  /** How many rows the list has. */ total: number;
  /** The row the keyboard stands on. */ active: number | null;
  /** The first row in sight. */ topRow: () => number;
  /** Returns the number of rows that fit the box. */ pageRows: () => number;
  moveTo: (index: number) => void;
  /** Chooses all from the last chosen row on; undefined where rows are not chosen. */ elegir:
    ((index: number, extend: boolean) => void) | undefined;
  /** Opens the row the keyboard stands on; undefined where rows do not open. */ open: (() => void) | undefined;
};

/** Returns the keys of a table that has the focus itself. A focused control of a cell keeps its own keys. */
export function tableKeys({ total, active, topRow, pageRows, moveTo, elegir, open }: Place) {
  return (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey || total === 0) return;
    const from = active ?? topRow() - 1;
    const to = {
      ArrowDown: from + 1,
      ArrowUp: (active ?? topRow() + 1) - 1,
      PageDown: from + pageRows(),
      PageUp: from - pageRows(),
      Home: 0,
      End: total - 1,
    }[event.key];
    if (to !== undefined) {
      moveTo(to);
      if (event.shiftKey && elegir && to >= 0 && to < total) elegir(to, true);
    } else if (event.key === 'Enter' && open && active !== null) open();
    else return;
    event.preventDefault();
  };
}
