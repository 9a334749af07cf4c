import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';

/**
 * What a read stands on: null for one that succeeded. For one that failed, `desde` is the moment of its last success, which the value is of; without one nothing
 * is known.
 */
export type SinLeer = { desde: Date | null } | null;
/** The value of a read, or the one of its last success; null while it never succeeded. */
export type Leida<T> = { valor: T; sinLeer: null } | { valor: T | null; sinLeer: { desde: Date | null } };

/** How long a read that failed is left alone, in ms: its statement may have taken all the time that it may. */
const CALMA_MS = 15_000;
/** The last success of each read, and when it failed since. */
type Memoria = { bien?: { at: Date; valor: unknown }; falloEn?: number };
const memorias = new WeakMap<Db, Map<string, Memoria>>();

function memoriaOf(db: Db, clave: string): Memoria {
  const mine = memorias.get(db) ?? new Map<string, Memoria>();
  memorias.set(db, mine);
  const found = mine.get(clave) ?? {};
  return mine.set(clave, found).get(clave)!;
}

/** Reads a part of a page by `read`. A part that cannot be read keeps no other part from being shown: it is told by what this process last read under `clave`. */
export async function readOrLast<T>(db: Db, clave: string, read: (ahora: Date) => Promise<T>): Promise<Leida<T>> {
  const memoria = memoriaOf(db, clave);
  const deMemoria = (): Leida<T> => ({
    valor: (memoria.bien?.valor ?? null) as T | null,
    sinLeer: { desde: memoria.bien?.at ?? null },
  });
  if (memoria.falloEn !== undefined && Date.now() - memoria.falloEn < CALMA_MS) return deMemoria();
  const ahora = new Date();
  try {
    const valor = await read(ahora);
    memoria.bien = { at: ahora, valor };
    delete memoria.falloEn;
    return { valor, sinLeer: null };
  } catch (error) {
    memoria.falloEn = Date.now();
    log.error('una parte de la pantalla no se pudo leer', error, { clave });
    return deMemoria();
  }
}

/** Returns what was read in another shape. */
export const mapLeida = <T, U>({ valor, sinLeer }: Leida<T>, shape: (valor: T) => U): Leida<U> =>
  ({ valor: valor === null ? null : shape(valor), sinLeer }) as Leida<U>;
