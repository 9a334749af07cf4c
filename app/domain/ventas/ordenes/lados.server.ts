import type { Db } from '~db/client.server';

/** Reads small pictures of what sales, or the sales of packages, hold. */
type Lados = (db: Db, de: 'orden' | 'envio', ids: readonly string[]) => Promise<{ retrato: string | null }[]>;

let handedIn: Lados | undefined;

/** Makes the reader of pictures known to this process: it belongs to the catalogue, a room that sales may not import. `handIn` of `domain/operacion` calls it. */
export function handInLados(lados: Lados): void {
  handedIn = lados;
}

function lados(...args: Parameters<Lados>) {
  if (!handedIn) throw new Error('no pictures were handed in: an entry point calls handIn of domain/operacion first');
  return handedIn(...args);
}

const idsOf = (filas: readonly { id: string }[]) => filas.map(({ id }) => id);

/** Returns what stands beside sales in a list: the picture of the product that the first article of each names. */
export const ladosOfOrdenes = (db: Db, ordenes: readonly { id: string }[]) => lados(db, 'orden', idsOf(ordenes));

/** Returns what stands beside packages in a list: the picture of the first product that travels in each. */
export const ladosOfEnvios = (db: Db, envios: readonly { id: string }[]) => lados(db, 'envio', idsOf(envios));
