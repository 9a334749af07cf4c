import { z } from 'zod';
import { civilDay } from '~/core/time';
import { Texto, Version } from '~/core/fields';
import { enviosList, enviosPendientesList, type EnvioRow } from '~/domain/ventas/envios/listEnvios.server';
import { rastreoUrl } from '~/domain/ventas/envios/envio';
import { confirmWithGuardias } from '~/domain/compras/pedidos/placePedido.server';
import {
  ordenesCtList,
  porConfirmarList,
  readPedidoFila,
  type PedidoRow,
} from '~/domain/compras/pedidos/listPedidos.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { discardPedido } from '~/domain/compras/pedidos/pedidos.server';
import { CONFIRMADO, QUITADO } from '~/domain/compras/pedidos/pedido';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { proveedorFacturasList } from '~/domain/compras/facturas/lists.server';
import { Monto } from '~/domain/compras/facturas/forms';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { readProducto, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { found } from '../problem.server';
import { Consulta, paginaOf, pageOf } from './consulta';
import { Hecho, hecho, Id, Instante, Numero, numero, Rango } from './shapes';

const days = ({ from, to }: z.output<typeof Rango>) => ({ desde: civilDay(from), hasta: civilDay(to) });
/** An amount as a number or as people write it. */
const MontoEscrito = z.union([z.number().transform(String), z.string()]).pipe(Monto);

const Factura = z.object({
  _id: z.uuid(),
  fechaCreacion: Instante,
  proveedor: z.string(),
  folio: z.string(),
  monto: Numero,
  usuario: z.object({ nombre: z.string().nullable(), apellidos: z.string().nullable() }),
  orden: z.string(),
});

const Pedido = z.object({
  _id: z.uuid(),
  idPedido: z.string(),
  market: z.string(),
  orden: z.uuid(),
  numOrden: z.string(),
  titulo: z.string(),
  proveedor: z.string(),
  estatus: z.string(),
  producto: z.array(z.object({ clave: z.string(), cantidad: z.number(), precio: Numero.nullable() })),
  respuestaCT: z.object({ folioFactura: z.string().nullable(), pedidoWeb: z.string().nullable() }),
  almacen: z.string().nullable(),
  facturaCliente: z.string().nullable(),
});
const pedidoOf = (pedido: PedidoRow): z.output<typeof Pedido> => ({
  _id: pedido.id,
  idPedido: pedido.folio,
  market: pedido.market,
  orden: pedido.ordenId,
  numOrden: pedido.numOrden,
  titulo: pedido.titulo,
  proveedor: pedido.proveedor,
  estatus: pedido.estado,
  producto: pedido.lineas.map(({ modelo, cantidad, precio }) => ({ clave: modelo, cantidad, precio: numero(precio) })),
  respuestaCT: { folioFactura: pedido.facturaFolio, pedidoWeb: pedido.folioProveedor },
  almacen: pedido.almacen,
  facturaCliente: pedido.facturaCliente,
});

const Envio = z.object({
  _id: z.uuid(),
  marketId: z.string().nullable(),
  dateCreated: Instante,
  estatus: z.string(),
  costo: Numero.nullable(),
  estado: z.string().nullable(),
  municipio: z.string().nullable(),
  paqueteria: z.object({
    nombre: z.string().nullable(),
    link: z.string().nullable(),
    guia: z.string().nullable(),
  }),
  datos: z.object({ last_updated: Instante.nullable(), tracking_number: z.string().nullable() }),
});
const envioOf = (envio: EnvioRow) => ({
  _id: envio.id,
  marketId: envio.marketId,
  dateCreated: envio.fechaCreacion,
  estatus: envio.estatus,
  costo: numero(envio.costo),
  estado: envio.estado,
  municipio: envio.localidad,
  paqueteria: { nombre: envio.paqueteria, link: rastreoUrl(envio), guia: envio.guia },
  datos: { last_updated: envio.actualizadoEn, tracking_number: envio.guia },
});

export const Producto = z.object({
  _id: z.uuid(),
  nombre: z.string().nullable(),
  marca: z.string().nullable(),
  modeloFabricante: z.string().nullable(),
  modeloProveedor: z.string().nullable(),
  proveedor: z.string(),
  idProveedor: z.string(),
  stock: z.number().nullable(),
  precio: Numero.nullable(),
  costoEnvio: Numero.nullable(),
  precioLista: Numero.nullable(),
  piezasVendidas: z.number(),
  autoOrden: z.boolean(),
  gtin: z.array(z.string()),
});
type Leido = {
  id: string;
  modelo: string | null;
  existencia: number | null;
  gtins: string[];
  precio: Parameters<typeof numero>[0];
  costoEnvio: Parameters<typeof numero>[0];
  precioLista: Parameters<typeof numero>[0];
};
export const productoOf = <T extends Leido>({ id, modelo, existencia, gtins, ...rest }: T) => ({
  ...rest,
  _id: id,
  modeloProveedor: modelo,
  stock: existencia,
  gtin: gtins,
  precio: numero(rest.precio),
  costoEnvio: numero(rest.costoEnvio),
  precioLista: numero(rest.precioLista),
});

const productos = { pantalla: 'productos' } as const;
const operar = { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' } as const;

const paginado = (path: string, resumen: string) =>
  defineCall({
    method: 'GET',
    path,
    resumen,
    alcance: 'productos',
    acceso: productos,
    query: z.object({ query: Consulta.optional(), filtro: z.string().max(200).optional() }),
    answer: paginaOf(Producto),
    async run(db, { query: { query, filtro: escrito }, usuario }) {
      const { page = 1, limit = 101, filtro = escrito ?? '', proveedor } = query ?? {};
      const search = { q: filtro.replace(/ \.\.\.$/, ''), ...(proveedor && { proveedor }) };
      const { filas, pagina } = await pageOf(db, productosList, search, { page, limit }, usuario);
      return { docs: filas.map(productoOf), ...pagina };
    },
  });

export const comprasAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/proveedorFacturas/{from}/{to}',
    resumen: 'Las facturas de proveedores de un rango.',
    alcance: 'proveedor-facturas',
    acceso: { pantalla: 'facturasProveedores' },
    params: Rango,
    answer: z.array(Factura),
    run: async (db, { params, usuario }) =>
      (await gather(db, proveedorFacturasList, days(params), usuario)).map(facturaOf),
  }),
  defineCall({
    method: 'POST',
    path: '/api/proveedorFactura',
    resumen: 'Agrega una factura de proveedor a una orden.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.agregar' },
    body: z.object({ folio: Texto(60), monto: MontoEscrito, proveedor: Texto(20), orden: z.uuid() }),
    answer: Factura,
    async commit(trx, { body: { orden: ordenId, ...datos }, usuario }) {
      const { id } = await createProveedorFactura(trx, { ...datos, ordenId }, usuario.id);
      return facturaOf(await found(readProveedorFactura(trx, id)));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/proveedorFactura',
    resumen: 'Cambia una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    body: z.object({
      _id: z.uuid(),
      folio: Texto(60),
      monto: MontoEscrito,
      proveedor: Texto(20),
      version: Version.optional(),
    }),
    answer: Factura,
    async commit(trx, { body: { _id: id, version, ...datos }, usuario }) {
      const before = await found(readProveedorFactura(trx, id));
      await updateProveedorFactura(trx, { ...datos, id, version: version ?? before.version }, usuario.id);
      return facturaOf(await found(readProveedorFactura(trx, id)));
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/proveedorFactura/{id}',
    resumen: 'Elimina una factura de proveedor.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.editar' },
    params: Id,
    answer: Hecho,
    async commit(trx, { params: { id }, usuario }) {
      const { version } = await found(readProveedorFactura(trx, id));
      await deleteProveedorFactura(trx, { id, version }, usuario.id);
      return hecho('Se elimino la factura correctamente.');
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/syscom/factura/{id}',
    resumen: 'Lo que Syscom facturó de una orden, según sus pedidos.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    params: Id,
    answer: z.array(
      z.object({ pedido: z.string(), folio: z.string(), monto: Numero.nullable(), moneda: z.string().nullable() }),
    ),
    async run(db, { params: { id } }) {
      const { pedidos } = await pedidosOfOrden(db, await found(readOrden(db, id)));
      return pedidos.flatMap(({ proveedor, folio, facturaFolio, facturaTotal, facturaMoneda }) =>
        proveedor === 'syscom' && facturaFolio !== null
          ? [{ pedido: folio, folio: facturaFolio, monto: numero(facturaTotal), moneda: facturaMoneda }]
          : [],
      );
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/envios/{from}/{to}',
    resumen: 'Los envíos de un rango.',
    alcance: 'envios',
    acceso: { pantalla: 'envios' },
    params: Rango,
    answer: z.array(Envio),
    run: async (db, { params, usuario }) => (await gather(db, enviosList, days(params), usuario)).map(envioOf),
  }),
  defineCall({
    method: 'GET',
    path: '/api/envios/pendientes/{from}/{to}',
    resumen: 'Los envíos de un rango que no han llegado.',
    alcance: 'envios',
    acceso: { pantalla: 'enviosPendientes' },
    params: Rango,
    answer: z.object({ envios: z.array(Envio), proveedores: z.array(z.string()) }),
    run: async (db, { params, usuario }) => ({
      envios: (await gather(db, enviosPendientesList, days(params), usuario)).map(envioOf),
      proveedores: [],
    }),
  }),
  paginado('/api/productos', 'Los productos, por páginas.'),
  paginado('/api/productoFiltrado', 'Los productos que se buscan, por páginas.'),
  defineCall({
    method: 'GET',
    path: '/api/producto/{id}',
    resumen: 'Un producto.',
    alcance: 'productos',
    acceso: productos,
    params: Id,
    answer: Producto,
    run: async (db, { params: { id } }) => productoOf(await found(readProducto(db, id, { conOrdenes: false }))),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/producto/{id}',
    resumen: 'Cambia lo propio de un producto.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.editar' },
    params: Id,
    body: z.object({
      productoMaximo: z.number().int().min(1).max(9_999).nullable().optional(),
      costoEnvio: z.number().min(0).max(9_999_999.99).nullable().optional(),
      precioLista: z.number().min(0.01).max(9_999_999.99).nullable().optional(),
      autoOrden: z.boolean().optional(),
      version: Version.optional(),
    }),
    answer: Producto,
    async commit(trx, { params: { id }, body: { version, ...cambio }, usuario }) {
      const before = await found(readProducto(trx, id, { conOrdenes: false }));
      const pesos = (escrito: number | null | undefined, antes: { toFixed(decimals: 2): string } | null) =>
        escrito === undefined ? (antes?.toFixed(2) ?? null) : escrito === null ? null : escrito.toFixed(2);
      await saveProducto(
        trx,
        {
          id,
          version: version ?? before.version,
          productoMaximo: cambio.productoMaximo === undefined ? before.productoMaximo : cambio.productoMaximo,
          costoEnvio: pesos(cambio.costoEnvio, before.costoEnvio),
          precioLista: pesos(cambio.precioLista, before.precioLista),
          autoOrden: cambio.autoOrden ?? before.autoOrden,
        },
        usuario.id,
      );
      return productoOf(await found(readProducto(trx, id, { conOrdenes: false })));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/producto/update/{id}',
    resumen: 'Lee un producto otra vez de su proveedor.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.leer' },
    porGet: true,
    params: Id,
    answer: Producto,
    async run(db, { params: { id } }) {
      const { proveedor, idProveedor } = await found(readProducto(db, id, { conOrdenes: false }));
      const leido = await fetchProducto(db, { proveedor, idProveedor });
      return productoOf(await found(readProducto(db, leido, { conOrdenes: false })));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/ct/lista',
    resumen: 'Los pedidos a CT.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesCT' },
    answer: z.array(Pedido),
    run: async (db, { usuario }) => (await gather(db, ordenesCtList, '', usuario)).map(pedidoOf),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenesPorConfirmarCt',
    resumen: 'Lo vendido que espera comprarse.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    answer: z.array(Pedido),
    run: async (db, { usuario }) => (await gather(db, porConfirmarList, '', usuario)).map(pedidoOf),
  }),
  defineCall({
    method: 'POST',
    path: '/api/orden/confirmarCT/{id}',
    resumen: 'Confirma un pedido.',
    alcance: 'pedidos',
    acceso: operar,
    params: Id,
    body: z.object({ motivo: Texto(300).nullable().default(null) }),
    answer: Hecho,
    async run(db, { params: { id }, body: { motivo }, usuario }) {
      const { version, costo } = await found(readPedidoFila(db, id));
      const visto = { pedido: id, version, motivo, costo: costo?.toFixed(2) ?? null };
      await confirmWithGuardias(db, visto, usuario);
      return hecho(CONFIRMADO);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/orden/list/ct/{id}',
    resumen: 'Quita un pedido de la lista.',
    alcance: 'pedidos',
    acceso: operar,
    params: Id,
    answer: Hecho,
    async commit(trx, { params: { id }, usuario }) {
      const { version } = await found(readPedidoFila(trx, id));
      await discardPedido(trx, { id, version }, usuario.id);
      return hecho(QUITADO);
    },
  }),
];

function facturaOf(factura: {
  id: string;
  fechaCreacion: Date;
  proveedor: string;
  folio: string;
  monto: Parameters<typeof numero>[0];
  nombre: string | null;
  apellidos: string | null;
  numOrden: string;
}) {
  const { id, fechaCreacion, proveedor, folio, monto, nombre, apellidos, numOrden } = factura;
  return {
    _id: id,
    fechaCreacion,
    proveedor,
    folio,
    monto: numero(monto) ?? 0,
    usuario: { nombre, apellidos },
    orden: numOrden,
  };
}
