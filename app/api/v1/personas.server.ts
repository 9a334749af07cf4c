import { z } from 'zod';
import { Email, Texto } from '~/core/fields';
import { isAcceptablePassword, PASSWORD_RULE } from '~/core/password';
import {
  createEmpresa,
  empresasList,
  findEmpresa,
  renameEmpresa,
  setEmpresaActiva,
} from '~/domain/personal/empresas.server';
import { ROLES, type Usuario as Persona } from '~/core/usuario';
import {
  changePassword,
  createUsuario,
  findUsuario,
  setActivo,
  updateUsuario,
} from '~/domain/personal/usuarios.server';
import { dropSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { usuariosList } from '~/domain/personal/usuariosList.server';
import {
  agentesList,
  createAgente,
  findAgente,
  saveAgente,
  setAgenteActivo,
} from '~/domain/compras/directorio/agentes.server';
import { NewAgente } from '~/domain/compras/directorio/forms';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante } from '../wire';
import { ById } from './ordenes.server';

const usuariosDe = { alcance: 'usuarios', acceso: { pantalla: 'usuarios' } } as const;
const editarUsuarios = { alcance: 'usuarios', acceso: { pantalla: 'usuarios', derecho: 'usuarios.editar' } } as const;
const empresasDe = { alcance: 'empresas', acceso: { pantalla: 'empresas' } } as const;
const agentesDe = { alcance: 'proveedores', acceso: { pantalla: 'agentesVentas' } } as const;
const editarAgentes = {
  alcance: 'proveedores',
  acceso: { pantalla: 'agentesVentas', derecho: 'proveedores.editar' },
} as const;

const Activacion = z.object({ activo: z.boolean() });

const Usuario = z.object({
  id: z.uuid(),
  usuario: z.string(),
  nombre: z.string(),
  apellidos: z.string(),
  email: z.string(),
  rol: z.enum(ROLES),
  activo: z.boolean(),
  sesiones: z.int().meta({ description: 'En cuántos lugares tiene abierta su sesión.' }),
  fechaCreacion: Instante,
  version: z.int(),
});

const datosDeUsuario = {
  usuario: Texto(60).regex(/^\S+$/, 'Usuario No Valido'),
  nombre: Texto(80),
  apellidos: Texto(80),
  email: Email,
  rol: z.enum(ROLES),
};
const Password = z
  .string()
  .refine(isAcceptablePassword, 'La contraseña no conincide con los requisitos minimos')
  .meta({ description: PASSWORD_RULE });

const usuarioOf = (db: Db | Trx, actor: Persona, id: string) => found(findUsuario(db, actor, id));

const Empresa = z.object({
  id: z.uuid(),
  nombre: z.string(),
  activo: z.boolean(),
  conexion: z.string().nullable().meta({ description: 'La integración que se pausa con ella.' }),
  enEspera: z.int().meta({ description: 'Cuánto espera a que se active.' }),
  version: z.int(),
});
const NombreDeEmpresa = z.object({ nombre: Texto(80) });
const empresaOf = (db: Db | Trx, id: string) => found(findEmpresa(db, id));

const Agente = z.object({
  id: z.uuid(),
  nombre: z.string(),
  apellidos: z.string(),
  email: z.string(),
  proveedor: z.string(),
  proveedorLabel: z.string(),
  telefono: z.string().nullable(),
  activo: z.boolean(),
  fechaCreacion: Instante,
  version: z.int(),
});
const agenteOf = (db: Db | Trx, id: string) => found(findAgente(db, id));

