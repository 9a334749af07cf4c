import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import type { Order } from '~/integrations/amazon/wire';
import type {
  ArticuloLeido,
  CargosLeidos,
  CompradorLeido,
  PagoLeido,
  Situacion,
  VentaConocida,
  VentaLeida,
} from '~/domain/mercados/venta';
import { documentoOf } from './documento';
import { envioOf, isOwn } from './envio';
import { type Finanzas, proximaMirada } from './finanzas';
import { cantidadOf, type Importes, importesOf, type Lectura, repartido } from './importes';

const HOUR = 3_600_000;
/** SAT's c_FormaPago of every sale: Amazon collects and hands on, whatever the buyer used. */
const INTERMEDIARIO = '31';
/** A refund that leaves less than this gave everything back. */
const SOBRANTE_MINIMO = Money.of('0.05');
const zero = Money.zero;

const SITUACION: Readonly<Record<string, Situacion>> = tableOf({
  PENDING_AVAILABILITY: 'autorizandoPago',
  PENDING: 'autorizandoPago',
  UNSHIPPED: 'pagada',
  PARTIALLY_SHIPPED: 'pagada',
  SHIPPED: 'pagada',
  INVOICE_UNCONFIRMED: 'pagada',
  CANCELLED: 'cancelada',
  UNFULFILLABLE: 'cancelada',
});

/** The settings by which the sales of the account are read. */
export type Ajustes = {
  lectura: Lectura;
  /** Rate of the ISR on the day of the sale; null where no law tells it. */
  isr: Money | null;
};

/** The details that one look brought beside the sale's own document. */
export type Traido = {
  raw: unknown;
  /** The sums of its movements, read this time or before. */
  finanzas: Finanzas | null;
  /** The movements were read this time. */
  leidas: boolean;
  sinLeer: string[];
  conocida: Pick<VentaConocida, 'cargosEn' | 'envio'> | undefined;
  now: Date;
};

/** Returns a sale of Amazon in our nouns. Amounts carry IVA. The one payment is the sum of its lines, since Amazon tells no payments. */
export function ventaOf(order: Order, ajustes: Ajustes, traido: Traido): VentaLeida {
  const { raw, finanzas, sinLeer, conocida, now } = traido;
  const vista = situacionOf(order);
  const importes = importesOf(order, ajustes.lectura, vista === 'pagada');
  const productos = Money.sum(importes.lineas.map((one) => one.productos));
  const envio = Money.sum(importes.lineas.map((one) => one.envio));
  const devuelto = finanzas?.devuelto ?? zero;
  const situacion = withRefund(vista, devuelto, productos.plus(envio));
  const articulos = articulosOf(order, importes, comisionOf(finanzas, vista));
  const travels = vista === 'pagada' || (vista === 'cancelada' && conocida?.envio != null);
  return {
    marketId: order.orderId,
    numOrden: order.orderId,
    packId: null,
    fechaCreacion: order.createdTime,
    fechaCierre: vista === 'autorizandoPago' ? null : order.createdTime,
    version: order.lastUpdatedTime,
    situacion,
    marketStatus: order.fulfillment?.fulfillmentStatus ?? '',
    tags: order.programs,
    facturaElMercado: order.programs.some((program) => program.toUpperCase() === 'INVOICE_BY_AMAZON'),
    total: productos,
    titulo: articulos[0]?.nombre ?? order.orderId,
    articulos,
    pagos: pagosOf(order, situacion, { productos, envio, devuelto }),
    comprador: compradorOf(order),
    envioId: travels ? order.orderId : null,
    envios: travels ? [envioOf(order, isOwn(order) ? null : (finanzas?.surtido ?? null))] : [],
    propioSinEnvio: false,
    acordada: false,
    cargos: traido.leidas ? cargosOf(order, importes, finanzas, ajustes, now) : undefined,
    // Its discounts are inside what the buyer paid.
    cupon: zero,
    pagadoAparte: null,
    sinLeer: importes.sinDesglose ? [...sinLeer, 'el desglose de sus importes no llegó'] : sinLeer,
    falta: { documento: false, envio: false, retencion: false },
    mirarEn: null,
    mirarCargosEn: nextCharges(order, traido),
    documento: documentoOf(raw, order, importes, finanzas),
    // Nobody tells when a package that Amazon carries arrives.
    envioCallado: !isOwn(order),
  };
}

/** Returns how a sale stands. A sale whose pieces left was paid; an unknown word, or none, is an unknown state. */
function situacionOf({ fulfillment, orderItems }: Order): Situacion {
  const status = fulfillment?.fulfillmentStatus;
  if (status && SITUACION[status]) return SITUACION[status];
  return orderItems.some((item) => (item.fulfillment?.quantityFulfilled ?? 0) > 0) ? 'pagada' : 'desconocida';
}

function withRefund(situacion: Situacion, devuelto: Money, pagado: Money): Situacion {
  if (situacion !== 'pagada' || devuelto.compare(zero) <= 0) return situacion;
  return pagado.minus(devuelto).compare(SOBRANTE_MINIMO) <= 0 ? 'devuelta' : 'devueltaEnParte';
}

