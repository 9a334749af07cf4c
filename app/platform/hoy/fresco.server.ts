import type { Db } from '~db/client.server';

/** How long one look serves all who ask, in ms: every screen of everybody shows the counts. */
export const FRESCO_MS = 2_000;
/** How long a look at the figures of a day serves, in ms: they move slowly. */
export const FRESCO_CIFRAS_MS = 20_000;
/** Number of kept looks from which old ones are dropped. */
const MANY = 200;
const LONG_MS = 60_000;

type Kept = Map<string, { at: number; read: Promise<unknown> }>;
let kept = new WeakMap<Db, Kept>();

/** Returns what was read under `clave` within the last `ms`, or reads it now. A look that failed is given to nobody else. */
export function keep<T>(db: Db, clave: string, ms: number, read: () => Promise<T>): Promise<T> {
  const mine: Kept = kept.get(db) ?? new Map();
  kept.set(db, mine);
  const now = Date.now();
  const found = mine.get(clave);
  if (found && now - found.at < ms) return found.read as Promise<T>;
  if (mine.size >= MANY) for (const [old, { at }] of mine) if (now - at > LONG_MS) mine.delete(old);
  const fresh = read();
  mine.set(clave, { at: now, read: fresh });
  fresh.catch(() => mine.delete(clave));
  return fresh;
}

/** Forgets the looks of this process, so that a person who changed something sees it at once. */
export function forget(): void {
  kept = new WeakMap();
}
