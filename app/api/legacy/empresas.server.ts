import { z } from 'zod';
import { Texto } from '~/core/fields';
import {
  createEmpresa,
  empresasList,
  findEmpresa,
  renameEmpresa,
  setEmpresaActiva,
} from '~/domain/personal/empresas.server';
import type { Usuario } from '~/core/usuario';
import { agentesList, createAgente, findAgente, setAgenteActivo } from '~/domain/compras/directorio/agentes.server';
import { NewAgente } from '~/domain/compras/directorio/forms';
import { listProveedores } from '~/domain/compras/directorio/proveedores.server';
import type { Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { found } from '../problem.server';
import { Hecho, hecho, Id, Instante } from './shapes';

const Empresa = z.object({ _id: z.uuid(), nombre: z.string(), activo: z.boolean(), fechaCreacion: Instante });
const Nombre = z.object({ nombre: Texto(80) });
const acceso = { pantalla: 'empresas' } as const;

async function activate(trx: Trx, actor: Usuario, id: string, activo: boolean) {
  const { version } = await found(findEmpresa(trx, id));
  const nombre = await setEmpresaActiva(trx, actor, { id, version, activo });
  return hecho(`El estatus de la empresa ${nombre} se cambio correctamente.`);
}

const Agente = z.object({
  _id: z.uuid(),
  fechaCreacion: Instante,
  nombre: z.string(),
  apellidos: z.string(),
  email: z.string(),
  proveedor: z.string(),
  activo: z.boolean(),
});

export const Proveedor = z.object({
  value: z.string(),
  label: z.string(),
  linkHome: z.string().nullable(),
  linkProductos: z.string().nullable(),
  linkFactura: z.string().nullable(),
});

export const empresas: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/empresas',
    resumen: 'Las empresas.',
    alcance: 'empresas',
    acceso,
    answer: z.array(Empresa),
    run: async (db, { usuario }) =>
      (await gather(db, empresasList, '', usuario)).map(({ id, ...empresa }) => ({ ...empresa, _id: id })),
  }),
  defineCall({
    method: 'POST',
    path: '/api/empresa',
    resumen: 'Agrega una empresa.',
    alcance: 'empresas',
    acceso,
    body: Nombre,
    answer: Hecho.extend({ _id: z.uuid() }),
    commit: async (trx, { body: { nombre }, usuario }) => ({
      _id: await createEmpresa(trx, usuario, nombre),
      ...hecho('Se agrego la empresa correctamente.'),
    }),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/empresa/{id}',
    resumen: 'Cambia el nombre de una empresa.',
    alcance: 'empresas',
    acceso,
    params: Id,
    body: Nombre,
    answer: Hecho,
    async commit(trx, { params: { id }, body: { nombre }, usuario }) {
      const { version } = await found(findEmpresa(trx, id));
      await renameEmpresa(trx, usuario, { id, nombre, version });
      return hecho('Se modifico la empresa correctamente.');
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/empresa/{id}',
    resumen: 'Desactiva una empresa.',
    alcance: 'empresas',
    acceso,
    params: Id,
    answer: Hecho,
    commit: (trx, { params: { id }, usuario }) => activate(trx, usuario, id, false),
  }),
  defineCall({
    method: 'POST',
    path: '/api/empresa/activar/{id}',
    resumen: 'Activa una empresa.',
    alcance: 'empresas',
    acceso,
    porGet: true,
    params: Id,
    answer: Hecho,
    commit: (trx, { params: { id }, usuario }) => activate(trx, usuario, id, true),
  }),
  defineCall({
    method: 'GET',
    path: '/api/empresa/proveedores',
    resumen: 'Los proveedores, con sus direcciones.',
    alcance: 'proveedores',
    // Every role has a screen that names suppliers: aux chooses one in its finder, cont reads their links in Ordenes.
    acceso: 'sesion',
    answer: z.array(Proveedor),
    run: (db) => listProveedores(db),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ventaAgentes',
    resumen: 'Los agentes de ventas.',
    alcance: 'proveedores',
    acceso: { pantalla: 'agentesVentas' },
    answer: z.array(Agente),
    run: async (db, { usuario }) =>
      (await gather(db, agentesList, '', usuario)).map(({ id, ...agente }) => ({ ...agente, _id: id })),
  }),
  defineCall({
    method: 'POST',
    path: '/api/ventaAgente',
    resumen: 'Agrega un agente de ventas.',
    alcance: 'proveedores',
    acceso: { pantalla: 'agentesVentas' },
    body: NewAgente,
    answer: Hecho,
    async commit(trx, { body, usuario }) {
      await createAgente(trx, body, usuario.id);
      return hecho('Datos actualizados correctamente');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/ventaAgentes/cambiarEstado',
    resumen: 'Activa o desactiva a un agente de ventas.',
    alcance: 'proveedores',
    acceso: { pantalla: 'agentesVentas' },
    body: z.object({ agente: z.uuid(), estado: z.boolean() }),
    answer: Hecho,
    async commit(trx, { body: { agente, estado: activo }, usuario }) {
      const { version } = await found(findAgente(trx, agente));
      await setAgenteActivo(trx, { id: agente, activo, version }, usuario.id);
      return hecho('Datos actualizados correctamente');
    },
  }),
];
