import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { choqueOfFila } from '~/core/choque';
import { SYNC_KINDS } from '~/core/market';
import { NotAllowed, Stale } from '~/core/errors';
import { listFields } from '~/core/listFields';
import { record } from '~/platform/bitacora.server';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { CONNECTIONS, type ConnectionKind } from '~/platform/connections/registry.server';
import { contains, defineList } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { EmpresaEditada, EstatusDeEmpresa } from './forms';

/** SQL: how many effects wait for the far side of a row of `empresa`. */
const EN_ESPERA = sql<number>`(
  select count(*)::int from effect
  where effect.connection = empresa.conexion and effect.state in ('queued', 'sending', 'unknown'))`;

const SORTS = ['fecha', 'nombre', 'estatus'] as const;

/** The list of companies that we work with. A company that is an integration shows how many effects wait for it. */
export const empresasList = defineList({
  lista: 'empresas',
  titulo: 'Empresas',
  filtro: z.object(listFields(SORTS, '-fecha')),
  id: 'empresa.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('empresa.fechaCreacion'),
    nombre: sql.ref('empresa.busqueda'),
    estatus: sql.ref('empresa.activo'),
  },
  matches: (db, { q }) =>
    db.selectFrom('empresa').$if(q !== '', (empresas) => empresas.where(contains('empresa.busqueda', q))),
  rows: (db) =>
    db
      .selectFrom('empresa')
      .leftJoin('connection', (on) =>
        on.onRef('connection.kind', '=', 'empresa.conexion').on('connection.account', '=', ''),
      )
      .select([
        'empresa.id',
        'empresa.fechaCreacion',
        'empresa.nombre',
        'empresa.activo',
        'empresa.conexion',
        'empresa.version',
        'connection.pausedAt',
        EN_ESPERA.as('enEspera'),
      ]),
  totales: (empresas) =>
    empresas.select(({ fn }) => fn.countAll<number>().filterWhere('empresa.activo', '=', true).as('activas')),
  excel: {
    hoja: 'Empresas',
    columnas: [
      { header: 'Fecha de creación', tipo: 'fechaHora', valor: (empresa) => empresa.fechaCreacion },
      { header: 'Empresa', tipo: 'texto', ancho: 40, valor: (empresa) => empresa.nombre },
      { header: 'Estatus', tipo: 'texto', ancho: 10, valor: (empresa) => (empresa.activo ? 'Activa' : 'Inactiva') },
    ],
  },
});

type Quien = { id: string };
const ETIQUETAS = { nombre: 'Nombre de la empresa' } as const;
const estatus = (activo: boolean) => (activo ? 'Activa' : 'Inactiva');

