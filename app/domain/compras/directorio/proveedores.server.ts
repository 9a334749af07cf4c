import { sql } from 'kysely';
import pg from 'pg';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { NewProveedor, ProveedorEditado } from './forms';
import type { Destinatario, Directorio } from './proveedor';

const COLUMNS = [
  'value',
  'label',
  'linkHome',
  'linkProductos',
  'linkFactura',
  'reglaFactura',
  'sufijoFactura',
  'rfc',
  'email',
  'plazoDias',
  'activo',
  'version',
] as const;

export type Proveedor = Awaited<ReturnType<typeof listProveedores>>[number];

/** Returns all suppliers by name, the inactive ones included, since old invoices name them. */
export function listProveedores(db: Db | Trx) {
  return db.selectFrom('proveedor').select(COLUMNS).orderBy('label').execute();
}

/** Returns keys and names alone, for roles that choose a supplier and may not see the rest. */
export function listProveedorOptions(db: Db | Trx) {
  return db.selectFrom('proveedor').select(['value', 'label']).orderBy('label').execute();
}

const TITULO = 'Error de actualización.';

const ETIQUETAS = {
  label: 'Nombre',
  linkHome: 'Página',
  linkProductos: 'Link de productos',
  linkFactura: 'Link de facturas',
  reglaFactura: 'Regla del folio',
  sufijoFactura: 'Sufijo del folio',
  rfc: 'RFC',
  email: 'Email',
  plazoDias: 'Días para pagar',
  activo: 'Estatus',
} as const;

const enPalabras = ({ activo, ...datos }: Omit<ProveedorEditado, 'value' | 'version'>) => ({
  ...datos,
  activo: activo ? 'Activo' : 'Inactivo',
});

/** Time limit of a rename in ms. The new name is written into each of the supplier's invoices, hundreds of thousands of them, by a trigger. */
const RENAME_MS = 300_000;

/**
 * Saves the facts of a supplier. Throws `Stale` when the row moved since the screen showed it, and `NotAllowed` when it is gone or another supplier
 * has the RFC.
 */
export async function saveProveedor(
  trx: Trx,
  { value, version, ...datos }: ProveedorEditado,
  usuarioId: string,
): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(RENAME_MS)}`.execute(trx);
  const actual = await trx
    .selectFrom('proveedor')
    .select(COLUMNS)
    .where('value', '=', value)
    .forUpdate()
    .executeTakeFirst();
  if (!actual) throw new NotAllowed(TITULO, 'El proveedor no existe.');
  if (actual.version !== version)
    throw new Stale(choqueOfFila(ETIQUETAS, enPalabras(datos), { ...enPalabras(actual), version: actual.version }));
  await withFreeKeys(TITULO, () =>
    trx
      .updateTable('proveedor')
      .set({ ...datos, version: version + 1 })
      .where('value', '=', value)
      .execute(),
  );
  await record(trx, { usuarioId, entidad: 'proveedor', entidadId: value, accion: 'modificar', datos });
}

/** Creates a supplier. Throws `NotAllowed` when its key or RFC is taken. */
export async function createProveedor(trx: Trx, proveedor: NewProveedor, usuarioId: string): Promise<void> {
  await withFreeKeys('Error al agregar.', () => trx.insertInto('proveedor').values(proveedor).execute());
  await record(trx, { usuarioId, entidad: 'proveedor', entidadId: proveedor.value, accion: 'crear', datos: proveedor });
}

async function withFreeKeys<T>(titulo: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.constraint === 'proveedor_pkey')
      throw new NotAllowed(titulo, 'Ya existe un proveedor con esa clave.', { campo: 'value', cause: error });
    if (error.constraint === 'proveedor_by_rfc')
      throw new NotAllowed(titulo, 'Otro proveedor tiene ese RFC.', { campo: 'rfc', cause: error });
    throw error;
  }
}

/** Returns the addressees of all suppliers: the active agents, or the supplier's own address when it has none. */
export async function readDirectorio(db: Db | Trx): Promise<Directorio> {
  const { rows } = await sql<Destinatario>`
    select p.value as proveedor, p.label, coalesce(
      array_agg(distinct a.email order by a.email) filter (where a.email is not null),
      array_remove(array[nullif(p.email, '')], null)) as emails
    from proveedor p
    left join agente_venta a on a.proveedor = p.value and a.activo
    group by p.value, p.label, p.email`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.proveedor, row]));
}
