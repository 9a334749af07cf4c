import { useState } from 'react';
import { writeCount } from '~/core/count';
import { useNotify } from '../notify';
import { useOnChange } from '../useOnChange';

/** The chosen rows of a list: some rows by key, or the whole filtered list. */
export type Seleccion = {
  elegidas: ReadonlySet<string>;
  todos: boolean;
  /** The number of chosen rows. */
  cuantas: number;
  isElegida: (key: string) => boolean;
  /** Toggles a row; with Shift, all rows from the last one on. */
  alternar: (index: number, extend?: boolean) => void;
  elegirTodos: () => void;
  vaciar: () => void;
};

/** Returns the selection of a list. A search keeps the chosen rows. Another list clears them, and so does another filter after 'all'. */
export function useSeleccion(
  keyAt: (index: number) => string | undefined,
  { query, total }: { query: string; total: number },
): Seleccion {
  const [elegidas, setElegidas] = useState<ReadonlySet<string>>(new Set());
  const [todos, setTodos] = useState<string | null>(null);
  const [last, setLast] = useState<number | null>(null);
  useOnChange(query, () => setLast(null));
  const notify = useNotify();
  const all = todos === query;
  return {
    elegidas,
    todos: all,
    cuantas: all ? total : elegidas.size,
    isElegida: (key) => all || elegidas.has(key),
    alternar: (index, extend = false) => {
      const from = extend && last !== null ? last : index;
      const keys: string[] = [];
      for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
        const key = keyAt(at);
        if (key !== undefined) keys.push(key);
      }
      const own = keyAt(index);
      const next = new Set(elegidas);
      const adds = own !== undefined && (all || !next.has(own) || from !== index);
      for (const key of keys)
        if (adds) next.add(key);
        else next.delete(key);
      setTodos(null);
      setElegidas(next);
      setLast(index);
    },
    elegirTodos: () => setTodos(query),
    vaciar: () => {
      const cuantas = all ? total : elegidas.size;
      notify(`Se ${cuantas === 1 ? 'quitó 1 selección' : `quitaron ${writeCount(cuantas)} selecciones`}.`, () => {
        setTodos(todos);
        setElegidas(elegidas);
      });
      setTodos(null);
      setElegidas(new Set());
      setLast(null);
    },
  };
}