/** Returns a company, with how many effects wait for it; undefined when there is none by that id. */
export async function findEmpresa(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  return db
    .selectFrom('empresa')
    .select(['id', 'nombre', 'activo', 'conexion', 'version', EN_ESPERA.as('enEspera')])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Adds a company and returns its id. Throws `NotAllowed` when the name is taken. */
export async function createEmpresa(trx: Trx, actor: Quien, nombre: string): Promise<string> {
  const { id } = await withFreeName('Error al agregar.', () =>
    trx.insertInto('empresa').values({ nombre }).returning('id').executeTakeFirstOrThrow(),
  );
  await record(trx, { usuarioId: actor.id, entidad: 'empresa', entidadId: id, accion: 'crear', datos: { nombre } });
  return id;
}

/** Renames a company. Throws `Stale` when the row moved since it was shown, and `NotAllowed` when the name is taken. */
export async function renameEmpresa(trx: Trx, actor: Quien, { id, nombre, version }: EmpresaEditada): Promise<void> {
  const titulo = 'Error de actualización.';
  const before = await requireEmpresa(trx, id, titulo);
  if (before.version !== version) throw new Stale(choqueOfFila(ETIQUETAS, { nombre }, before));
  await withFreeName(titulo, () =>
    trx
      .updateTable('empresa')
      .set({ nombre, version: version + 1 })
      .where('id', '=', id)
      .execute(),
  );
  await record(trx, {
    usuarioId: actor.id,
    entidad: 'empresa',
    entidadId: id,
    accion: 'modificar',
    datos: { de: before.nombre, a: nombre },
  });
}

/**
 * Sets the status of a company and returns its name. An integration is paused or resumed with it: its syncs and every effect of its connection.
 * Throws `Stale` when the row moved, and `NotAllowed` when there is no such company.
 */
export async function setEmpresaActiva(
  trx: Trx,
  actor: Quien,
  { id, version, activo }: EstatusDeEmpresa,
): Promise<string> {
  const actual = await requireEmpresa(trx, id, activo ? 'Error de activación.' : 'Error de desactivación.');
  const { nombre, conexion } = actual;
  if (actual.version !== version)
    throw new Stale({
      cambios:
        actual.activo === activo
          ? [{ campo: 'Estatus', mio: estatus(!activo), suyo: estatus(activo) }]
          : [{ campo: ETIQUETAS.nombre, mio: 'como estaba en la lista', suyo: nombre }],
      marcas: { version: actual.version },
    });
  await trx
    .updateTable('empresa')
    .set({ activo, version: version + 1 })
    .where('id', '=', id)
    .execute();
  if (conexion !== null && CONNECTIONS.isKind(conexion)) await (activo ? resume : pauseConnection)(trx, conexion);
  await record(trx, {
    usuarioId: actor.id,
    entidad: 'empresa',
    entidadId: id,
    accion: activo ? 'activar' : 'desactivar',
    datos: conexion === null ? {} : { conexion, pausa: !activo },
  });
  return nombre;
}

/** Resumes a connection. A far side of sales is synced at once, not at the next tick of the clock. */
async function resume(trx: Trx, connection: ConnectionKind): Promise<void> {
  const { capabilities } = CONNECTIONS.of(connection);
  if (capabilities.timbrado) await requireConciliada(trx);
  await resumeConnection(trx, connection);
  if (!capabilities.ventas) return;
  for (const kind of SYNC_KINDS) await enqueue(trx, 'ventas.sync', { kind });
  await enqueue(trx, 'inbox.sweep', {});
}

/** Throws `NotAllowed` while a restored backup has not been compared with the PAC: what was stamped since is not known here yet. */
async function requireConciliada(trx: Trx): Promise<void> {
  const last = await trx
    .selectFrom('restauracion')
    .select('conciliadaEn')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last && last.conciliadaEn === null)
    throw new NotAllowed(
      'Error de activación.',
      'La base volvió de un respaldo y todavía no sabe qué se timbró desde entonces. Ejecuta npm run restaurar -- --conciliar, y después actívala.',
    );
}

async function requireEmpresa(trx: Trx, id: string, titulo: string) {
  const empresa = await trx
    .selectFrom('empresa')
    .select(['nombre', 'conexion', 'activo', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!empresa) throw new NotAllowed(titulo, 'La empresa no existe.');
  return empresa;
}

/** Turns the refusal of the unique index, which ignores capitals and accents, into words: two companies cannot share a name. */
async function withFreeName<T>(titulo: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.constraint !== 'empresa_by_nombre') throw error;
    throw new NotAllowed(titulo, 'Ya existe una empresa con ese nombre.', { campo: 'nombre', cause: error });
  }
}

/** A far side that people paused, as screens tell it. */
export type Pausada = {
  conexion: string;
  nombre: string;
  pausedAt: Date;
  enEspera: number;
  /** Text of the work that stands still meanwhile; `pantallas` are the screens that tell it. */
  seDetiene: string;
  pantallas: readonly string[];
};

/** The words of a far side that this version no longer knows. */
const FORGOTTEN = { stops: 'Lo que se le pida espera a que se active.', screens: [] };

/** Lists the far sides that are paused, by the name of their company, with how many effects wait for each. */
export async function listPausadas(db: Db): Promise<Pausada[]> {
  const rows = await db
    .selectFrom('empresa')
    .innerJoin('connection', (on) =>
      on.onRef('connection.kind', '=', 'empresa.conexion').on('connection.account', '=', ''),
    )
    .select(['empresa.conexion', 'empresa.nombre', 'connection.pausedAt', EN_ESPERA.as('enEspera')])
    .where('connection.pausedAt', 'is not', null)
    .orderBy('empresa.nombre')
    .execute();
  return rows.map(({ conexion, pausedAt, ...row }) => {
    const { stops, screens } = CONNECTIONS.find(conexion!)?.paused ?? FORGOTTEN;
    return { ...row, conexion: conexion!, pausedAt: pausedAt!, seDetiene: stops, pantallas: screens };
  });
}
