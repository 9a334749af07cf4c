import { sql } from 'kysely';
import type { Trx } from '~db/client.server';

const llave = sql`hashtextextended('catalogo:' || value, 0)`;

/**
 * Until its end this transaction alone writes the products of a supplier, or of all of them. A lot, a list of prices and the end of a read write thousands of rows
 * each in an order of its own: two at once could wait for each other. One that has it may ask again.
 */
export async function takeTurno(trx: Trx, proveedor?: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(llave) from (
    select ${llave} as llave from proveedor where ${proveedor ?? null}::text is null or value = ${proveedor ?? null} order by value) as llaves`.execute(
    trx,
  );
}
