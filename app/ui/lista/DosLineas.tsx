import type { ReactNode } from 'react';

/** What a cell of a table of two lines says: the first, and under it, quieter, the second. */
export function DosLineas({ children, debajo }: { children: ReactNode; debajo: ReactNode }) {
  return (
    <>
      <div className="linea">{children}</div>
      <div className="linea debajo">{debajo}</div>
    </>
  );
}
