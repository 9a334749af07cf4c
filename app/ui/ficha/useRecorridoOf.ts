import { useNavigate } from '@remix-run/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { focusOn, isFocusFree } from '../foco';
import { useHydrated } from '../useHydrated';
import { useOpened } from '../lista/useOpened';
import type { Recorrido } from './recorrido';

type Of<Row> = {
  /** The key of the open row. */ ver: string | null;
  near: { from: number; active: number | null };
  total: number;
  row: (index: number) => Row | undefined;
  rowKey: (row: Row) => string;
  hrefOf: (row: Row) => string;
  /** The address of the list without the panel. */ shut: string;
  /** Brings a row into sight and under the keyboard. */ moveTo: (index: number) => void;
  show: (from: number, to: number) => void;
  table: RefObject<HTMLTableElement>;
};

/** Returns the way through a list from its open row. A row that is not read yet is scrolled into sight and opened when it arrives. */
export function useRecorridoOf<Row>({
  ver,
  near,
  total,
  row,
  rowKey,
  hrefOf,
  shut,
  moveTo,
  show,
  table,
}: Of<Row>): Recorrido {
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const at = useOpened(ver, row, rowKey, near);
  const [wanted, setWanted] = useState<number | null>(null);
  const next = wanted === null ? undefined : row(wanted);

  useEffect(() => {
    if (next === undefined) return;
    setWanted(null);
    navigate(hrefOf(next), { replace: true, preventScrollReset: true });
  }, [next, hrefOf, navigate]);
  const before = useRef(ver);
  useEffect(() => {
    // However the panel was closed, the keyboard goes on from its row.
    if (before.current !== null && ver === null && isFocusFree()) focusOn(table.current);
    before.current = ver;
  }, [ver, table]);
  // Without JavaScript the way ends where the page of the list does; with it, a row that is still to be read is gone to as well.
  const addressOf = (index: number) => {
    if (index < 0 || index >= total) return null;
    const there = row(index);
    return there === undefined ? (hydrated ? shut : null) : hrefOf(there);
  };

  return {
    posicion: at === null ? null : at + 1,
    total,
    anterior: at === null ? null : addressOf(at - 1),
    siguiente: at === null ? null : addressOf(at + 1),
    ir: (paso) => {
      const to = (wanted ?? at ?? -paso) + paso;
      if (at === null || to < 0 || to >= total) return;
      moveTo(to);
      show(to, to);
      setWanted(to);
    },
    cerrar: shut,
    alCerrar: () => {
      setWanted(null);
      if (at !== null) moveTo(at);
      navigate(shut, { preventScrollReset: true });
    },
  };
}