/** Who works here, with whom, and whom they write to. */
export const personas: Call[] = [
  defineListCall({
    path: '/api/v1/usuarios',
    resumen: 'Los usuarios. Solo un Super Usuario ve a los demás.',
    ...usuariosDe,
    list: usuariosList,
    fila: Usuario,
    totales: { activos: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/usuarios/{id}',
    resumen: 'Un usuario.',
    ...usuariosDe,
    params: ById,
    answer: Usuario,
    etag: etagOfVersion,
    run: (db, { params: { id }, usuario }) => usuarioOf(db, usuario, id),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/usuarios',
    resumen: 'Agrega un usuario.',
    ...editarUsuarios,
    status: 201,
    body: z.object({ ...datosDeUsuario, password: Password }),
    answer: Usuario,
    etag: etagOfVersion,
    async commit(trx, { body, usuario }) {
      const { id } = await createUsuario(trx, usuario, body);
      return usuarioOf(trx, usuario, id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/usuarios/{id}',
    resumen: 'Cambia los datos y el rol de un usuario. Otro rol termina sus sesiones.',
    ...editarUsuarios,
    conVersion: true,
    params: ById,
    body: z.object(datosDeUsuario),
    answer: Usuario,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body, version, usuario }) {
      await usuarioOf(trx, usuario, id);
      await updateUsuario(trx, usuario, { ...body, id, version });
      return usuarioOf(trx, usuario, id);
    },
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/usuarios/{id}',
    resumen: 'Activa o desactiva a un usuario. Desactivarlo termina sus sesiones.',
    ...editarUsuarios,
    conVersion: true,
    params: ById,
    body: Activacion,
    answer: Usuario,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { activo }, version, usuario }) {
      await usuarioOf(trx, usuario, id);
      await setActivo(trx, usuario, { id, activo, version });
      return usuarioOf(trx, usuario, id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/usuarios/{id}/password',
    resumen: 'Cambia la contraseña de un usuario. Termina sus sesiones.',
    ...editarUsuarios,
    conVersion: true,
    secreta: true,
    params: ById,
    body: z.object({ password: Password }),
    answer: Usuario,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { password }, version, usuario }) {
      await usuarioOf(trx, usuario, id);
      await changePassword(trx, usuario, id, password, { version, mostrado: {} });
      return usuarioOf(trx, usuario, id);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}/segundo-factor',
    resumen: 'Quita a una persona su verificación en dos pasos. Sus sesiones terminan.',
    alcance: 'usuarios',
    acceso: { pantalla: 'usuarios', derecho: 'usuarios.segundoFactor' },
    params: ById,
    answer: Usuario,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, usuario }) {
      await usuarioOf(trx, usuario, id);
      await dropSegundoFactor(trx, usuario, id);
      return usuarioOf(trx, usuario, id);
    },
  }),
  defineListCall({
    path: '/api/v1/empresas',
    resumen: 'Las empresas con las que se trabaja.',
    ...empresasDe,
    list: empresasList,
    fila: Empresa.extend({ fechaCreacion: Instante }),
    totales: { activas: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/empresas/{id}',
    resumen: 'Una empresa.',
    ...empresasDe,
    params: ById,
    answer: Empresa,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => empresaOf(db, id),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/empresas',
    resumen: 'Agrega una empresa.',
    ...empresasDe,
    status: 201,
    body: NombreDeEmpresa,
    answer: Empresa,
    etag: etagOfVersion,
    commit: async (trx, { body: { nombre }, usuario }) => empresaOf(trx, await createEmpresa(trx, usuario, nombre)),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/empresas/{id}',
    resumen: 'Cambia el nombre de una empresa.',
    ...empresasDe,
    conVersion: true,
    params: ById,
    body: NombreDeEmpresa,
    answer: Empresa,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { nombre }, version, usuario }) {
      await empresaOf(trx, id);
      await renameEmpresa(trx, usuario, { id, nombre, version });
      return empresaOf(trx, id);
    },
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/empresas/{id}',
    resumen: 'Activa o desactiva una empresa. La de una integración la pausa.',
    ...empresasDe,
    conVersion: true,
    params: ById,
    body: Activacion,
    answer: Empresa,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { activo }, version, usuario }) {
      await empresaOf(trx, id);
      await setEmpresaActiva(trx, usuario, { id, version, activo });
      return empresaOf(trx, id);
    },
  }),
  defineListCall({
    path: '/api/v1/agentes',
    resumen: 'Los agentes de ventas de los proveedores.',
    ...agentesDe,
    list: agentesList,
    fila: Agente,
    totales: { activos: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/agentes/{id}',
    resumen: 'Un agente de ventas.',
    ...agentesDe,
    params: ById,
    answer: Agente,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => agenteOf(db, id),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/agentes',
    resumen: 'Agrega un agente de ventas.',
    ...editarAgentes,
    status: 201,
    body: NewAgente,
    answer: Agente,
    etag: etagOfVersion,
    async commit(trx, { body, usuario }) {
      const { id } = await createAgente(trx, body, usuario.id);
      return agenteOf(trx, id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/agentes/{id}',
    resumen: 'Corrige los datos de un agente de ventas. Los correos ya pedidos conservan la dirección de entonces.',
    ...editarAgentes,
    conVersion: true,
    params: ById,
    body: NewAgente,
    answer: Agente,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body, version, usuario }) {
      await agenteOf(trx, id);
      await saveAgente(trx, { ...body, id, version }, usuario.id);
      return agenteOf(trx, id);
    },
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/agentes/{id}',
    resumen: 'Activa o desactiva a un agente de ventas.',
    ...editarAgentes,
    conVersion: true,
    params: ById,
    body: Activacion,
    answer: Agente,
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { activo }, version, usuario }) {
      await agenteOf(trx, id);
      await setAgenteActivo(trx, { id, activo, version }, usuario.id);
      return agenteOf(trx, id);
    },
  }),
];
