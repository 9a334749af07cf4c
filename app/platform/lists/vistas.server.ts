import { sql } from 'kysely';
import { CAMPOS, direccionOf, estadoOf, SIN_VISTA, type Vista } from '~/core/vistas';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';
import { lockName } from '~db/locks.server';

/** Most views that a person keeps of one list: more would help nobody to find anything. */
export const MAX_VISTAS = 30;

type Quien = { id: string; rol?: Rol };

/** Returns the query for the views of a list that a person sees: their own, and those that somebody shared with their role. */
export function vistasQuery(db: Db | Trx, lista: string, quien: Quien) {
  const rol = quien.rol ?? null;
  return db
    .selectFrom('vista')
    .where('vista.lista', '=', lista)
    .where('vista.retirada', 'is', null)
    .where(sql<boolean>`(vista.usuario_id = ${quien.id} or ${rol}::text = any(vista.roles))`)
    .select(['vista.id', 'nombre', 'consulta', 'roles'])
    .select(sql<string[]>`array(select i.rol from vista_inicial i where i.vista_id = vista.id)`.as('iniciales'))
    .select(sql<boolean>`${ofWhom(quien)}`.as('editable'))
    .orderBy(sql`cardinality(vista.roles) = 0`)
    .orderBy(sql`f_norm(nombre)`)
    .orderBy('vista.id')
    .limit(2 * MAX_VISTAS);
}

/**
 * Returns the address of a view for an address that leaves the list to it. Such an address names a view and tells nothing else of the list, or tells
 * nothing at all to a role that begins with a view. Undefined for any other address.
 */
export function addressOfVista(
  search: URLSearchParams,
  vistas: Vista[],
  { rol, campos }: { rol: Rol | undefined; campos: string[] },
): string | undefined {
  const asked = search.get('vista');
  const vista =
    search.size === 0
      ? vistas.find(({ iniciales }) => rol !== undefined && iniciales.includes(rol))
      : asked !== SIN_VISTA && estadoOf(search.toString(), campos) === ''
        ? vistas.find(({ id, consulta }) => id === asked && consulta !== '')
        : undefined;
  if (!vista) return undefined;
  const rest = new URLSearchParams(search);
  rest.delete('vista');
  return direccionOf(rest.toString(), campos, vista);
}

type Guardada = {
  lista: string;
  /** Null for a new view. */
  id: string | null;
  nombre: string;
  /** The address that the view shows; absent, it stays. */
  consulta?: string;
  /** The roles that see the view, and those that begin with it; absent, they stay. */
  compartida?: { roles: Rol[]; iniciales: Rol[] };
};

/** SQL: whether this person may change the view: its owner may, and sa. */
const ofWhom = (quien: Quien) => sql<boolean>`(usuario_id = ${quien.id} or ${quien.rol === 'sa'})`;

/** Saves a view and returns its id; null when this person may change none by that id, or has too many. */
export async function saveVista(
  trx: Trx,
  quien: Quien,
  { lista, compartida, ...vista }: Guardada,
): Promise<string | null> {
  const own = await ownVistas(trx, quien.id, lista);
  const nombre = freeName(
    vista.nombre,
    own.filter(({ id }) => id !== vista.id).map((one) => one.nombre),
  );
  const roles = compartida && [...new Set([...compartida.roles, ...compartida.iniciales])];
  const change = { nombre, ...(vista.consulta !== undefined && { consulta: vista.consulta }), ...(roles && { roles }) };
  if (!vista.id && own.length >= MAX_VISTAS) return null;
  const saved = vista.id
    ? await trx
        .updateTable('vista')
        .set(change)
        .where('id', '=', vista.id)
        .where('lista', '=', lista)
        .where('retirada', 'is', null)
        .where(ofWhom(quien))
        .returning('id')
        .executeTakeFirst()
    : await trx
        .insertInto('vista')
        .values({ lista, usuarioId: quien.id, consulta: '', ...change })
        .returning('id')
        .executeTakeFirst();
  if (!saved) return null;
  if (compartida) await beginWith(trx, lista, saved.id, compartida.iniciales);
  return saved.id;
}

