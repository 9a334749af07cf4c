import { useNavigate } from '@remix-run/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { focusOn, isFocusFree } from '../foco';
import { useHydrated } from '../useHydrated';
import type { usePlace } from '../lista/usePlace';
import type { Recorrido } from './recorrido';

type Of<Row> = {
  /** The key of the open row. */ ver: string | null;
  place: ReturnType<typeof usePlace>;
  total: number;
  row: (index: number) => Row | undefined;
  hrefOf: (row: Row) => string;
  /** The address of the list without the panel. */ shut: string;
  /** Brings a row into sight and reads it. */ showAt: (index: number) => void;
  table: RefObject<HTMLTableElement>;
};

/**
 * Returns the way through a list from its open row. A row that is not read yet is scrolled into sight and opened when it arrives. From a record that has left the
 * list the way goes on to the rows that stood beside it.
 */
export function useRecorridoOf<Row>({
  ver,
  place: { index: at, next: after, previous: before },
  total,
  row,
  hrefOf,
  shut,
  showAt,
  table,
}: Of<Row>): Recorrido & {
  /** By the keys of the table. */ irA: (index: number) => void;
} {
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const [wanted, setWanted] = useState<number | null>(null);
  const next = wanted === null ? undefined : row(wanted);
  const paso = useRef<Recorrido['paso']['current']>(null);

  useEffect(() => {
    if (next === undefined) return;
    setWanted(null);
    navigate(hrefOf(next), { replace: true, preventScrollReset: true });
  }, [next, hrefOf, navigate]);
  const was = useRef(ver);
  useEffect(() => {
    // However the panel was closed, the keyboard goes on from its row.
    if (was.current !== null && ver === null && isFocusFree()) focusOn(table.current);
    was.current = ver;
    if (ver === null) paso.current = null;
  }, [ver, table]);
  // Without JavaScript the way ends where the page of the list does; with it, a row that is still to be read is gone to as well.
  const addressOf = (index: number | null) => {
    if (index === null) return null;
    const there = row(index);
    return there === undefined ? (hydrated ? shut : null) : hrefOf(there);
  };
  const irA = (index: number, de: 'tabla' | 'panel') => {
    paso.current = de;
    showAt(index);
    setWanted(index);
  };

  return {
    posicion: at === null ? null : at + 1,
    total,
    anterior: addressOf(before),
    siguiente: addressOf(after),
    irA: (index) => irA(index, 'tabla'),
    paso,
    ir: (by) => {
      const to = wanted === null ? (by === 1 ? after : before) : wanted + by;
      if (to !== null && to >= 0 && to < total) irA(to, 'panel');
    },
    cerrar: shut,
    alCerrar: () => {
      setWanted(null);
      if (at !== null) showAt(at);
      navigate(shut, { preventScrollReset: true });
    },
  };
}
