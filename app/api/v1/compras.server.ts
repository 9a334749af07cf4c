import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { ordenesCtList, porConfirmarList, readPedidoFila } from '~/domain/compras/pedidos/listPedidos.server';
import { discardPedido } from '~/domain/compras/pedidos/pedidos.server';
import { ESTADOS } from '~/domain/compras/pedidos/pedido';
import { Monto } from '~/domain/compras/facturas/forms';
import { proveedorFacturasList } from '~/domain/compras/facturas/lists.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { readProducto, saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { confirmWithGuardias } from '~/domain/compras/pedidos/placePedido.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { ProductoEditado } from '~/domain/compras/catalogo/forms';
import { sinPublicacionMl } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { Texto } from '~/core/fields';
import { defineCall, type Call } from '../call.server';
import { etagOf } from '../etag';
import { formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
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

export const PedidoFila = z.object({
  id: z.uuid(),
  folio: z.string(),
  version: z.int(),
  proveedor: z.string(),
  proveedorLabel: z.string(),
  estado: z.enum(ESTADOS),
  via: z.string(),
  folioProveedor: z.string().nullable(),
  facturaFolio: z.string().nullable(),
  creadoEn: Instante,
  venceEn: Instante.nullable(),
  ordenId: z.uuid(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  titulo: z.string(),
  facturaCliente: z.string().nullable(),
  pagado: Pesos,
  costo: Pesos.nullable(),
  lineas: z.array(
    z.object({
      modelo: z.string(),
      cantidad: z.int(),
      precio: z.string().nullable(),
      moneda: z.string().nullable(),
    }),
  ),
});

const FacturaFila = z.object({
  id: z.uuid(),
  fechaCreacion: Instante,
  folio: z.string(),
  monto: Pesos,
  version: z.int(),
  proveedor: z.string(),
  numOrden: z.string(),
  market: z.enum(MARKETS),
  nombre: z.string().nullable(),
  apellidos: z.string().nullable(),
});

const datos = { proveedor: Texto(20), folio: Texto(60), monto: Monto };
const Editada = z.object(datos);

export const compras: Call[] = [
  defineListCall({
    path: '/api/v1/proveedor-facturas',
    resumen: 'Las facturas de proveedores de un periodo.',
    alcance: 'proveedor-facturas',
    acceso: { pantalla: 'facturasProveedores' },
    list: proveedorFacturasList,
    fila: FacturaFila,
    totales: { monto: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/{id}',
    resumen: 'Una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { pantalla: 'facturasProveedores' },
    params: ById,
    answer: FacturaFila,
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => found(readProveedorFactura(db, id)),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas',
    resumen: 'Agrega una factura de proveedor a una orden.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.agregar' },
    status: 201,
    body: z.object({ ...datos, ordenId: z.uuid() }),
    answer: FacturaFila,
    async commit(trx, { body, usuario }) {
      const { id } = await createProveedorFactura(trx, body, usuario.id);
      return found(readProveedorFactura(trx, id));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/proveedor-facturas/{id}',
    resumen: 'Cambia una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    conVersion: true,
    params: ById,
    body: Editada,
    answer: FacturaFila,
    etag: ({ version }) => etagOf(version),
    async commit(trx, { params: { id }, body, version, usuario }) {
      await updateProveedorFactura(trx, { ...body, id, version }, usuario.id);
      return found(readProveedorFactura(trx, id));
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/proveedor-facturas/{id}',
    resumen: 'Elimina una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    conVersion: true,
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, version, usuario }) {
      await deleteProveedorFactura(trx, { id, version }, usuario.id);
      return { id };
    },
  }),
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
    etag: ({ version }) => etagOf(version),
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
      autoOrden: z.boolean(),
      version: z.int(),
      precio: Pesos.nullable(),
      moneda: z.string().nullable(),
      existencia: z.int().nullable(),
      almacenes: z.array(z.object({ almacen: z.string(), nombre: z.string().nullable(), cantidad: z.number() })),
      conectado: z.boolean(),
    }),
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => found(readProducto(db, id, { conOrdenes: false })),
  }),
  defineListCall({
    path: '/api/v1/pedidos/por-confirmar',
    resumen: 'Lo vendido que espera comprarse.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    list: porConfirmarList,
    fila: PedidoFila,
  }),
  defineListCall({
    path: '/api/v1/pedidos/ct',
    resumen: 'Los pedidos a CT.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesCT' },
    list: ordenesCtList,
    fila: PedidoFila,
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/pedidos/{id}',
    resumen: 'Un pedido a un proveedor.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    params: ById,
    answer: PedidoFila,
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => found(readPedidoFila(db, id)),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/pedidos/{id}',
    resumen: 'Quita de la lista un pedido que no se hizo.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' },
    conVersion: true,
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, version, usuario }) {
      await discardPedido(trx, { id, version }, usuario.id);
      return { id };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/confirmacion',
    resumen: 'Confirma un pedido, por lo que costaba cuando se leyó.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' },
    conVersion: true,
    status: 202,
    params: ById,
    body: z.object({
      costo: Pesos.nullable().meta({ description: 'El que se leyó.' }),
      motivo: Texto(300).nullable().default(null),
    }),
    answer: PedidoFila,
    etag: ({ version }) => etagOf(version),
    async run(db, { params: { id }, body: { costo, motivo }, version, usuario }) {
      await found(readPedidoFila(db, id));
      await confirmWithGuardias(db, { pedido: id, version, motivo, costo }, usuario);
      return found(readPedidoFila(db, id));
    },
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
    etag: ({ version }) => etagOf(version),
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
];
