import { sql } from 'kysely';
import type { Elecciones, Lector } from '~/integrations/proveedores/cara';
import type { Db, Trx } from '~db/client.server';
import { askProveedor } from './buscador.server';

/** Choices for an order as a supplier told them, with the moment of the read. */
export type EleccionesLeidas = { elecciones: Elecciones; leidasEn: Date; vieja: boolean };

/** Age at which choices are read again beside the catalogue, and the age from which they count as stale. */
const CADA = sql`interval '1 day'`;
const VIEJA = sql`interval '3 days'`;

/** Returns the choices that suppliers told, by supplier. A supplier that was never asked has none. */
export async function listElecciones(db: Db | Trx): Promise<ReadonlyMap<string, EleccionesLeidas>> {
  const rows = await db
    .selectFrom('proveedorElecciones')
    .select(['proveedor', 'leidasEn', sql<Elecciones>`elecciones`.as('elecciones')])
    .select(sql<boolean>`leidas_en < now() - ${VIEJA}`.as('vieja'))
    .execute();
  return new Map(rows.map(({ proveedor, ...leidas }) => [proveedor, leidas]));
}

async function saveElecciones(db: Db, proveedor: string, elecciones: Elecciones): Promise<void> {
  const leidas = { elecciones: JSON.stringify(elecciones), leidasEn: sql<Date>`now()` };
  await db
    .insertInto('proveedorElecciones')
    .values({ proveedor, ...leidas })
    .onConflict((on) => on.column('proveedor').doUpdateSet(leidas))
    .execute();
}

/** Reads the choices of a supplier for a person, now. Throws `NotAllowed` when the supplier tells none, or cannot be asked. */
export async function fetchElecciones(db: Db, proveedor: string): Promise<void> {
  const elecciones = await askProveedor(
    db,
    proveedor,
    'No se leyeron sus opciones.',
    (lector) => lector.elecciones?.() ?? Promise.resolve({}),
  );
  await saveElecciones(db, proveedor, elecciones);
}

/** Reads the choices of a supplier beside its catalogue, when the kept ones are older than a day. */
export async function refreshElecciones(db: Db, proveedor: string, lector: Lector): Promise<void> {
  if (!lector.elecciones) return;
  const joven = await db
    .selectFrom('proveedorElecciones')
    .select('proveedor')
    .where('proveedor', '=', proveedor)
    .where('leidasEn', '>', sql<Date>`now() - ${CADA}`)
    .executeTakeFirst();
  if (!joven) await saveElecciones(db, proveedor, await lector.elecciones());
}
