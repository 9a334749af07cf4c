import type { ReactNode } from 'react';

/**
 * The box in which a table wider than its place scrolls. `nombre` is its name read aloud. The box is no landmark: its section is one, mostly of the same name. The
 * keyboard can scroll the box, except where the rows have links or fields of their own (`conMandos`), which lead through it.
 */
export function TablaCaja({
  nombre,
  conMandos = false,
  children,
}: {
  nombre: string;
  conMandos?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="tabla-caja" role="group" aria-label={nombre} {...(!conMandos && { tabIndex: 0 })}>
      {children}
    </div>
  );
}
