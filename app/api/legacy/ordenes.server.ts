import { z } from 'zod';
import { screensOf, type Rol } from '~/access/screens';
import { NotAllowed } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { readEnd } from '~/core/time';
import type { Usuario } from '~/core/usuario';
import { isDoneSoon } from '~/platform/effects/effects.server';
import { sendEnlaceByMessage } from '~/domain/facturacion/enlaces/enlaceEnvios.server';
import { changeToEntregado } from '~/domain/ventas/ordenes/changeToEntregado.server';
import { ESTATUS_LABEL } from '~/domain/ventas/ordenes/estatus';
import { condicionOf } from '~/domain/ventas/ordenes/filtroAnterior.server';
import { ordenesOfNumero, ordenesOfRango, type OrdenConTodo } from '~/domain/ventas/ordenes/ordenesConTodo.server';
import { readFila } from '~/domain/ventas/ordenes/listOrdenes.server';
import { mailProveedores } from '~/domain/compras/directorio/mailProveedor.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { found } from '../problem.server';
import { Consulta, EnJson } from './consulta';
import { Hecho, hecho, Id, Instante, Numero, numero, Rango } from './shapes';

const ImporteAmz = z.object({ CurrencyCode: z.string(), Amount: z.string() });
const OrderItem = z.object({
  Title: z.string(),
  SellerSKU: z.string().nullable(),
  QuantityOrdered: z.number(),
  ItemPrice: ImporteAmz,
  ItemTax: ImporteAmz,
  ShippingPrice: ImporteAmz,
  ShippingTax: ImporteAmz,
});
const PedidoDeOrden = z.object({
  idPedido: z.string(),
  error: z.string().nullable(),
  estatus: z.string(),
  respuestaCT: z.object({ folioFactura: z.string().nullable(), pedidoWeb: z.string().nullable() }),
});

