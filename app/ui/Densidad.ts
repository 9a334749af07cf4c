import { createContext, useContext } from 'react';
import { FILA, PREFERENCIAS, TITULOS, type Densidad } from '~/core/aspecto';

const DensidadContext = createContext<Densidad>(PREFERENCIAS.densidad);

export const DensidadProvider = DensidadContext.Provider;

/** How tall this person wants the rows of a list of so many lines, in px. */
export function useFila(lines: 1 | 2): { fila: number; linea: number; titulos: number } {
  const fila = FILA[useContext(DensidadContext)];
  return { fila: fila[lines], linea: fila[1], titulos: TITULOS };
}