/** Locks and reads the views that a person keeps of a list. Two windows of one person come one after the other, so that names can be compared. */
async function ownVistas(trx: Trx, usuarioId: string, lista: string) {
  await lockName(trx, 'vista', usuarioId, lista);
  return trx
    .selectFrom('vista')
    .where('lista', '=', lista)
    .where('usuarioId', '=', usuarioId)
    .where('retirada', 'is', null)
    .select(['id', 'nombre'])
    .execute();
}

/** Makes these roles, and no others, begin with this view. */
async function beginWith(trx: Trx, lista: string, vistaId: string, roles: Rol[]) {
  await trx.deleteFrom('vistaInicial').where('vistaId', '=', vistaId).execute();
  if (roles.length === 0) return;
  await trx
    .insertInto('vistaInicial')
    .values(roles.map((rol) => ({ lista, rol, vistaId })))
    .onConflict((on) => on.columns(['lista', 'rol']).doUpdateSet({ vistaId }))
    .execute();
}

/** Changes what a view shows; its name and its roles stay. */
export async function updateVista(
  db: Db | Trx,
  quien: Quien,
  { lista, id, consulta }: { lista: string; id: string; consulta: string },
): Promise<void> {
  await db
    .updateTable('vista')
    .set({ consulta })
    .where('id', '=', id)
    .where('lista', '=', lista)
    .where('retirada', 'is', null)
    .where(ofWhom(quien))
    .execute();
}

/** Takes a view away; for a day it can be put back, and older ones are deleted. Returns whether there was one that this person may change. */
export async function retireVista(
  trx: Trx,
  quien: Quien,
  { lista, id }: { lista: string; id: string },
): Promise<boolean> {
  await trx
    .deleteFrom('vista')
    .where('lista', '=', lista)
    .where('retirada', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  const { numUpdatedRows } = await trx
    .updateTable('vista')
    .set({ retirada: sql<Date>`now()` })
    .where('id', '=', id)
    .where('lista', '=', lista)
    .where('retirada', 'is', null)
    .where(ofWhom(quien))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Puts a view back as it was, under a free name. Returns what it shows; null when it is gone. */
export async function restoreVista(
  trx: Trx,
  quien: Quien,
  { lista, id }: { lista: string; id: string },
): Promise<Pick<Vista, 'id' | 'consulta'> | null> {
  const gone = await trx
    .selectFrom('vista')
    .where('id', '=', id)
    .where('lista', '=', lista)
    .where('retirada', 'is not', null)
    .where(ofWhom(quien))
    .select(['usuarioId', 'nombre', 'consulta'])
    .forUpdate()
    .executeTakeFirst();
  if (!gone) return null;
  const nombre = freeName(
    gone.nombre,
    (await ownVistas(trx, gone.usuarioId, lista)).map((one) => one.nombre),
  );
  await trx.updateTable('vista').set({ retirada: null, nombre }).where('id', '=', id).execute();
  return { id, consulta: gone.consulta };
}

/** Returns the wanted name, with a number when it is taken: nobody is refused for a name, and no view is lost. */
function freeName(wanted: string, taken: string[]): string {
  const used = new Set(taken.map((nombre) => nombre.toLowerCase()));
  let nombre = wanted;
  for (let n = 2; used.has(nombre.toLowerCase()); n++) nombre = `${wanted.slice(0, 35)} ${n}`;
  return nombre;
}

/** Returns a view of the list's own: everybody finds it, and nobody changes it. */
export const vistaFija = (id: string, nombre: string, says: Record<string, string>): Vista => ({
  id,
  nombre,
  consulta: new URLSearchParams(says).toString(),
  roles: [],
  iniciales: [],
  editable: false,
});

/** Returns the names of the fields of a list in its address. */
export const camposOf = (propios: Record<string, unknown> | undefined) => [...CAMPOS, ...Object.keys(propios ?? {})];
