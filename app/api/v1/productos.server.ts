import { z } from 'zod';
import { PRECIOS } from '~/core/market';
import { declarePar } from '~/domain/compras/catalogo/parientes.server';
import { propiasEscritas, savePropias } from '~/domain/compras/precios/precios.server';
import { huellaOfGanancias, readPropias } from '~/domain/compras/precios/reglas.server';
import { PropiaForm } from '~/domain/compras/precios/forms';
import { updateTiendas } from '~/domain/publicaciones/publicaciones/updateTiendas.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { readProducto, saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { addFotos, advanceFoto, readFotos, removeFoto } from '~/domain/compras/catalogo/fotos.server';
import { FotoAMover, FotosNuevas, PorLeer, ProductoEditado } from '~/domain/compras/catalogo/forms';
import { sinPublicacionMl } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { HuellaLeida, Instante, Pesos } from '../wire';
import type { Db, Trx } from '~db/client.server';
import { ById } from './ordenes.server';

const Precio = z.object({ precio: Pesos, queda: Pesos }).nullable();
const ProductoFila = z.object({
  id: z.uuid(),
  proveedor: z.string(),
  proveedorLabel: z.string(),
  idProveedor: z.string(),
  modelo: z.string().nullable(),
  modeloFabricante: z.string().nullable(),
  nombre: z.string().nullable(),
  marca: z.string().nullable(),
  gtins: z.array(z.string()),
  piezasVendidas: z.int(),
  autoOrden: z.boolean(),
  precioLista: Pesos.nullable(),
  costoEnvio: Pesos.nullable(),
  ausenteDesde: Instante.nullable(),
  precio: Pesos.nullable(),
  moneda: z.string().nullable(),
  sinPrecio: z.string().nullable(),
  tipoCambio: Pesos.nullable(),
  existencia: z.int().nullable(),
  precioEn: Instante.nullable(),
  existenciaEn: Instante.nullable(),
  caducada: z.boolean(),
  precios: z.object({ ml: Precio, amz: Precio }),
});
const texto = z.string().nullable();
const Ganancias = z.object({
  ...Object.fromEntries(PRECIOS.map((key) => [key, texto])),
  huella: HuellaLeida,
});
async function gananciasOf(db: Db | Trx, id: string) {
  await found(readProducto(db, id, { conOrdenes: false }));
  const escritas = propiasEscritas((await readPropias(db, [id])).get(id));
  const dichas = Object.fromEntries(PRECIOS.map((key) => [key, escritas[key] || null]));
  return { ...dichas, huella: huellaOfGanancias(escritas) };
}

const editar = { alcance: 'productos', acceso: { pantalla: 'productos', derecho: 'productos.editar' } } as const;

const Fotos = z.array(
  z.object({
    id: z.string(),
    url: z.string(),
    propia: z.boolean(),
    copia: z.string().nullable(),
    ancho: z.int().nullable(),
    alto: z.int().nullable(),
    estado: z.enum(['lista', 'pendiente', 'ajena', 'mala']),
    problema: z.string().nullable(),
  }),
);
async function fotosOf(db: Db | Trx, id: string) {
  await found(readProducto(db, id, { conOrdenes: false }));
  return (await readFotos(db, id)).map(({ archivoId: _, ...foto }) => foto);
}

