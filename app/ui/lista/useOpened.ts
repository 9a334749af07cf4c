import { useRef, type ReactNode } from 'react';
import { WINDOW } from '~/core/list';

export type RowDetail = { key: string; lines: number; content: ReactNode };

/** The place of the open row: the one that was clicked, or found in the window the page came with. */
export function useOpened<Row>(
  key: string | null | undefined,
  rowAt: (index: number) => Row | undefined,
  rowKey: (row: Row) => string,
  near: { from: number; active: number | null },
) {
  const known = useRef<{ key: string; index: number } | null>(null);
  if (!key) return null;
  const fits = (index: number | null) => {
    const row = index === null ? undefined : rowAt(index);
    return row !== undefined && rowKey(row) === key;
  };
  const candidates = [
    known.current?.key === key ? known.current.index : null,
    near.active,
    ...Array.from({ length: WINDOW }, (_, at) => near.from + at),
  ];
  const index = candidates.find(fits) ?? (known.current?.key === key ? known.current.index : null);
  if (index !== null) known.current = { key, index };
  return index;
}
