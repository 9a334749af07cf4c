import type { ReactNode } from 'react';
import { useColgado } from './useColgado';

/** A button of a heading, and what hangs from it. The browser itself opens it, with and without scripts. */
export function Colgado({ boton, children }: { boton: ReactNode; children: ReactNode }) {
  const { deBoton, dePanel } = useColgado(true);
  return (
    <>
      <button type="button" className="boton" {...deBoton}>
        {boton}
      </button>
      <div {...dePanel}>{children}</div>
    </>
  );
}