/** Products of the catalogues, their own mark-ups and their listings. */
export const productos: Call[] = [
  defineListCall({
    path: '/api/v1/productos',
    resumen: 'Los productos de los proveedores.',
    alcance: 'productos',
    acceso: { pantalla: 'productos' },
    list: productosList,
    fila: ProductoFila,
    totales: { todos: z.int() },
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/productos/{id}',
    resumen: 'Si lo que se vende de un producto se pide solo.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.editar' },
    conVersion: true,
    params: ById,
    body: z.object({ autoOrden: z.boolean() }),
    answer: z.object({ id: z.uuid(), autoOrden: z.boolean(), version: z.int() }),
    etag: etagOfVersion,
    async commit(trx, { params: { id }, body: { autoOrden }, version, usuario }) {
      await saveAutoOrden(trx, { id, version, autoOrden }, usuario.id);
      return { id, autoOrden, version: version + 1 };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/productos/{id}',
    resumen: 'Un producto.',
    alcance: 'productos',
    acceso: { pantalla: 'productos' },
    params: ById,
    answer: z.object({
      id: z.uuid(),
      proveedor: z.string(),
      idProveedor: z.string(),
      modelo: z.string().nullable(),
      modeloFabricante: z.string().nullable(),
      nombre: z.string().nullable(),
      marca: z.string().nullable(),
      gtins: z.array(z.string()),
      productoMaximo: z.int().nullable(),
      costoEnvio: Pesos.nullable(),
      precioLista: Pesos.nullable(),
      autoOrden: z.boolean(),
      version: z.int(),
      precio: Pesos.nullable(),
      moneda: z.string().nullable(),
      existencia: z.int().nullable(),
      almacenes: z.array(z.object({ almacen: z.string(), nombre: z.string().nullable(), cantidad: z.number() })),
      conectado: z.boolean(),
    }),
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readProducto(db, id, { conOrdenes: false })),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/productos/{id}',
    resumen: 'Cambia lo propio de un producto. Lo que va en null no se sabe.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.editar' },
    conVersion: true,
    params: ById,
    body: z.object({
      productoMaximo: z.int().min(1).max(9_999).nullable(),
      costoEnvio: Pesos.nullable(),
      precioLista: Pesos.nullable(),
      autoOrden: z.boolean(),
    }),
    answer: z.object({
      id: z.uuid(),
      productoMaximo: z.int().nullable(),
      costoEnvio: Pesos.nullable(),
      precioLista: Pesos.nullable(),
      autoOrden: z.boolean(),
      version: z.int(),
    }),
    etag: etagOfVersion,
    async commit(
      trx,
      { params: { id }, body: { productoMaximo, costoEnvio, precioLista, autoOrden }, version, usuario },
    ) {
      await found(readProducto(trx, id, { conOrdenes: false }));
      const editado = formOf(ProductoEditado, {
        id,
        version,
        productoMaximo: productoMaximo === null ? undefined : String(productoMaximo),
        costoEnvio: costoEnvio ?? undefined,
        precioLista: precioLista ?? undefined,
        autoOrden: autoOrden ? '1' : '0',
      });
      await saveProducto(trx, editado, usuario.id);
      return found(readProducto(trx, id, { conOrdenes: false }));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/productos/{id}/lectura',
    resumen: 'Lee un producto otra vez de su proveedor.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.leer' },
    params: ById,
    answer: z.object({ id: z.uuid(), precio: Pesos.nullable(), existencia: z.int().nullable(), version: z.int() }),
    async run(db, { params: { id } }) {
      const { proveedor, idProveedor } = await found(readProducto(db, id, { conOrdenes: false }));
      const leido = await fetchProducto(db, { proveedor, idProveedor });
      return found(readProducto(db, leido, { conOrdenes: false }));
    },
  }),
  defineListCall({
    path: '/api/v1/productos/sin-publicacion',
    resumen: 'Lo que los proveedores venden y no está en Mercado Libre.',
    alcance: 'productos',
    acceso: { pantalla: 'publicadorML' },
    list: sinPublicacionMl,
    fila: z.object({
      id: z.uuid(),
      proveedor: z.string(),
      proveedorLabel: z.string(),
      idProveedor: z.string(),
      modelo: z.string().nullable(),
      nombre: z.string().nullable(),
      marca: z.string().nullable(),
      gtins: z.array(z.string()),
      piezasVendidas: z.int(),
      precio: Pesos.nullable(),
      moneda: z.string().nullable(),
      existencia: z.int().nullable(),
      precios: Precio,
    }),
    totales: { todos: z.int() },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/productos/{id}/fotos',
    resumen: 'Sube fotos propias de un producto, después de las que tiene.',
    ...editar,
    status: 201,
    recibe: { campo: 'fotos', varios: true },
    form: FotosNuevas,
    de: { id: 'id' },
    answer: Fotos,
    async run(db, form, { usuario }) {
      await addFotos(db, form, usuario.id);
      return fotosOf(db, form.id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/productos/{id}/fotos',
    resumen: 'Las fotos de un producto: primero las propias, luego las de su proveedor.',
    alcance: 'productos',
    acceso: { pantalla: 'productos' },
    params: ById,
    answer: Fotos,
    run: (db, { params: { id } }) => fotosOf(db, id),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/productos/{id}/fotos/{foto}',
    resumen: 'Quita una foto propia.',
    ...editar,
    params: FotoAMover,
    answer: Fotos,
    async commit(trx, { params, usuario }) {
      await removeFoto(trx, params, usuario.id);
      return fotosOf(trx, params.id);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/productos/{id}/fotos/{foto}/adelanto',
    resumen: 'Pone una foto propia un lugar antes.',
    ...editar,
    params: FotoAMover,
    answer: Fotos,
    async commit(trx, { params, usuario }) {
      await advanceFoto(trx, params, usuario.id);
      return fotosOf(trx, params.id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/productos/{id}/ganancia',
    resumen: 'La ganancia propia de un producto; null donde vale la de su proveedor.',
    alcance: 'productos',
    acceso: { pantalla: 'productos' },
    params: ById,
    answer: Ganancias,
    run: (db, { params: { id } }) => gananciasOf(db, id),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/productos/{id}/ganancia',
    resumen: 'Cambia la ganancia propia de un producto.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'proveedores.editar' },
    form: PropiaForm,
    de: { id: 'id' },
    answer: Ganancias,
    async commit(trx, form, { usuario }) {
      await gananciasOf(trx, form.id);
      await savePropias(trx, form, usuario.id);
      return gananciasOf(trx, form.id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/productos/{id}/pares/{otroId}',
    resumen: 'Si dos productos son la misma pieza; null retira lo dicho.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.editar' },
    params: ById.extend({ otroId: z.uuid() }),
    body: z.object({ igual: z.boolean().nullable() }),
    answer: ById,
    async commit(trx, { params: { id, otroId }, body: { igual }, usuario }) {
      await Promise.all([id, otroId].map((uno) => found(readProducto(trx, uno, { conOrdenes: false }))));
      await declarePar(trx, { uno: id, otro: otroId, igual }, usuario.id);
      return { id };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/productos/{id}/tiendas',
    resumen: 'Lleva a las tiendas el precio y la existencia de ahora de un producto.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'productos', derecho: 'publicaciones.leer' },
    params: ById,
    answer: z.object({ dice: z.string() }),
    async run(db, { params: { id } }) {
      await found(readProducto(db, id, { conOrdenes: false }));
      return { dice: await updateTiendas(db, id) };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/productos/lectura',
    resumen: 'Lee un producto de su proveedor por la clave de este, esté o no en el catálogo.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.leer' },
    form: PorLeer,
    answer: ById,
    run: async (db, form) => ({ id: await fetchProducto(db, form) }),
  }),
];
