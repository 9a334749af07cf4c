import { z } from 'zod';
import { MARKETS, PRECIOS } from '~/core/market';
import { ordenesCtList, porConfirmarList, readPedidoFila } from '~/domain/compras/pedidos/listPedidos.server';
import {
  cancelPedido,
  discardPedido,
  noteFacturado,
  noteFolio,
  resendCorreo,
} from '~/domain/compras/pedidos/pedidos.server';
import { FolioDePedido, HacerPedido, PedidoCancelado, UnPedido } from '~/domain/compras/pedidos/forms';
import {
  applyReparto,
  discardCfdi,
  listCfdisPendientes,
  receiveCfdis,
  subidosOf,
} from '~/domain/compras/facturas/cfdis.server';
import {
  createProveedor,
  listProveedorOptions,
  listProveedores,
  saveProveedor,
} from '~/domain/compras/directorio/proveedores.server';
import { NewProveedor, ProveedorEditado } from '~/domain/compras/directorio/forms';
import { REGLAS } from '~/domain/compras/directorio/proveedor';
import { declarePar } from '~/domain/compras/catalogo/parientes.server';
import { propiasEscritas, savePropias } from '~/domain/compras/precios/precios.server';
import { huellaOfGanancias, readPropias } from '~/domain/compras/precios/reglas.server';
import { PropiaForm } from '~/domain/compras/precios/forms';
import { updateTiendas } from '~/domain/publicaciones/publicaciones/updateTiendas.server';
import { ESTADOS } from '~/domain/compras/pedidos/pedido';
import { CfdiVisto, Monto, Reparto, XmlSubido } from '~/domain/compras/facturas/forms';
import { proveedorFacturasList } from '~/domain/compras/facturas/lists.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { readProducto, saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import {
  confirmWithGuardias,
  ERROR_CREAR,
  placePedido,
  rereadPedido,
} from '~/domain/compras/pedidos/placePedido.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { PorLeer, ProductoEditado } from '~/domain/compras/catalogo/forms';
import { sinPublicacionMl } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { Texto } from '~/core/fields';
import { defineCall, type Call } from '../call.server';
import { etagOf } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { NotAllowed } from '~/core/errors';
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
  proveedor: z.string().meta({ description: 'La clave del proveedor.' }),
  proveedorLabel: z.string(),
  numOrden: z.string(),
  market: z.enum(MARKETS),
  nombre: z.string().nullable(),
  apellidos: z.string().nullable(),
});

const etag = ({ version }: { version: number }) => etagOf(version);
const operarPedidos = { alcance: 'pedidos', acceso: { derecho: 'pedidos.operar' } } as const;
const pedidoOf = (db: Db | Trx, id: string) => found(readPedidoFila(db, id));
const agregarXml = { alcance: 'proveedor-facturas', acceso: { derecho: 'proveedorFacturas.agregar' } } as const;

/** A supplier's CFDI that is not divided yet, with the marks that its division takes back. */
const Cfdi = z.object({
  id: z.uuid(),
  uuid: z.string(),
  folio: z.string().nullable(),
  proveedor: z.string().nullable(),
  total: Pesos,
  restante: Pesos,
  ilegible: z.boolean(),
  visto: z.object({ huella: z.string(), mostrado: z.string() }),
});

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

const Ganancias = z.object({
  ...Object.fromEntries(PRECIOS.map((key) => [key, texto])),
  huella: z.string().meta({ description: 'La marca de lo que se leyó: un cambio la lleva de regreso.' }),
});
async function gananciasOf(db: Db | Trx, id: string) {
  await found(readProducto(db, id, { conOrdenes: false }));
  const escritas = propiasEscritas((await readPropias(db, [id])).get(id));
  const dichas = Object.fromEntries(PRECIOS.map((key) => [key, escritas[key] || null]));
  return { ...dichas, huella: huellaOfGanancias(escritas) };
}

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
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pedidos',
    resumen: 'Hace el pedido de una venta a uno de sus proveedores; el que ya tenía se responde igual.',
    ...operarPedidos,
    status: 202,
    form: HacerPedido,
    answer: PedidoFila,
    etag,
    async run(db, form, { usuario }) {
      const { id } = await placePedido(db, form, usuario);
      return pedidoOf(db, id);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/lectura',
    resumen: 'Lee otra vez lo que cuesta un pedido y lo que hay.',
    ...operarPedidos,
    params: ById,
    answer: PedidoFila,
    etag,
    async run(db, { params: { id } }) {
      await pedidoOf(db, id);
      const [falla] = (await rereadPedido(db, id)).values();
      if (falla !== undefined) throw new NotAllowed(ERROR_CREAR, falla);
      return pedidoOf(db, id);
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/pedidos/{id}/folio',
    resumen: 'El folio que el proveedor dio a un pedido.',
    ...operarPedidos,
    conVersion: true,
    form: FolioDePedido,
    de: { pedido: 'id' },
    answer: PedidoFila,
    etag,
    async commit(trx, { pedido: id, ...form }, { usuario }) {
      await noteFolio(trx, { id, ...form }, usuario.id);
      return pedidoOf(trx, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/cancelacion',
    resumen: 'Un pedido que su proveedor ya aceptó cancelar.',
    ...operarPedidos,
    conVersion: true,
    form: PedidoCancelado,
    de: { pedido: 'id' },
    answer: PedidoFila,
    etag,
    async commit(trx, { pedido: id, ...form }, { usuario }) {
      await cancelPedido(trx, { id, ...form }, usuario.id);
      return pedidoOf(trx, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/correo',
    resumen: 'Manda otra vez el correo de un pedido.',
    ...operarPedidos,
    conVersion: true,
    status: 202,
    form: UnPedido,
    de: { pedido: 'id' },
    answer: PedidoFila,
    etag,
    async commit(trx, { pedido: id, version }, { usuario }) {
      await resendCorreo(trx, { id, version }, usuario.id);
      return pedidoOf(trx, id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/proveedor-facturas/xml',
    resumen: 'Los CFDI de proveedores que faltan por repartir.',
    ...agregarXml,
    answer: z.array(Cfdi),
    run: (db) => listCfdisPendientes(db) as never,
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/xml',
    resumen: 'Recibe CFDI de proveedores. Lo que no se pudo leer se dice uno por uno.',
    ...agregarXml,
    status: 201,
    recibe: { campo: 'xml', varios: true },
    form: XmlSubido,
    answer: z.object({
      leidos: z.array(z.uuid()),
      rechazados: z.array(z.object({ nombre: z.string(), motivo: z.string() })),
    }),
    commit: async (trx, { xml }, { usuario }) => receiveCfdis(trx, await subidosOf(xml), usuario.id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/xml/{id}/reparto',
    resumen: 'Reparte un CFDI entre órdenes, por sus números.',
    ...agregarXml,
    form: Reparto,
    de: { cfdi: 'id' },
    answer: z.object({ ordenes: z.int() }),
    async commit(trx, form, { usuario }) {
      const ordenes = await applyReparto(trx, form, usuario.id, { rfc: true });
      await noteFacturado(trx, form, usuario.id);
      return { ordenes };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/proveedor-facturas/xml/{id}/descarte',
    resumen: 'Descarta un CFDI que no se va a repartir.',
    ...agregarXml,
    form: CfdiVisto,
    de: { cfdi: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await discardCfdi(trx, form, usuario.id);
      return { id: form.cfdi };
    },
  }),
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
    etag,
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
    etag,
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
    etag,
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
