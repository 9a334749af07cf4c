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
import { Hecho, hecho, Id, Instante, Numero, numero, Rango, shapeOf } from './shapes';

const days = ({ from, to }: z.output<typeof Rango>) => ({ desde: civilDay(from), hasta: civilDay(to) });
/** An amount as a number or as people write it. */
const MontoEscrito = z.union([z.number().transform(String), z.string()]).pipe(Monto);

type FacturaDeProveedor = {
  id: string;
  fechaCreacion: Date;
  proveedor: string;
  folio: string;
  monto: Parameters<typeof numero>[0];
  nombre: string | null;
  apellidos: string | null;
  numOrden: string;
};
const factura = shapeOf<FacturaDeProveedor>()({
  _id: [z.uuid(), 'id'],
  fechaCreacion: [Instante, 'fechaCreacion'],
  proveedor: [z.string(), 'proveedor'],
  folio: [z.string(), 'folio'],
  monto: [Numero, ({ monto }) => numero(monto) ?? 0],
  usuario: [
    z.object({ nombre: z.string().nullable(), apellidos: z.string().nullable() }),
    ({ nombre, apellidos }) => ({ nombre, apellidos }),
  ],
  orden: [z.string(), 'numOrden'],
});

const pedido = shapeOf<PedidoRow>()({
  _id: [z.uuid(), 'id'],
  idPedido: [z.string(), 'folio'],
  market: [z.string(), 'market'],
  orden: [z.uuid(), 'ordenId'],
  numOrden: [z.string(), 'numOrden'],
  titulo: [z.string(), 'titulo'],
  proveedor: [z.string(), 'proveedor'],
  estatus: [z.string(), 'estado'],
  producto: [
    z.array(z.object({ clave: z.string(), cantidad: z.number(), precio: Numero.nullable() })),
    ({ lineas }) => lineas.map(({ modelo, cantidad, precio }) => ({ clave: modelo, cantidad, precio: numero(precio) })),
  ],
  respuestaCT: [
    z.object({ folioFactura: z.string().nullable(), pedidoWeb: z.string().nullable() }),
    ({ facturaFolio, folioProveedor }) => ({ folioFactura: facturaFolio, pedidoWeb: folioProveedor }),
  ],
  almacen: [z.string().nullable(), 'almacen'],
  facturaCliente: [z.string().nullable(), 'facturaCliente'],
});

const envio = shapeOf<EnvioRow>()({
  _id: [z.uuid(), 'id'],
  marketId: [z.string().nullable(), 'marketId'],
  dateCreated: [Instante, 'fechaCreacion'],
  estatus: [z.string(), 'estatus'],
  costo: [Numero.nullable(), ({ costo }) => numero(costo)],
  estado: [z.string().nullable(), 'estado'],
  municipio: [z.string().nullable(), 'localidad'],
  paqueteria: [
    z.object({ nombre: z.string().nullable(), link: z.string().nullable(), guia: z.string().nullable() }),
    (fila) => ({ nombre: fila.paqueteria, link: rastreoUrl(fila), guia: fila.guia }),
  ],
  datos: [
    z.object({ last_updated: Instante.nullable(), tracking_number: z.string().nullable() }),
    ({ actualizadoEn, guia }) => ({ last_updated: actualizadoEn, tracking_number: guia }),
  ],
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
    answer: z.array(factura.wire),
    run: async (db, { params, usuario }) =>
      (await gather(db, proveedorFacturasList, days(params), usuario)).map(factura.of),
  }),
  defineCall({
    method: 'POST',
    path: '/api/proveedorFactura',
    resumen: 'Agrega una factura de proveedor a una orden.',
    alcance: 'proveedor-facturas',
    acceso: { derecho: 'proveedorFacturas.agregar' },
    body: z.object({ folio: Texto(60), monto: MontoEscrito, proveedor: Texto(20), orden: z.uuid() }),
    answer: factura.wire,
    async commit(trx, { body: { orden: ordenId, ...datos }, usuario }) {
      const { id } = await createProveedorFactura(trx, { ...datos, ordenId }, usuario.id);
      return factura.of(await found(readProveedorFactura(trx, id)));
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
    answer: factura.wire,
    async commit(trx, { body: { _id: id, version, ...datos }, usuario }) {
      const before = await found(readProveedorFactura(trx, id));
      await updateProveedorFactura(trx, { ...datos, id, version: version ?? before.version }, usuario.id);
      return factura.of(await found(readProveedorFactura(trx, id)));
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
    answer: z.array(envio.wire),
    run: async (db, { params, usuario }) => (await gather(db, enviosList, days(params), usuario)).map(envio.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/envios/pendientes/{from}/{to}',
    resumen: 'Los envíos de un rango que no han llegado.',
    alcance: 'envios',
    acceso: { pantalla: 'enviosPendientes' },
    params: Rango,
    answer: z.object({ envios: z.array(envio.wire), proveedores: z.array(z.string()) }),
    run: async (db, { params, usuario }) => ({
      envios: (await gather(db, enviosPendientesList, days(params), usuario)).map(envio.of),
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
    answer: z.array(pedido.wire),
    run: async (db, { usuario }) => (await gather(db, ordenesCtList, '', usuario)).map(pedido.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenesPorConfirmarCt',
    resumen: 'Lo vendido que espera comprarse.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    answer: z.array(pedido.wire),
    run: async (db, { usuario }) => (await gather(db, porConfirmarList, '', usuario)).map(pedido.of),
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