/** Returns the commission; null until its movements tell one. A sale that was cancelled before any movement costs none. */
const comisionOf = (finanzas: Finanzas | null, vista: Situacion): Money | null =>
  finanzas?.comision ?? (vista === 'cancelada' ? zero : null);

function articulosOf(order: Order, { lineas }: Importes, comision: Money | null): ArticuloLeido[] {
  const comisiones =
    comision &&
    repartido(
      comision,
      lineas.map(({ productos }) => productos),
    );
  return order.orderItems.map((item, posicion) => {
    const cantidad = cantidadOf(item);
    const importe = lineas[posicion]!.productos;
    return {
      posicion,
      itemId: item.product.asin,
      nombre: item.product.title ?? 'Artículo',
      sku: item.product.sellerSku,
      cantidad,
      importe,
      precioUnitario: importe.dividedBy(cantidad),
      comision: comisiones?.[posicion] ?? null,
    };
  });
}

type Cobrado = { productos: Money; envio: Money; devuelto: Money };

/** Returns the one payment of a sale, for the sum of its lines: Amazon tells no payments. */
function pagosOf(order: Order, situacion: Situacion, { productos, envio, devuelto }: Cobrado): PagoLeido[] {
  const priced = !productos.plus(envio).isZero();
  if (situacion === 'desconocida' || (!priced && (situacion === 'autorizandoPago' || situacion === 'cancelada')))
    return [];
  const waits = situacion === 'autorizandoPago';
  const back = situacion === 'cancelada' || situacion === 'devuelta';
  const whole = productos.plus(envio);
  return [
    {
      marketId: order.orderId,
      origen: 'orden',
      concepto: 'venta',
      situacion: waits ? 'sinEfecto' : back ? 'devuelto' : 'aprobado',
      estatus: waits ? 'pending' : back ? 'refunded' : 'approved',
      medio: null,
      metodo: order.payment?.paymentExecutions[0]?.paymentMethod ?? null,
      formaPago: INTERMEDIARIO,
      importe: productos,
      envio,
      devuelto: back ? whole : devuelto.compare(whole) > 0 ? whole : devuelto,
      aprobadoEn: waits ? null : order.createdTime,
      modificadoEn: order.lastUpdatedTime,
    },
  ];
}

/** Returns the RFC of a company that buys with it. The RFC is known by its shape, whatever word it comes under. */
function compradorOf({ orderId, buyer, recipient, tax }: Order): CompradorLeido {
  const nombre = buyer?.buyerName ?? buyer?.buyerCompanyName ?? recipient?.deliveryAddress?.name ?? null;
  const told = (tax?.taxRegistrations ?? []).filter(({ entityType }) => entityType === null || entityType === 'BUYER');
  const found = told.find(({ taxRegistrationNumber }) => isRfc(normalizeRfc(taxRegistrationNumber ?? '')));
  const rfc = normalizeRfc(found?.taxRegistrationNumber ?? '');
  if (!found || isGenericRfc(rfc)) return { id: buyer?.buyerEmail ?? null, nombre, fiscalId: null };
  return {
    id: buyer?.buyerEmail ?? null,
    nombre,
    fiscalId: orderId,
    fiscal: {
      rfc,
      razonSocial: found.legalName?.replace(/\s+/g, ' ').toUpperCase() ?? null,
      regimen: null,
      usoCfdi: null,
      cp: /^\d{5}$/.exec(found.taxRegistrationAddress?.postalCode ?? '')?.[0] ?? null,
    },
  };
}

/**
 * Returns the amount withheld: the IVA that the movements tell, and the ISR of this sale by law, since Amazon charges ISR by the month. Where no law tells
 * the ISR of that day, what was withheld is unknown.
 */
function cargosOf(
  order: Order,
  { lineas }: Importes,
  finanzas: Finanzas | null,
  { isr: tasa }: Ajustes,
  now: Date,
): CargosLeidos {
  const none: CargosLeidos = { retencion: null, comision: null, liberacion: null, cupon: zero, leidosEn: now };
  if (!finanzas || finanzas.retenido === null) return { ...none, liberacion: finanzas?.libera ?? null };
  const neto = Money.sum(lineas.map((one) => one.neto));
  const bruto = Money.sum(lineas.map(({ productos, envio }) => productos.plus(envio)));
  const [, queda] = bruto.isZero()
    ? [zero, neto]
    : repartido(neto, [finanzas.devuelto, bruto.minus(finanzas.devuelto)]);
  const isr = finanzas.isr ?? (tasa && queda!.by(tasa).cents());
  return {
    ...none,
    retencion: isr && finanzas.retenido.plus(isr),
    comision: finanzas.comision,
    liberacion: finanzas.libera,
  };
}

/** Returns when to look again: movements that were due and could not be read are asked for in an hour. */
function nextCharges(order: Order, { leidas, sinLeer, conocida, now }: Traido): Date | null {
  if (!leidas && sinLeer.length > 0) return new Date(now.getTime() + HOUR);
  return proximaMirada(order, leidas ? now : (conocida?.cargosEn ?? null), now);
}
