import type { ReactNode } from 'react';

/** A given name in its column; on a card, which has none for them, the surnames stand after it. */
export function NombreDe({ nombre, apellidos }: { nombre: string; apellidos: string }) {
  return (
    <>
      {nombre}
      <span className="en-tarjeta"> {apellidos}</span>
    </>
  );
}

/** What a cell of a table of two lines says: the first, and under it, quieter, the second. */
export function DosLineas({ children, debajo }: { children: ReactNode; debajo: ReactNode }) {
  return (
    <>
      <div className="linea">{children}</div>
      <div className="linea debajo">{debajo}</div>
    </>
  );
}
