import { z } from 'zod';
import {
  createProveedor,
  listProveedorOptions,
  listProveedores,
  saveProveedor,
} from '~/domain/compras/directorio/proveedores.server';
import { NewProveedor, ProveedorEditado } from '~/domain/compras/directorio/forms';
import { REGLAS } from '~/domain/compras/directorio/proveedor';
import { Texto } from '~/core/fields';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { found } from '../problem.server';
import type { Db, Trx } from '~db/client.server';

const texto = z.string().nullable();
const Proveedor = z.object({
  value: z.string(),
  label: z.string(),
  linkHome: texto,
  linkProductos: texto,
  linkFactura: texto,
  reglaFactura: z.enum(REGLAS),
  sufijoFactura: texto,
  rfc: texto,
  email: texto,
  activo: z.boolean(),
  version: z.int(),
});
const proveedorOf = async (db: Db | Trx, value: string) =>
  found(Promise.resolve((await listProveedores(db)).find((uno) => uno.value === value)));
const verProveedores = { alcance: 'proveedores', acceso: { pantalla: 'proveedores' } } as const;
const editarProveedores = {
  alcance: 'proveedores',
  acceso: { pantalla: 'proveedores', derecho: 'proveedores.editar' },
} as const;

/** Suppliers themselves. */
export const proveedores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedores',
    resumen: 'Los proveedores.',
    ...verProveedores,
    answer: z.array(Proveedor),
    run: (db) => listProveedores(db),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedores/{value}',
    resumen: 'Un proveedor, por su clave.',
    ...verProveedores,
    params: z.object({ value: Texto(20) }),
    answer: Proveedor,
    etag: etagOfVersion,
    run: (db, { params: { value } }) => proveedorOf(db, value),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedores',
    resumen: 'Agrega un proveedor. Su clave no cambia después.',
    ...editarProveedores,
    status: 201,
    form: NewProveedor,
    answer: Proveedor,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await createProveedor(trx, form, usuario.id);
      return proveedorOf(trx, form.value);
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/proveedores/{value}',
    resumen: 'Cambia los datos de un proveedor.',
    ...editarProveedores,
    conVersion: true,
    form: ProveedorEditado,
    de: { value: 'value' },
    answer: Proveedor,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await proveedorOf(trx, form.value);
      await saveProveedor(trx, form, usuario.id);
      return proveedorOf(trx, form.value);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/catalogos/proveedores',
    resumen: 'Las claves de los proveedores, con su nombre.',
    alcance: 'catalogos',
    acceso: 'sesion',
    answer: z.array(z.object({ clave: z.string(), nombre: z.string() })),
    run: async (db) => (await listProveedorOptions(db)).map(({ value, label }) => ({ clave: value, nombre: label })),
  }),
];