export const Orden = z.object({
  _id: z.uuid(),
  marketId: z.string(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  dateCreated: Instante,
  titulo: z.string(),
  productos: z.array(
    z.object({
      nombre: z.string(),
      sku: z.string().nullable(),
      cantidad: z.number(),
      precioUnitario: Numero,
      comision: Numero.nullable(),
    }),
  ),
  paquete: z.string().nullable(),
  estatus: z.string(),
  cotizacion: z.string().nullable(),
  pagos: z.array(z.string()).meta({ description: 'Las formas de pago del SAT, la primera es la de la factura.' }),
  datos: z.object({
    id: z.string(),
    status: z.string(),
    tags: z.array(z.string()),
    payments: z.array(
      z.object({
        id: z.string(),
        operation_type: z.string().nullable(),
        status: z.string().nullable(),
        payment_method_id: z.string().nullable(),
        transaction_amount: Numero.nullable(),
      }),
    ),
    shipping: z.object({ id: z.string().nullable() }),
    buyer: z.object({ id: z.string().nullable(), nickname: z.string().nullable() }),
    order_items: z.array(
      z.object({
        item: z.object({ id: z.string().nullable(), title: z.string(), seller_sku: z.string().nullable() }),
        quantity: z.number(),
        unit_price: Numero,
        sale_fee: Numero.nullable(),
      }),
    ),
    items: z
      .object({ OrderItems: z.array(OrderItem) })
      .nullable()
      .meta({ description: 'Solo de Amazon.' }),
  }),
  pagado: Numero.nullable(),
  pagadoAbs: Numero.nullable(),
  comision: Numero.nullable(),
  retencion: Numero.nullable(),
  envioPropio: z.boolean(),
  envio: z
    .object({
      marketId: z.string().nullable(),
      cobrado: Numero.nullable(),
      costo: Numero.nullable(),
      estatus: z.string().nullable(),
    })
    .nullable(),
  envios: z.array(z.object({ marketId: z.string().nullable(), estatus: z.string() })),
  facturaCliente: z
    .object({ folio: z.string(), numOrden: z.string().nullable(), datoFiscal: z.object({ rfc: z.string() }) })
    .nullable(),
  proveedorFacturas: z.array(z.object({ _id: z.uuid(), proveedor: z.string(), folio: z.string(), monto: Numero })),
  datosProveedor: z
    .record(z.string(), z.object({ pedido: PedidoDeOrden }))
    .meta({ description: 'El último pedido a cada proveedor, por su código.' }),
  proveedorPagos: z
    .array(z.object({ _id: z.uuid(), folio: z.string(), proveedor: z.string() }))
    .optional()
    .meta({ description: 'Solo para quien ve los pagos a proveedores.' }),
});

/** An amount as Amazon writes it. */
const importeAmz = (importe: Money) => ({ CurrencyCode: 'MXN', Amount: importe.toFixed(2) });

/** The lines as Amazon told them to the old client: price and tax of the whole line, and the shipping on the first one. */
function orderItemsOf({ articulos, envioCobrado, envioAdicional }: OrdenConTodo) {
  const envio = envioCobrado === null || envioCobrado.isZero() ? envioAdicional : envioCobrado;
  return articulos.map(({ nombre, sku, cantidad, importe, tasaIva }, at) => {
    const whole = Money.of(importe);
    const neto = whole.withoutIva(tasaIva).cents();
    const deEnvio = at === 0 ? envio : Money.zero;
    const netoDeEnvio = deEnvio.withoutIva().cents();
    return {
      Title: nombre,
      SellerSKU: sku,
      QuantityOrdered: cantidad,
      ItemPrice: importeAmz(neto),
      ItemTax: importeAmz(whole.minus(neto)),
      ShippingPrice: importeAmz(netoDeEnvio),
      ShippingTax: importeAmz(deEnvio.minus(netoDeEnvio)),
    };
  });
}

/** The sale as the old client reads it, with the payments to its suppliers for who may see those. */
export function ordenOf(orden: OrdenConTodo, { rol }: { rol: Rol }): z.output<typeof Orden> {
  const vePagos = screensOf(rol).some(([key]) => key === 'pagosProveedores');
  return {
    _id: orden.id,
    marketId: orden.marketId,
    market: orden.market,
    numOrden: orden.numOrden,
    dateCreated: orden.fechaCreacion.toISOString(),
    titulo: orden.titulo,
    productos: orden.articulos.map(({ nombre, sku, cantidad, precioUnitario, comision }) => ({
      nombre,
      sku,
      cantidad,
      precioUnitario: numero(precioUnitario),
      comision: numero(comision),
    })),
    paquete: orden.packId,
    estatus: orden.estatus,
    cotizacion: orden.cotizacion,
    pagos: orden.formaPago === null ? [] : [orden.formaPago],
    datos: {
      id: orden.marketId,
      status: orden.marketStatus,
      tags: orden.tags,
      payments: orden.pagos,
      shipping: { id: orden.envioMarketId },
      buyer: { id: orden.compradorId, nickname: orden.comprador },
      order_items: orden.articulos.map(({ itemId, nombre, sku, cantidad, precioUnitario, comision }) => ({
        item: { id: itemId, title: nombre, seller_sku: sku },
        quantity: cantidad,
        unit_price: numero(precioUnitario),
        sale_fee: numero(comision),
      })),
      items: orden.market === 'amz' ? { OrderItems: orderItemsOf(orden) } : null,
    },
    pagado: numero(orden.pagado),
    pagadoAbs: numero(orden.pagadoAbs),
    comision: numero(orden.comision),
    retencion: numero(orden.retencion),
    envioPropio: orden.envioPropio,
    envio:
      orden.envioEstatus === null
        ? null
        : {
            marketId: orden.envioMarketId,
            cobrado: numero(orden.envioCobrado),
            costo: numero(orden.envioCosto),
            estatus: orden.envioEstatus,
          },
    envios: orden.envioEstatus === null ? [] : [{ marketId: orden.envioMarketId, estatus: orden.envioEstatus }],
    facturaCliente:
      orden.facturaFolio === null
        ? null
        : { folio: orden.facturaFolio, numOrden: orden.facturaNumOrden, datoFiscal: { rfc: orden.facturaRfc ?? '' } },
    proveedorFacturas: orden.proveedorFacturas.map((factura) => ({ ...factura, monto: numero(factura.monto) })),
    datosProveedor: Object.fromEntries(
      orden.pedidos.map(({ proveedor, folioFactura, pedidoWeb, ...pedido }) => [
        proveedor,
        { pedido: { ...pedido, respuestaCT: { folioFactura, pedidoWeb } } },
      ]),
    ),
    ...(vePagos && { proveedorPagos: orden.proveedorPagos }),
  };
}

async function inRange(db: Db, range: z.output<typeof Rango>, filtro: unknown, usuario: Usuario) {
  const rows = await ordenesOfRango(db, range, filtro === undefined ? null : condicionOf(filtro)).execute();
  return rows.map((orden) => ordenOf(orden, usuario));
}

const acceso = { pantalla: 'ordenes' } as const;
const operar = { pantalla: 'ordenes', derecho: 'ordenes.operar' } as const;
const alcance = 'ordenes';
/** The old client sends its conditions as `filtro` in one place and as `query` in others. */
const filtros = { filtro: EnJson.optional(), query: EnJson.optional() };

const DIAS_91 = 91 * 86_400_000;

export const ordenesAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/ordenes/estatus',
    resumen: 'Los códigos de estatus y cómo se leen.',
    alcance,
    acceso,
    answer: z.record(z.string(), z.string()),
    run: () => Promise.resolve({ ...ESTATUS_LABEL }),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/rangoFecha/{from}/{to}',
    resumen: 'Las ordenes de un rango.',
    alcance,
    acceso,
    params: Rango,
    query: z.strictObject(filtros, 'El filtro va en «filtro» o en «query».'),
    answer: z.array(Orden),
    run: (db, { params, query, usuario }) => inRange(db, params, query.filtro ?? query.query, usuario),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/rangoFechaV2/{from}/{to}/{filtro}',
    resumen: 'Las ordenes de un rango que cumplen un filtro.',
    alcance,
    acceso,
    params: Rango.extend({ filtro: EnJson }),
    answer: z.array(Orden),
    run: (db, { params: { filtro, ...range }, usuario }) => inRange(db, range, filtro, usuario),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenes/{orden}',
    resumen: 'Las ordenes de un número.',
    alcance,
    acceso,
    params: z.object({ orden: z.string().min(1).max(120) }),
    answer: z.array(Orden),
    async run(db, { params: { orden }, usuario }) {
      const found = await ordenesOfNumero(db, orden);
      if (found.length === 0) throw new NotAllowed('Orden', 'La orden no existe.');
      return found.map((una) => ordenOf(una, usuario));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenesActivas',
    resumen: 'Las ordenes que faltan por enviar.',
    alcance,
    acceso: { pantalla: 'ordenesActivas' },
    query: z.object({ query: Consulta.optional() }),
    answer: z.object({ docs: z.array(Orden) }),
    async run(db, { query: { query }, usuario, now }) {
      const { limit = 201, page = 1, search } = query ?? {};
      const { $gte, $lte } = search?.dateCreated ?? {};
      const range = {
        from: $gte === undefined ? new Date(now.getTime() - DIAS_91) : readEnd($gte, 'from')!,
        to: $lte === undefined ? now : readEnd($lte, 'to')!,
      };
      const docs = await ordenesOfRango(db, range, condicionOf({ estatus: 'enPreparacion' }))
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { docs: docs.map((una) => ordenOf(una, usuario)) };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/orden/cambioEstatus/{id}',
    resumen: 'Cambia una orden a Entregado.',
    alcance,
    acceso: { pantalla: 'ordenesActivas', derecho: 'ordenes.operar' },
    params: Id,
    answer: Hecho,
    async commit(trx, { params: { id }, usuario, now }) {
      await changeToEntregado(trx, id, usuario.id, now);
      return hecho('Se realizo el cambio de estatus.');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/envio/sendEmail/{id}',
    resumen: 'Envía el correo de una orden a sus proveedores.',
    alcance,
    acceso: operar,
    porGet: true,
    params: Id,
    answer: Hecho,
    async run(db, { params: { id }, usuario }) {
      const done = await mailProveedores(db, id, usuario.id);
      return hecho(done ? 'Se envio el correo.' : 'El correo está en camino.');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/envio/sendLinkFactura/{id}',
    resumen: 'Envía al cliente de una orden el link de su factura.',
    alcance,
    acceso: operar,
    porGet: true,
    params: Id,
    answer: Hecho,
    async run(db, { params: { id }, usuario }) {
      const { numOrden } = await found(readFila(db, id));
      const mensaje = await sendEnlaceByMessage(db, { numero: numOrden, usuarioId: usuario.id });
      const done = await isDoneSoon(db, mensaje, 'Error al enviar el link.');
      return hecho(done ? 'Se envio el link al cliente.' : 'El link está en camino.');
    },
  }),
];
