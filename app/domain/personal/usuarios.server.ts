import { sql } from 'kysely';
import pg from 'pg';
import { FACIL_DE_ADIVINAR, isCommonPassword } from '~/core/commonPassword';
import { env } from '~/core/env.server';
import { choqueOfFila, withEtiquetas, cambiosEntre, writeMostrado, type Choque, type Mostrado } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { rowOf } from '~/core/table';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { isGuessable } from '~/domain/personal/internal/adivinable.server';
import { hashPassword } from '~/domain/personal/internal/passwordHash.server';
import { forgetDispositivos } from './dispositivos.server';
import { revokeSessions, SESIONES } from './sesiones.server';
import { assignableRoles, mayManage, ROL_LABEL, type Rol, type Usuario } from '~/core/usuario';
import type { InformacionDeUsuario, InformacionGeneral, NewUsuario } from './forms';

const COLUMNS = [
  'usuario.id',
  'usuario.usuario',
  'usuario.nombre',
  'usuario.apellidos',
  'usuario.email',
  'usuario.rol',
  'usuario.activo',
  'usuario.fechaCreacion',
  'usuario.version',
] as const;

/** A user as the table has them. */
export type UsuarioGuardado = Usuario & { fechaCreacion: Date; version: number };

/** Returns a user, with the number of places where they are signed in; null when `actor` may not see them. */
export async function findUsuario(
  db: Db | Trx,
  actor: Pick<Usuario, 'id' | 'rol'>,
  id: string,
): Promise<(UsuarioGuardado & { sesiones: number }) | null> {
  const found = await db
    .selectFrom('usuario')
    .select(COLUMNS)
    .select(SESIONES.as('sesiones'))
    .where('usuario.id', '=', id)
    .executeTakeFirst();
  return found && (found.id === actor.id || mayManage(actor, found)) ? found : null;
}

const AL_AGREGAR = 'Error al agregar.';

/**
 * Adds a user. `actor` is null when an operator does it from the command line. Throws `NotAllowed` for a role that the actor may not give, a common
 * password, or a taken name.
 */
export async function createUsuario(trx: Trx, actor: Usuario | null, nuevo: NewUsuario): Promise<{ id: string }> {
  requireRol(AL_AGREGAR, actor, nuevo.rol);
  await requireUncommon(AL_AGREGAR, nuevo.password, nuevo.usuario);
  return insertUsuario(trx, actor, nuevo);
}

/**
 * Adds a user without the rules of `createUsuario`: the demo's password stands on its login page and is the shop's own name. Throws `NotAllowed` for a
 * taken name.
 */
