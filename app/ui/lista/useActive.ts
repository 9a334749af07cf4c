import { useEffect, useState } from 'react';
import { usePlace, type Places } from './usePlace';

/** A row by its key; by its place alone while it is still to be read. */
type Chosen = { key: string | undefined; index: number };

/**
 * Returns the place of the row under the keyboard, and the function that puts another one there. While a panel is open its record is that row, and a record that
 * has left the list has no outline and no keys. Without a panel, a row that leaves hands the keyboard to the next one.
 */
export function useActive(open: string | null, query: string, places: Places) {
  const { total, keyAt } = places;
  const [chosen, choose] = useState<Chosen | null>(null);
  const place = usePlace(open ?? chosen?.key ?? null, places);
  const ofChosen = () => {
    if (chosen === null || total === 0) return null;
    if (chosen.key === undefined) return Math.min(chosen.index, total - 1);
    return place.index ?? place.next ?? place.previous;
  };
  const active = open === null ? ofChosen() : place.index;
  const key = active === null ? undefined : keyAt(active);
  useEffect(() => choose(null), [query]);
  // The row that took the keyboard keeps it, also when the panel is closed or the row before it comes back.
  useEffect(() => {
    if (active !== null && key !== undefined) choose({ key, index: active });
  }, [active, key]);
  return { active, place, setActive: (index: number) => choose({ key: keyAt(index), index }) };
}
