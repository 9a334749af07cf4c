import type { Db } from '~db/client.server';

/** Every screen of everybody shows the counts: one look serves all who ask within this while. */
export const FRESCO_MS = 2_000;
/** A day's figures move slowly. */
export const FRESCO_CIFRAS_MS = 20_000;
/** Whoever has not looked for a while is forgotten, once so many were kept. */
const MANY = 200;
const LONG_MS = 60_000;

type Kept = Map<string, { at: number; read: Promise<unknown> }>;
let kept = new WeakMap<Db, Kept>();

/** What was read within `ms`, or read now. A look that failed is nobody else's answer. */
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

/** What this process looked at is looked at again: whoever changed something sees so at once. */
export function forget(): void {
  kept = new WeakMap();
}
