import { useEffect, useRef, type PointerEvent } from 'react';
import { preload } from './readFicha';

/** A pointer that only passes, or a key that is held, reads nothing. */
const REPOSO_MS = 60;

/** Reads ahead the record of the row a pointer or the keyboard rests on; `source` is where records are, null where rows have none. `corte` is the list's. */
export function usePrefetch<Row>(
  source: string | null,
  corte: string,
  rowAt: (index: number) => Row | undefined,
  rowKey: (row: Row) => string,
  active: number | null,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const rows = useRef({ corte, rowAt, rowKey });
  rows.current = { corte, rowAt, rowKey };
  const soon = useRef((source: string, index: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { corte, rowAt, rowKey } = rows.current;
      const row = rowAt(index);
      if (row !== undefined) preload(source + encodeURIComponent(rowKey(row)), corte);
    }, REPOSO_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (source !== null && active !== null) soon.current(source, active);
  }, [source, active]);
  if (source === null) return undefined;
  return (event: PointerEvent<HTMLTableElement>) => {
    const index = (event.target as Element).closest<HTMLElement>('tr[data-i]')?.dataset.i;
    if (index !== undefined) soon.current(source, Number(index));
  };
}
