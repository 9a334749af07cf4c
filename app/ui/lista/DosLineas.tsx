import type { ReactNode } from 'react';

/** A given name. On a card, which has no column of surnames, the surnames follow it. */
export function NombreDe({ nombre, apellidos }: { nombre: string; apellidos: string }) {
  return (
    <>
      {nombre}
      <span className="en-tarjeta"> {apellidos}</span>
    </>
  );
}

/** A cell of two lines: the main text, and a quieter one below. */
export function DosLineas({ children, debajo }: { children: ReactNode; debajo: ReactNode }) {
  return (
    <>
      <div className="linea">{children}</div>
      <div className="linea debajo">{debajo}</div>
    </>
  );
}
