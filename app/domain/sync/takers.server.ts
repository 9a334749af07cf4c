import type { Market } from '~/core/market';
import type { Atencion } from '~/domain/mercados/atencion';
import type { Asking, Fuente, Mercado } from '~/domain/mercados/mercado';
import type { Hallada } from '~/domain/mercados/publicacion';
import type { EnvioLeido, VentaConocida, VentaLeida } from '~/domain/mercados/venta';
import type { SyncRun } from '~/platform/syncRuns.server';
import type { Db, Trx } from '~db/client.server';

/** A sale as one turn of the inbox left it: `venta` is null for a sale that is not ours, `error` is why it could not be read or written. */
export type Traida = { venta?: VentaLeida | null; error?: unknown };

/** A run that reads what buyers wrote at one marketplace. */
type AtencionRun = { db: Db; fuente: Fuente; atencion: Atencion; run: SyncRun; asking: Asking; now: () => Date };

/** The verbs of the room of questions, or of claims. */
type AtencionTaker = {
  /** Reads one by its number and writes it. */
  bring(db: Db, market: Market, atencion: Atencion, marketId: string): Promise<void>;
  /** Brings all whose notice never came. */
  sync(run: AtencionRun): Promise<void>;
};

/**
 * The rooms that take what the engine brings. The engine knows marketplaces and their notices; a taker knows the tables of its noun. The types are written
 * with nouns of `mercados`, so no taker's room is imported here.
 */
export type Takers = {
  ventas: {
    /** Returns what is held of these sales, for the adapter that reads them again. */
    known(db: Db, market: Market, marketIds: readonly string[]): Promise<Map<string, VentaConocida>>;
    /** Returns the version of the listed row that announced each of these sales last. */
    knownVersions(db: Db, market: Market, marketIds: readonly string[]): Promise<Map<string, number>>;
    /** Returns the sales whose last reading lacked something and whose time has come, at most `limit`. Each is set back by an hour. */
    takeDue(db: Db, market: Market, limit: number): Promise<string[]>;
    /** Writes sales as they were read; `cambios` are the versions of the rows that announced them. */
    save(
      trx: Trx,
      market: Market,
      ventas: VentaLeida[],
      now?: Date,
      cambios?: ReadonlyMap<string, Date>,
    ): Promise<{ written: string[] }>;
    /** Writes a shipment that was read by itself. Returns how many of our sales travel in it. */
    saveShipment(trx: Trx, market: Market, envio: EnvioLeido): Promise<number>;
    /** Reads sales by their number and writes them. Returns how many are ours. */
    bring(db: Db, fuente: Pick<Fuente, 'market'>, mercado: Mercado, ids: readonly string[]): Promise<number>;
    /** Reads and writes sales of which none may hold back the others, `readers` at once. Returns each sale, or the error that kept it away. */
    bringEach(
      db: Db,
      fuente: Pick<Fuente, 'market'>,
      mercado: Mercado,
      ids: readonly string[],
      readers: number,
    ): Promise<Map<string, Traida>>;
  };
  preguntas: AtencionTaker;
  reclamos: AtencionTaker;
  publicaciones: {
    /** Reads these listings now and writes them. Returns how each of them was found. */
    readNow(db: Db, fuente: Fuente, claves: readonly string[]): Promise<Hallada[]>;
    /** Reads the pieces of a marketplace's product by place and writes the listings that sell them. Returns whether a listing of ours does. */
    bringPiezas(db: Db, fuente: Fuente, productoAlla: string): Promise<boolean>;
  };
};

let handedIn: Takers | undefined;

/** Makes the takers known to this process. `handIn` of `domain/operacion` calls it at process start. */
export function handInTakers(takers: Takers): void {
  handedIn = takers;
}

/** Returns the takers of this process. Throws an Error in a process whose entry point handed none in. */
export function takers(): Takers {
  if (!handedIn) throw new Error('no takers were handed in: an entry point calls handIn of domain/operacion first');
  return handedIn;
}
