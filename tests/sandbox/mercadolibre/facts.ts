import { paymentDetail, paymentsOf } from './documents/payment';
import { orderTime, zulu } from './clock';
import { hasShipment } from './history';
import { pesos, sum } from './money';
import {
  chargedShipping,
  chargedTotal,
  classOf,
  lineTotal,
  numberOf,
  packOf,
  shipmentId,
  statusOf,
  type Order,
  type Sale,
} from './sale';

/** An order as the side that invented it knows it, for tests to compare the product with. */
export function orderFacts(order: Order) {
  const { sale, line } = order;
  return {
    id: String(order.id),
    packId: packOf(sale) === null ? null : String(packOf(sale)),
    numOrden: numberOf(sale),
    scenario: sale.scenario,
    status: statusOf(order),
    clase: classOf(order),
    fecha: orderTime(sale.createdAt),
    actualizada: zulu(order.touchedAt),
    titulo: line.product.title,
    sku: line.sku ?? line.customField,
    cantidad: line.quantity,
    precio: pesos(line.unit),
    total: pesos(lineTotal(line)),
    /** Shipping charged for the whole sale. */
    envio: pesos(chargedShipping(sale)),
    envioId: hasShipment(sale) ? String(shipmentId(sale.seq)) : null,
    pagos: paymentsOf(order).map(({ id, type, status, operation, amount }) => ({
      id: String(id),
      tipo: type,
      estado: status,
      operacion: operation,
      monto: pesos(amount),
    })),
    /** Charges that the marketplace keeps of the payments that stand: commission, taxes withheld, shipping of the seller. */
    cargos: paymentsOf(order)
      .flatMap((payment) => paymentDetail(order, payment).charges_details)
      .map(({ name, amounts }) => ({ nombre: name, monto: (amounts.original - amounts.refunded).toFixed(2) })),
    comprador: sale.buyer.nickname,
    datosFiscales: sale.fiscal.kind,
    rfc: sale.fiscal.rfc,
  };
}

/** A shipment, with all that its seller told of it. */
export function shipmentFacts(sale: Sale) {
  const last = sale.history.at(-1);
  return {
    id: String(shipmentId(sale.seq)),
    numOrden: numberOf(sale),
    modo: sale.delivery.mode,
    status: last?.status ?? 'pending',
    substatus: last?.substatus ?? null,
    receptor: String(sale.buyer.id),
    dicho: sale.told.map(({ status, number, url }) => ({ status, guia: number, url })),
  };
}

export function saleFacts(sale: Sale) {
  return {
    numOrden: numberOf(sale),
    packId: packOf(sale) === null ? null : String(packOf(sale)),
    ordenes: sale.orders.map(({ id }) => String(id)),
    scenario: sale.scenario,
    /** Total of an invoice: the products, and once the shipping that was charged. */
    total: pesos(chargedTotal(sale)),
    productos: pesos(sum(sale.orders.map(({ line }) => lineTotal(line)))),
    envio: pesos(chargedShipping(sale)),
    clases: sale.orders.map(classOf),
    facturable: sale.orders.every((order) => classOf(order) === 'normal'),
    rfc: sale.fiscal.rfc,
    comprador: sale.buyer.nickname,
  };
}
