import type { ReactNode } from 'react';

export type Tono = 'ok' | 'aviso' | 'mal' | 'neutro';

/** A state as a dot and its words: the colour never stands alone. Plain, so a table may have thousands. */
export function Estatus({ tono = 'neutro', children }: { tono?: Tono; children: ReactNode }) {
  return (
    <span className="estatus" data-tono={tono}>
      {children}
    </span>
  );
}
