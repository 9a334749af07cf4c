import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useBrowserLayout } from '../useBrowserLayout';

/** The way from one record of a list to the next, as the list knows it. */
export type Recorrido = {
  /** From 1; null where the list has not met the open row. */
  posicion: number | null;
  total: number;
  anterior: string | null;
  siguiente: string | null;
  /** To the record before (-1) or after (1), through the whole list and not only what was read of it. */
  ir: (paso: -1 | 1) => void;
  /** What led to the open record from another open one: keys of the table, or a step in the panel. Null where the record was opened. */
  paso: { current: 'tabla' | 'panel' | null };
  /** The address of the list without the panel. */
  cerrar: string;
  /** Closes the panel and gives the keyboard back to its row. */
  alCerrar: () => void;
};
/** The way as the panel sees it, which may be behind the list: what it does, it does as the list stands (`ahora`). */
export type RecorridoVisto = Omit<Recorrido, 'ir' | 'alCerrar'> & { ahora: () => Recorrido };

/** `served` is the way that the server wrote: a panel hydrates with it, however late, and learns of the present one afterwards. */
type Store = { served: Recorrido; now: Recorrido; shown: Recorrido; listeners: Set<() => void> };

const RecorridoContext = createContext<Store | null>(null);

const SEEN = ['posicion', 'total', 'anterior', 'siguiente', 'cerrar'] as const;
const looksAlike = (a: Recorrido, b: Recorrido) => SEEN.every((field) => a[field] === b[field]);

/**
 * Provides the way through a list. The list draws itself with every row that comes into sight, while the panel is drawn anew only when its position changes. A
 * panel that is still hydrating is not disturbed either.
 */
export function RecorridoProvider({ value, children }: { value: Recorrido; children: ReactNode }) {
  const [store] = useState<Store>(() => ({ served: value, now: value, shown: value, listeners: new Set() }));
  useBrowserLayout(() => {
    store.now = value;
    if (looksAlike(value, store.shown)) return;
    store.shown = value;
    for (const listener of store.listeners) listener();
  });
  return <RecorridoContext.Provider value={store}>{children}</RecorridoContext.Provider>;
}

const NOTHING = () => () => {};

/** Null for a record outside any list. */
export function useRecorrido(): RecorridoVisto | null {
  const store = useContext(RecorridoContext);
  const [subscribe] = useState(() =>
    store
      ? (listener: () => void) => {
          store.listeners.add(listener);
          return () => store.listeners.delete(listener);
        }
      : NOTHING,
  );
  const shown = useSyncExternalStore(
    subscribe,
    () => store?.shown ?? null,
    () => store?.served ?? null,
  );
  return shown && store && { ...shown, ahora: () => store.now };
}