export async function insertUsuario(
  trx: Trx,
  actor: Usuario | null,
  { password, nombre, apellidos, usuario, email, rol }: NewUsuario,
): Promise<{ id: string }> {
  const passwordHash = await hashPassword(password);
  const created = await withFreeLogin(AL_AGREGAR, () =>
    trx
      .insertInto('usuario')
      .values({ nombre, apellidos, usuario, email, rol, passwordHash })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await record(trx, {
    usuarioId: actor?.id ?? null,
    entidad: 'usuario',
    entidadId: created.id,
    accion: 'crear',
    datos: { usuario, rol },
  });
  return created;
}

/** Changes a person's own information: everything but the role. Throws as `updateUsuario`. */
export async function updateOwnInformacion(trx: Trx, actor: Usuario, informacion: InformacionGeneral): Promise<void> {
  await updateUsuario(trx, actor, { ...informacion, id: actor.id, rol: actor.rol });
}

/**
 * Changes the information and role of a user; a change of role ends their sessions. Throws `Stale` when the row moved, and `NotAllowed` for a role
 * that may not be given, or for the last active sa.
 */
export async function updateUsuario(
  trx: Trx,
  actor: Usuario,
  { id, version, rol, nombre, apellidos, usuario, email }: InformacionDeUsuario,
): Promise<void> {
  const titulo = 'Error de actualización.';
  const target = await lockUsuario(trx, actor, id, titulo);
  if (target.version !== version)
    throw new Stale(
      choqueOfFila(
        ETIQUETAS,
        { nombre, apellidos, usuario, email, rol: ROL_LABEL[rol] },
        { ...target, rol: ROL_LABEL[target.rol] },
      ),
    );
  if (rol !== target.rol) {
    if (id === actor.id) throw new NotAllowed(titulo, 'Nadie puede cambiar su propio rol.', { campo: 'rol' });
    requireRol(titulo, actor, rol, target.rol);
    if (target.rol === 'sa') await requireAnotherSa(trx, titulo, id);
  }
  await withFreeLogin(titulo, () =>
    trx
      .updateTable('usuario')
      .set({ nombre, apellidos, usuario, email, rol, version: version + 1 })
      .where('id', '=', id)
      .execute(),
  );
  if (rol !== target.rol) await revokeSessions(trx, id);
  const after = { nombre, apellidos, usuario, email, rol };
  const changed = Object.entries(after)
    .filter(([name, value]) => rowOf(target, name) !== value)
    .map(([name]) => name);
  await record(trx, {
    usuarioId: actor.id,
    entidad: 'usuario',
    entidadId: id,
    accion: 'modificar',
    datos: { cambios: changed, ...(rol !== target.rol ? { de: target.rol, a: rol } : {}) },
  });
}

const ETIQUETAS = { nombre: 'Nombre', apellidos: 'Apellidos', usuario: 'Usuario', email: 'Email', rol: 'Rol' } as const;

/** The state of a user that a screen showed. */
export type UsuarioVisto = { version: number; mostrado: Mostrado };

type Identidad = Pick<UsuarioGuardado, keyof typeof ETIQUETAS | 'activo' | 'version'>;
const mostradoOf = ({ rol, activo, ...usuario }: Identidad): Mostrado => ({
  ...withEtiquetas(ETIQUETAS, { ...usuario, rol: ROL_LABEL[rol] }),
  Estatus: activo ? 'Activo' : 'Inactivo',
});

/** Returns the marks of the person whose password a form changes. */
export const marcasOfUsuario = (usuario: Identidad) => ({
  version: usuario.version,
  mostrado: writeMostrado(mostradoOf(usuario)),
});

/**
 * Changes a password and ends every session of that user; the caller opens a new one for a person who changed their own. Without `visto` nobody
 * looked at a screen: the caller is the operator of the machine. Throws `Stale` when the user changed since, and `NotAllowed` for a common password.
 */
export async function changePassword(
  trx: Trx,
  actor: Usuario | null,
  id: string,
  password: string,
  visto?: UsuarioVisto,
): Promise<void> {
  const titulo = 'Error de actualización.';
  const target = await lockUsuario(trx, actor, id, titulo);
  if (visto && target.version !== visto.version) {
    const cambios = cambiosEntre(visto.mostrado, mostradoOf(target));
    // The password, which no screen shows, is the only other thing that moves a version.
    const contrasena = { campo: 'Contraseña', mio: 'la de antes', suyo: 'otra' };
    throw new Stale({ cambios: cambios.length > 0 ? cambios : [contrasena], marcas: marcasOfUsuario(target) });
  }
  await requireUncommon(titulo, password, target.usuario);
  const passwordHash = await hashPassword(password);
  await trx
    .updateTable('usuario')
    .set({ passwordHash, version: sql`version + 1` })
    .where('id', '=', target.id)
    .execute();
  await revokeSessions(trx, target.id);
  await forgetDispositivos(trx, target.id);
  await record(trx, {
    usuarioId: actor?.id ?? null,
    entidad: 'usuario',
    entidadId: target.id,
    accion: 'cambiarPassword',
  });
}

/**
 * Activates or deactivates a user, and returns them as they were. A deactivation ends every session of that user. Throws `Stale` when the row moved,
 * and `NotAllowed` for oneself or the last active sa.
 */
export async function setActivo(
  trx: Trx,
  actor: Usuario,
  { id, activo, version }: { id: string; activo: boolean; version: number },
): Promise<UsuarioGuardado> {
  const titulo = activo ? 'Error de activación.' : 'Error de desactivación.';
  const target = await lockUsuario(trx, actor, id, titulo);
  if (target.version !== version) throw new Stale(choqueOfEstatus(target, activo));
  if (!activo && id === actor.id) throw new NotAllowed(titulo, 'Nadie puede desactivarse a sí mismo.');
  if (!activo && target.rol === 'sa') await requireAnotherSa(trx, titulo, id);
  await trx
    .updateTable('usuario')
    .set({ activo, version: version + 1 })
    .where('id', '=', id)
    .execute();
  if (!activo) await revokeSessions(trx, id);
  await record(trx, {
    usuarioId: actor.id,
    entidad: 'usuario',
    entidadId: id,
    accion: activo ? 'activar' : 'desactivar',
  });
  return target;
}

/** Returns what a moved row tells: its status now, or else who the row is by now. */
function choqueOfEstatus(target: UsuarioGuardado, activo: boolean): Choque {
  const estatus = (on: boolean) => (on ? 'Activo' : 'Inactivo');
  const { nombre, apellidos, usuario, rol, version } = target;
  const ahora = `${usuario}: ${nombre} ${apellidos}, ${ROL_LABEL[rol]}`;
  return {
    cambios: [
      target.activo === activo
        ? { campo: 'Estatus', mio: estatus(!activo), suyo: estatus(activo) }
        : { campo: 'Usuario', mio: 'como estaba en la lista', suyo: ahora },
    ],
    marcas: { version },
  };
}

/**
 * Locks and returns the row of a user. Throws `NotAllowed` when this person may not touch it. All active sa are locked first, always in the same
 * order, so the last one cannot be lost.
 */
async function lockUsuario(trx: Trx, actor: Usuario | null, id: string, titulo: string): Promise<UsuarioGuardado> {
  await trx
    .selectFrom('usuario')
    .select('id')
    .where('rol', '=', 'sa')
    .where('activo', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  const target = await trx
    .selectFrom('usuario')
    .select(COLUMNS)
    .where('usuario.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!target || (actor && actor.id !== id && !mayManage(actor, target)))
    throw new NotAllowed(titulo, 'El usuario no existe.');
  return target;
}

async function requireAnotherSa(trx: Trx, titulo: string, id: string) {
  const another = await trx
    .selectFrom('usuario')
    .select('id')
    .where('rol', '=', 'sa')
    .where('activo', '=', true)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (!another) throw new NotAllowed(titulo, 'Es el último Super Usuario activo: nombra a otro antes.');
}

/**
 * Throws `NotAllowed` for a password that is easy to guess, with the names of the shop and the user among the words. The form has the rule of length.
 */
async function requireUncommon(titulo: string, password: string, usuario: string): Promise<void> {
  const own = ['Trastienda', env().MARCA, usuario];
  if (isCommonPassword(password, own) || (await isGuessable(password, own)))
    throw new NotAllowed(titulo, FACIL_DE_ADIVINAR, { campo: 'password' });
}

function requireRol(titulo: string, actor: Usuario | null, rol: Rol, current?: Rol) {
  if (actor && !assignableRoles(actor, current).includes(rol))
    throw new NotAllowed(titulo, 'No puedes dar ese rol.', { campo: 'rol' });
}

/** Turns the refusal of the unique index, which ignores capitals, into words: two people cannot sign in by one name. */
async function withFreeLogin<T>(titulo: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.constraint !== 'usuario_by_login') throw error;
    throw new NotAllowed(titulo, 'Ya existe un usuario con ese nombre de usuario.', { campo: 'usuario', cause: error });
  }
}
