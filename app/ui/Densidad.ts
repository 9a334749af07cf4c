import { createContext, useContext } from 'react';
import { DENSIDADES, FILA, PREFERENCIAS, TITULOS, type Densidad } from '~/core/aspecto';

const DensidadContext = createContext<Densidad>(PREFERENCIAS.densidad);

export const DensidadProvider = DensidadContext.Provider;

/** Returns the density that an address names, as the address of a view does. */
export function densidadIn(search: string): Densidad | undefined {
  const asked = new URLSearchParams(search).get('densidad');
  return DENSIDADES.find((one) => one === asked);
}

/** Returns the height of a row of so many lines, in px, as this person wants it; the address outranks the person's setting. */
export function useFila(lines: 1 | 2, asked?: Densidad): { fila: number; linea: number; titulos: number } {
  const own = useContext(DensidadContext);
  const fila = FILA[asked ?? own];
  return { fila: fila[lines], linea: fila[1], titulos: TITULOS };
}
