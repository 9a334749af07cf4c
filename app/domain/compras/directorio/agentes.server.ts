import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { choqueOfFila } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { contains, defineList } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import type { AgenteEditado, NewAgente } from './forms';

const SORTS = ['fecha', 'nombre', 'apellidos', 'email', 'proveedor', 'estatus'] as const;

/** 'Venta Agentes': the people at each supplier who are written to. */
export const agentesList = defineList({
  lista: 'agentesVentas',
  titulo: 'Venta Agentes',
  todas: 'Todos',
  filtro: z.object(listFields(SORTS, '-fecha')),
  id: 'agenteVenta.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('agenteVenta.fechaCreacion'),
    nombre: sql.ref('agenteVenta.nombre'),
    apellidos: sql.ref('agenteVenta.apellidos'),
    email: sql`lower(${sql.ref('agenteVenta.email')})`,
    proveedor: sql`${sql.ref('agenteVenta.proveedor')} collate "C"`,
    estatus: sql.ref('agenteVenta.activo'),
  },
  matches: (db, { q }) =>
    db.selectFrom('agenteVenta').$if(q !== '', (agentes) => agentes.where(contains('agenteVenta.busqueda', q))),
  rows: (db) =>
    db
      .selectFrom('agenteVenta')
      .innerJoin('proveedor', 'proveedor.value', 'agenteVenta.proveedor')
      .select([
        'agenteVenta.id',
        'agenteVenta.fechaCreacion',
        'agenteVenta.nombre',
        'agenteVenta.apellidos',
        'agenteVenta.email',
        'agenteVenta.telefono',
        'agenteVenta.activo',
        'agenteVenta.version',
        'agenteVenta.proveedor',
        'proveedor.label as proveedorLabel',
      ]),
  totales: (agentes) =>
    agentes.select(({ fn }) => fn.countAll<number>().filterWhere('agenteVenta.activo', '=', true).as('activos')),
  excel: {
    hoja: 'Venta Agentes',
    columnas: [
      { header: 'Fecha de creación', tipo: 'fechaHora', valor: (agente) => agente.fechaCreacion },
      { header: 'Nombre', tipo: 'texto', ancho: 20, valor: (agente) => agente.nombre },
      { header: 'Apellidos', tipo: 'texto', ancho: 24, valor: (agente) => agente.apellidos },
      { header: 'Email', tipo: 'texto', ancho: 28, valor: (agente) => agente.email },
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (agente) => agente.proveedorLabel },
      { header: 'Estatus', tipo: 'texto', ancho: 10, valor: (agente) => (agente.activo ? 'Activo' : 'Inactivo') },
    ],
  },
});

/** Returns one agent; undefined when there is none by that id. */
export async function findAgente(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  return db
    .selectFrom('agenteVenta')
    .innerJoin('proveedor', 'proveedor.value', 'agenteVenta.proveedor')
    .select([
      'id',
      'nombre',
      'apellidos',
      'agenteVenta.email',
      'agenteVenta.telefono',
      'agenteVenta.activo',
      'agenteVenta.fechaCreacion',
      'agenteVenta.version',
      'agenteVenta.proveedor',
      'proveedor.label as proveedorLabel',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Creates an agent of a supplier. Throws `NotAllowed` when the supplier does not exist. */
export async function createAgente(trx: Trx, agente: NewAgente, usuarioId: string): Promise<{ id: string }> {
  await requireProveedor(trx, 'Error al agregar.', agente.proveedor);
  const { id } = await trx.insertInto('agenteVenta').values(agente).returning('id').executeTakeFirstOrThrow();
  await record(trx, {
    usuarioId,
    entidad: 'agenteVenta',
    entidadId: id,
    accion: 'crear',
    datos: { proveedor: agente.proveedor },
  });
  return { id };
}

const ETIQUETAS = {
  nombre: 'Nombre',
  apellidos: 'Apellidos',
  email: 'Email',
  proveedor: 'Proveedor',
  telefono: 'Teléfono',
} as const;

/**
 * Corrects an agent. Letters that were accepted before keep the address of then. Throws `Stale` when the row moved since the screen showed it, and `NotAllowed`
 * when the agent or the supplier does not exist.
 */
export async function saveAgente(trx: Trx, { id, version, ...datos }: AgenteEditado, usuarioId: string): Promise<void> {
  const titulo = 'Error de actualización.';
  const actual = await trx
    .selectFrom('agenteVenta')
    .select(['nombre', 'apellidos', 'email', 'proveedor', 'telefono', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!actual) throw new NotAllowed(titulo, 'El agente no existe.');
  if (actual.version !== version) throw new Stale(choqueOfFila(ETIQUETAS, datos, actual));
  await requireProveedor(trx, titulo, datos.proveedor);
  await trx
    .updateTable('agenteVenta')
    .set({ ...datos, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await record(trx, { usuarioId, entidad: 'agenteVenta', entidadId: id, accion: 'modificar', datos });
}

async function requireProveedor(trx: Trx, titulo: string, value: string): Promise<void> {
  const proveedor = await trx.selectFrom('proveedor').select('value').where('value', '=', value).executeTakeFirst();
  if (!proveedor) throw new NotAllowed(titulo, 'El proveedor no existe.', { campo: 'proveedor' });
}

const estatus = (activo: boolean) => (activo ? 'Activo' : 'Inactivo');

/** Activates or deactivates an agent. Throws `Stale` when the row moved since the screen showed it. */
export async function setAgenteActivo(
  trx: Trx,
  { id, version, activo }: { id: string; version: number; activo: boolean },
  usuarioId: string,
): Promise<{ nombre: string; apellidos: string }> {
  const actual = await trx
    .selectFrom('agenteVenta')
    .select(['nombre', 'apellidos', 'activo', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (actual && actual.version !== version)
    throw new Stale({
      cambios:
        actual.activo === activo
          ? [{ campo: 'Estatus', mio: estatus(!activo), suyo: estatus(activo) }]
          : [{ campo: 'Agente', mio: 'como estaba en la lista', suyo: `${actual.nombre} ${actual.apellidos}` }],
      marcas: { version: actual.version },
    });
  const agente = await trx
    .updateTable('agenteVenta')
    .set({ activo, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning(['nombre', 'apellidos'])
    .executeTakeFirst();
  if (!agente) throw new Stale();
  await record(trx, { usuarioId, entidad: 'agenteVenta', entidadId: id, accion: activo ? 'activar' : 'desactivar' });
  return agente;
}
