import type { ReactNode } from 'react';

/**
 * A table that is wider than its place scrolls in its own box. `nombre` is how it is read aloud. The keyboard reaches it to scroll it, but where its rows have links or fields of
 * their own (`conMandos`): those lead through it.
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
    <div className="tabla-caja" role="region" aria-label={nombre} {...(!conMandos && { tabIndex: 0 })}>
      {children}
    </div>
  );
}
