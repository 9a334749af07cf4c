import { z } from 'zod';
import { civilDay } from '~/core/time';
import { Texto, Version } from '~/core/fields';
import { enviosList, enviosPendientesList, type EnvioRow } from '~/domain/ventas/envios/listEnvios.server';
import { datosDeEnvios } from '~/domain/ventas/envios/detalleEnvio.server';
import { nombreAparte, rastreoUrl } from '~/domain/ventas/envios/envio';
import { confirmWithGuardias, waitForProveedor } from '~/domain/compras/pedidos/placePedido.server';
import {
  ordenesCtList,
  porConfirmarList,
  readPedidoFila,
  type PedidoRow,
} from '~/domain/compras/pedidos/listPedidos.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { discardPedido } from '~/domain/compras/pedidos/pedidos.server';
import { ESTADO_LABEL, POR_CONFIRMAR, QUITADO } from '~/domain/compras/pedidos/pedido';
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
import { datosDeProductos } from '~/domain/compras/catalogo/datosDeProductos.server';
import { readProducto, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { listProveedores } from '~/domain/compras/directorio/proveedores.server';
import { publicacionesOf } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { NotAllowed } from '~/core/errors';
import { Money } from '~/core/money';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { ApiProblem, found } from '../problem.server';
import { Consulta, paginaOf, pageOf, sortOf } from './consulta';
import { Proveedor } from './empresas.server';
import { Hecho, hecho, Id, Instante, Numero, numero, Rango, shapeOf } from './shapes';

const days = ({ from, to }: z.output<typeof Rango>) => ({ desde: civilDay(from), hasta: civilDay(to) });
/** An amount as a number or as people write it. */
const MontoEscrito = z.union([z.number().transform(String), z.string()]).pipe(Monto);

type FacturaDeProveedor = {
  id: string;
  fechaCreacion: Date;
  /** The code of one that was read alone, the label of one of a list, which has its code beside it. */
  proveedor: string;
  proveedorValue?: string;
  proveedorLabel?: string;
  folio: string;
  monto: Parameters<typeof numero>[0];
  nombre: string | null;
  apellidos: string | null;
  numOrden: string;
};
const factura = shapeOf<FacturaDeProveedor>()({
  _id: [z.uuid(), 'id'],
  fechaCreacion: [Instante, 'fechaCreacion'],
  proveedor: [
    z.string().meta({ description: 'El código, como se manda.' }),
    ({ proveedorValue, proveedor }) => proveedorValue ?? proveedor,
  ],
  proveedorLabel: [z.string(), ({ proveedorLabel, proveedor }) => proveedorLabel ?? proveedor],
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
    z.array(
      z.object({
        clave: z.string(),
        cantidad: z.number(),
        precio: Numero.nullable().meta({ description: 'Pesos, sin IVA.' }),
        precioProveedor: Numero.nullable(),
        moneda: z.string().nullable(),
      }),
    ),
    ({ lineas }) =>
      lineas.map(({ modelo, cantidad, precio, moneda, tipoCambio }) => ({
        clave: modelo,
        cantidad,
        precio: numero(
          enPesos(precio === null ? null : Money.of(precio), moneda, tipoCambio === null ? null : Money.of(tipoCambio)),
        ),
        precioProveedor: numero(precio),
        moneda,
      })),
  ],
  respuestaCT: [
    z.object({
      folioFactura: z.string().nullable(),
      pedidoWeb: z.string().nullable(),
      fecha: Instante.nullable(),
      estatus: z.string(),
    }),
    ({ facturaFolio, folioProveedor, creadoEn, estado, dice }) => ({
      folioFactura: facturaFolio,
      pedidoWeb: folioProveedor,
      fecha: creadoEn,
      estatus: dice ?? ESTADO_LABEL[estado],
    }),
  ],
  fecha: [Instante, 'creadoEn'],
  dateCreated: [Instante, 'fechaCreacion'],
  marketId: [z.string(), 'numOrden'],
  paquete: [z.string().nullable(), 'packId'],
  cotizacion: [z.string().nullable(), 'cotizacion'],
  envio: [z.object({ marketId: z.string() }).nullable(), ({ envio }) => (envio === null ? null : { marketId: envio })],
  pagado: [Numero, ({ pagado }) => numero(pagado)],
  clase: [z.string(), 'clase'],
  error: [
    z.string().nullable().meta({ description: 'Con él, lo que sigue es quitarlo de la lista; sin él, confirmarlo.' }),
    ({ errores, estado, detalle }) => errores[0] ?? (estado === 'rechazado' ? (detalle ?? 'Rechazado') : null),
  ],
  almacen: [z.string().nullable(), 'almacen'],
  facturaCliente: [z.string().nullable(), 'facturaCliente'],
});

