import { z } from 'zod';
import { isAcceptablePassword, PASSWORD_RULE } from '~/core/password';
import { Email, Texto, Version } from '~/core/fields';
import { parseRol, ROLES, type Rol } from '~/core/usuario';
import {
  changePassword,
  createUsuario,
  findUsuario,
  setActivo,
  updateOwnInformacion,
  updateUsuario,
  type UsuarioGuardado,
} from '~/domain/personal/usuarios.server';
import { usuariosList } from '~/domain/personal/usuariosList.server';
import type { Usuario as Persona } from '~/core/usuario';
import type { Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { found } from '../problem.server';
import { Hecho, hecho, Instante } from './shapes';

const Usuario = z.object({
  _id: z.uuid(),
  nombre: z.string(),
  apellidos: z.string(),
  user: z.string(),
  email: z.string(),
  rol: z.enum(ROLES),
  activo: z.boolean(),
  fechaCreacion: Instante,
});

type Leido = Pick<
  UsuarioGuardado,
  'id' | 'nombre' | 'apellidos' | 'usuario' | 'email' | 'rol' | 'activo' | 'fechaCreacion'
>;
const usuarioOf = ({ id, usuario, ...rest }: Leido) => ({ ...rest, _id: id, user: usuario });

/** 'su' is how older clients write `sa`. */
const RolEscrito = z
  .string()
  .max(10)
  .transform((text, ctx): Rol => {
    const rol = parseRol(text);
    if (rol) return rol;
    ctx.addIssue({ code: 'custom', message: 'El rol no existe.' });
    return z.NEVER;
  });

const datos = {
  nombre: Texto(80),
  apellidos: Texto(80),
  user: Texto(60).regex(/^\S+$/, 'Usuario No Valido'),
  email: Email,
};
const Password = z
  .string()
  .refine(isAcceptablePassword, 'La contraseña no conincide con los requisitos minimos')
  .meta({ description: PASSWORD_RULE });

/** Whoever sends the version they read is told when it moved; the old client sends none, and its last word counts. */
const version = Version.optional();

const person = (trx: Trx, actor: Persona, id: string) => found(findUsuario(trx, actor, id));

const GUARDADO = 'Se modifico la información general correctamente.';

export const usuarios: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/usuarios',
    resumen: 'Los usuarios.',
    alcance: 'usuarios',
    acceso: { pantalla: 'usuarios' },
    answer: z.array(Usuario),
    run: async (db, { usuario }) => (await gather(db, usuariosList, '', usuario)).map(usuarioOf),
  }),
  defineCall({
    method: 'POST',
    path: '/api/usuario',
    resumen: 'Agrega un usuario.',
    alcance: 'usuarios',
    acceso: { pantalla: 'usuarios', derecho: 'usuarios.editar' },
    body: z.object({ ...datos, rol: RolEscrito, password: Password }),
    answer: Usuario,
    async commit(trx, { body: { user, ...nuevo }, usuario }) {
      const { id } = await createUsuario(trx, usuario, { ...nuevo, usuario: user });
      return usuarioOf(await person(trx, usuario, id));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/usuario',
    resumen: 'Cambia los datos, el rol o el estatus de un usuario.',
    alcance: 'usuarios',
    acceso: { pantalla: 'usuarios', derecho: 'usuarios.editar' },
    body: z.object({ _id: z.uuid(), ...datos, rol: RolEscrito, activo: z.boolean(), version }),
    answer: Usuario,
    async commit(trx, { body: { _id: id, user, activo, version, ...cambio }, usuario: actor }) {
      const before = await person(trx, actor, id);
      const seen = version ?? before.version;
      const { nombre, apellidos, usuario, email, rol } = before;
      const after = { ...cambio, usuario: user };
      const same =
        JSON.stringify([nombre, apellidos, usuario, email, rol]) ===
        JSON.stringify([after.nombre, after.apellidos, after.usuario, after.email, after.rol]);
      if (!same || activo === before.activo) await updateUsuario(trx, actor, { ...after, id, version: seen });
      if (activo !== before.activo) await setActivo(trx, actor, { id, activo, version: same ? seen : seen + 1 });
      return usuarioOf(await person(trx, actor, id));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/password/user',
    resumen: 'Cambia la contraseña de un usuario.',
    alcance: 'usuarios',
    acceso: { pantalla: 'usuarios', derecho: 'usuarios.editar' },
    secreta: true,
    body: z.object({ _id: z.uuid(), password: Password }),
    answer: Hecho,
    async commit(trx, { body: { _id, password }, usuario }) {
      await changePassword(trx, usuario, _id, password);
      return hecho('Se cambio la contraseña correctamente.');
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/self/usuario',
    resumen: 'Los datos propios.',
    alcance: 'cuenta',
    acceso: 'sesion',
    answer: Usuario,
    run: async (db, { usuario }) => usuarioOf((await findUsuario(db, usuario, usuario.id))!),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/self/usuario',
    resumen: 'Cambia los datos propios. El rol y el estatus propios no se cambian.',
    alcance: 'cuenta',
    acceso: { pantalla: 'datosUsuario' },
    body: z.object({ ...datos, rol: RolEscrito.optional(), activo: z.boolean().optional(), version }),
    answer: Hecho,
    async commit(trx, { body: { user, nombre, apellidos, email, version }, usuario }) {
      const before = await person(trx, usuario, usuario.id);
      const datos = { nombre, apellidos, email, usuario: user, version: version ?? before.version };
      await updateOwnInformacion(trx, usuario, datos);
      return hecho(GUARDADO);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/self/password/user',
    resumen: 'Cambia la contraseña propia. Termina todas las sesiones, también esta.',
    alcance: 'cuenta',
    acceso: { pantalla: 'datosUsuario', derecho: 'cuenta.password' },
    secreta: true,
    body: z.object({ password: Password }),
    answer: Hecho,
    async commit(trx, { body: { password }, usuario }) {
      await changePassword(trx, usuario, usuario.id, password);
      return hecho('Se cambio la contraseña correctamente.');
    },
  }),
];
