import type { Db, Trx } from '~db/client.server';

/** The stores of an account that counts pieces by place. `falta` says why no pieces can be told yet, with the way out; null when they can. */
export type AlmacenesDeCuenta = {
  /** `nodo` is the marketplace's other number of a store. */
  lista: { id: string; nombre: string; nodo: string | null }[];
  /** The store of our pieces; null while none is known. */
  elegido: string | null;
  falta: string | null;
  leidosEn: Date;
};

/** The stores of a marketplace's account, where it may count pieces by place. */
export type FuenteDeAlmacenes = {
  /** Reads what is kept; null for an account that counts pieces by listing. */
  read(db: Db | Trx): Promise<AlmacenesDeCuenta | null>;
  /** Asks the marketplace, and keeps the answer. */
  refresh(db: Db, options?: { timeoutMs?: number }): Promise<void>;
  /** Keeps the store in which our pieces lie. Throws NotAllowed for a store that the account does not have. */
  choose(trx: Trx, id: string): Promise<void>;
};