/** The purchase of a sale that waits to be confirmed, or the purchase itself: the old client has the id of either. */
async function pedidoPorId(db: Db | Trx, id: string, titulo: string) {
  const propio = await readPedidoFila(db, id);
  if (propio) return propio;
  const { pedidos } = await pedidosOfOrden(db, await found(readOrden(db, id)));
  const esperan = pedidos.filter(({ estado }) => POR_CONFIRMAR.some((uno) => uno === estado));
  const ct = esperan.filter(({ proveedor }) => proveedor === 'ct');
  const [uno, ...otros] = ct.length > 0 ? ct : esperan;
  if (!uno) throw new NotAllowed(titulo, 'La orden no tiene un pedido que espere confirmación.');
  if (otros.length > 0)
    throw new NotAllowed(
      titulo,
      'La orden tiene varios pedidos: di cuál por su propio id (_id de ordenesPorConfirmarCt).',
    );
  return found(readPedidoFila(db, uno.id));
}

type EnvioConDatos = EnvioRow & Omit<DatosDeEnvio, 'id'>;
type DatosDeEnvio = NonNullable<ReturnType<Awaited<ReturnType<typeof datosDeEnvios>>['get']>>;
const texto = z.string().nullable();

const envio = shapeOf<EnvioConDatos>()({
  _id: [z.uuid(), 'id'],
  marketId: [z.string().nullable(), 'marketId'],
  dateCreated: [Instante, 'fechaCreacion'],
  estatus: [z.string(), 'estatus'],
  costo: [Numero.nullable(), ({ costo }) => numero(costo)],
  estado: [z.string().nullable(), 'estado'],
  // The old client shows the municipality, and the city where there is none.
  municipio: [texto, ({ municipio, localidad }) => municipio ?? localidad],
  ciudad: [texto, 'ciudad'],
  cobrado: [Numero.nullable(), ({ cobrado }) => numero(cobrado)],
  nombreReceptor: [texto, (fila) => nombreAparte(fila).nombre || null],
  apellidos: [texto, 'apellidos'],
  telefono: [texto, 'telefono'],
  calle: [texto, 'calle'],
  numeroE: [texto, 'numeroE'],
  numeroI: [texto, 'numeroI'],
  calleA: [texto, 'calleA'],
  calleB: [texto, 'calleB'],
  referencia: [texto, 'referencia'],
  colonia: [texto, 'colonia'],
  cp: [texto, 'cp'],
  ordenes: [z.array(z.object({ _id: z.uuid(), marketId: z.string(), numOrden: z.string() })), 'ordenes'],
  paqueteria: [
    z.object({ nombre: texto, link: texto, url: texto, guia: texto }),
    (fila) => ({ nombre: fila.paqueteria, link: rastreoUrl(fila), url: fila.paqueteriaUrl, guia: fila.guia }),
  ],
  datos: [
    z.object({
      last_updated: Instante.nullable(),
      tracking_number: texto,
      shipping_items: z.array(z.object({ quantity: z.number(), description: z.string() })),
    }),
    ({ actualizadoEn, guia, articulos }) => ({
      last_updated: actualizadoEn,
      tracking_number: guia,
      shipping_items: articulos,
    }),
  ],
});

async function enviosOf(db: Db, filas: EnvioRow[]) {
  const datos = await datosDeEnvios(
    db,
    filas.map(({ id }) => id),
  );
  return filas.flatMap((fila) => {
    const suyos = datos.get(fila.id);
    return suyos ? [envio.of({ ...suyos, ...fila })] : [];
  });
}

export const Producto = z.object({
  _id: z.uuid(),
  nombre: z.string().nullable(),
  marca: z.string().nullable(),
  modeloFabricante: z.string().nullable(),
  modeloProveedor: z.string().nullable(),
  proveedor: z.string(),
  idProveedor: z.string(),
  stock: z.number().nullable(),
  precio: Numero.nullable().meta({ description: 'Pesos. Nulo mientras no se sabe el tipo de cambio.' }),
  precioProveedor: Numero.nullable().meta({ description: 'Lo que el proveedor dice, en su moneda.' }),
  moneda: z.string().nullable(),
  costoEnvio: Numero.nullable(),
  precioLista: Numero.nullable(),
  productoMaximo: z.int().nullable(),
  piezasVendidas: z.number(),
  autoOrden: z.boolean(),
  activo: z.boolean(),
  fechaCreacion: Instante,
  lastUpdate: Instante,
  idML: z.string().nullable().meta({ description: 'Su publicación en Mercado Libre.' }),
  gtin: z.array(z.string()),
  datos: z.object({ sku: texto, tvc_id: texto, link: texto }),
});

