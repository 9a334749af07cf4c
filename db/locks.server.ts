import { sql } from 'kysely';
import type { Trx } from './client.server';

/**
 * Nouns of the locks on names. A lock on a name serves where no row can be locked: the row does not exist yet, or there
 * are many rows. Every lock ends with its transaction.
 *
 * PostgreSQL knows a lock by a number alone, so all locks share a key space. This list names every lock and its ids. A
 * number never changes: a process of the version before may run beside this process.
 *
 * | key | number |
 * |---|---|
 * | most names | 64 bits of `hashtextextended('noun:id', 0)`; the noun alone where no id is given |
 * | `ajustes`, `tarifas` | 32 bits of `hashtext(noun)`, the older form |
 * | `receptor` | two numbers of 32 bits: `hashtext(noun)` and the shelf |
 * | `trastienda.migrate` | 32 bits; held by a session, not by a transaction (`db/migrate.ts`) |
 */
export type LockNoun =
  /** Rates and switches of facturacion; no id. */
  | 'ajustes'
  /** The store in which our pieces lie, by marketplace. */
  | 'almacen'
  /** Packages of the old app; no id. */
  | 'aplicacion'
  /** A stored file, by the SHA-256 of its bytes. */
  | 'archivo'
  /** Bulk work, by its type and its subject. */
  | 'batch'
  /** The products of a supplier. */
  | 'catalogo'
  /** The typed costs of a product, by its SKU in lower case. */
  | 'costo'
  /** An export to Excel, by person and list. */
  | 'export'
  /** The receivers of webhooks; no id. */
  | 'ganchos'
  /** The payouts of a marketplace. */
  | 'liquidacion'
  /** A sale, by any of its numbers at its marketplace. */
  | 'ordenes'
  /** The code by which the first person is made; no id. */
  | 'primera'
  /** What the law withholds of a sale; no id. */
  | 'retenciones'
  /** The percentages taken off a price; no id. */
  | 'tarifas'
  /** The saved views of a list, by person and list. */
  | 'vista';

const IN_32_BITS: readonly LockNoun[] = ['ajustes', 'tarifas'];

/**
 * Holds a name until the transaction ends; other transactions wait for the name. A transaction that holds the name may
 * ask again.
 */
export async function lockName(trx: Trx, noun: LockNoun, ...ids: readonly string[]): Promise<void> {
  const name = [noun, ...ids].join(':');
  const key = IN_32_BITS.includes(noun) ? sql`hashtext(${name})` : sql`hashtextextended(${name}, 0)`;
  await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
}

/**
 * Holds many names of a noun. Every caller takes the names in the order of their keys, so no two callers wait for each
 * other.
 */
export async function lockNames(trx: Trx, noun: LockNoun, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with keys as (
      select distinct hashtextextended(${`${noun}:`} || id, 0) as key
      from unnest(${ids}::text[]) id
      order by 1)
    select pg_advisory_xact_lock(key) from keys`.execute(trx);
}

type Shelves = {
  /** Number of shelves, and so the most locks, whatever the number of ids. */
  shelves: number;
  /** True: several transactions may hold a shelf at once. False: the caller waits for all of them. */
  shared: boolean;
};

/**
 * Holds the shelves of these ids, in the order of the shelves. `shelves` is a power of two and never changes for its
 * noun.
 */
export async function lockShelves(
  trx: Trx,
  noun: 'receptor',
  ids: readonly string[],
  { shelves, shared }: Shelves,
): Promise<void> {
  const lock = sql.raw(shared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`
    with taken as (
      select distinct hashtext(id) & ${shelves - 1} as shelf
      from unnest(${ids}::text[]) id
      order by 1)
    select ${lock}(hashtext(${noun}), shelf) from taken`.execute(trx);
}