/** The sheet of a product that suppliers write differently: the number by which TVC knows it, and its page. */
export const datosOf = ({ proveedor, idProveedor, modelo, link }: DeProveedor) => ({
  sku: modelo,
  tvc_id: proveedor === 'tvc' ? idProveedor : null,
  link,
});
type DeProveedor = { proveedor: string; idProveedor: string; modelo: string | null; link: string | null };
type Leido = {
  id: string;
  modelo: string | null;
  existencia: number | null;
  gtins: string[];
  proveedor: string;
  idProveedor: string;
  enVenta: boolean;
  precio: Money | null;
  moneda: string | null;
  tipoCambio: Money | null;
  costoEnvio: Money | null;
  precioLista: Money | null;
};

/** A supplier's price in pesos, at that supplier's own rate; null while the rate is not known. */
export function enPesos(precio: Money | null, moneda: string | null, tipoCambio: Money | null): Money | null {
  if (precio === null || moneda === null || moneda === 'MXN') return precio;
  return tipoCambio && precio.by(tipoCambio);
}

/** Products as the old client reads them. */
export async function productosOf<T extends Leido>(db: Db | Trx, filas: readonly T[]) {
  const ids = filas.map(({ id }) => id);
  const [datos, suyas] = await Promise.all([datosDeProductos(db, ids), publicacionesOf(db, ids)]);
  return filas.map(({ id, modelo, existencia, gtins, precio, ...rest }) => {
    const { productoMaximo, creadoEn, actualizadoEn, link } = datos.get(id)!;
    return {
      ...rest,
      _id: id,
      modeloProveedor: modelo,
      stock: existencia,
      gtin: gtins,
      precio: numero(enPesos(precio, rest.moneda, rest.tipoCambio)),
      precioProveedor: numero(precio),
      costoEnvio: numero(rest.costoEnvio),
      precioLista: numero(rest.precioLista),
      productoMaximo,
      activo: rest.enVenta,
      fechaCreacion: creadoEn,
      lastUpdate: actualizadoEn,
      idML: suyas.find((una) => una.productoId === id && una.market === 'ml')?.marketId ?? null,
      datos: datosOf({ ...rest, modelo, link }),
    };
  });
}

async function productoOf(db: Db | Trx, id: string) {
  const [producto] = await productosOf(db, [await found(readProducto(db, id, { conOrdenes: false }))]);
  return producto!;
}

/** A pedido in one of these states was not taken by its supplier so far: an old call says success only for what is so. */
const SIN_RESPUESTA: readonly string[] = ['borrador', 'enviando', 'incierto'];
const NO_SE_CONFIRMO = 'Error confirmar el pedido o enviar la guia.';
const NO_SE_QUITO = 'Error al eliminar de la lista.';
const productos = { pantalla: 'productos' } as const;
const operar = { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' } as const;

/** Fields of the old client by which products are sorted here. */
const ORDEN = { piezasVendidas: 'vendidas', stock: 'existencia', fechaCreacion: 'alta', dateCreated: 'alta' };

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
      const { page = 1, limit = 101, filtro = escrito ?? '', proveedor, ordenar } = query ?? {};
      const orden = sortOf(ORDEN, ordenar, '-vendidas');
      const search = { q: filtro.replace(/ \.\.\.$/, ''), orden, ...(proveedor && { proveedor }) };
      const { filas, pagina } = await pageOf(db, productosList, search, { page, limit }, usuario);
      return { docs: await productosOf(db, filas), ...pagina };
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
    run: async (db, { params, usuario }) => enviosOf(db, await gather(db, enviosList, days(params), usuario)),
  }),
  defineCall({
    method: 'GET',
    path: '/api/envios/pendientes/{from}/{to}',
    resumen: 'Los envíos de un rango que no han llegado.',
    alcance: 'envios',
    acceso: { pantalla: 'enviosPendientes' },
    params: Rango,
    answer: z.object({ envios: z.array(envio.wire), proveedores: z.array(Proveedor) }),
    run: async (db, { params, usuario }) => ({
      envios: await enviosOf(db, await gather(db, enviosPendientesList, days(params), usuario)),
      proveedores: await listProveedores(db),
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
    run: (db, { params: { id } }) => productoOf(db, id),
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
      return productoOf(trx, id);
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
      return productoOf(db, leido);
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
      const { id: pedido, version, costo } = await pedidoPorId(db, id, NO_SE_CONFIRMO);
      const visto = { pedido, version, motivo, costo: costo?.toFixed(2) ?? null };
      const dicho = await waitForProveedor(db, await confirmWithGuardias(db, visto, usuario), NO_SE_CONFIRMO);
      const { estado } = await found(readPedidoFila(db, pedido));
      if (SIN_RESPUESTA.includes(estado)) throw new ApiProblem('en-curso', dicho, { titulo: NO_SE_CONFIRMO });
      return hecho(dicho);
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
      const { id: pedido, version } = await pedidoPorId(trx, id, NO_SE_QUITO);
      await discardPedido(trx, { id: pedido, version }, usuario.id);
      return hecho(QUITADO);
    },
  }),
];
