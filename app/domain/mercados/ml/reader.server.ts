import { z } from 'zod';
import { log } from '~/core/log.server';
import type { Money } from '~/core/money';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Mercadolibre, OrderRead } from '~/integrations/mercadolibre/client.server';
import type { Order, OrderPayment, PaymentDetail } from '~/integrations/mercadolibre/wire';
import type { CompradorFiscal, EnvioLeido, VentaConocida, VentaLeida } from '../venta';
import { compradorFiscalOf, envioOf } from './envio';
import { pagosOf, retencionOf, retentionPayments } from './pagos';
import { isCompra, isPaid, ventaOf } from './venta';

const Pagos = z
  .object({
    payments: z.array(
      z.object({ id: z.coerce.string(), status: z.string().nullish(), date_last_modified: z.string().nullish() }),
    ),
  })
  .transform(({ payments }) => payments.map(({ status, ...payment }) => ({ ...payment, status: status ?? '' })))
  .catch([]);

/** Changes when any payment of an order does. */
const paymentsMark = (payments: readonly Pick<OrderPayment, 'id' | 'status' | 'date_last_modified'>[]) =>
  payments.map(({ id, status, date_last_modified }) => `${id}:${status}:${date_last_modified}`).join(',');

/** Shipments kept in mind: the orders of a cart come one after the other. */
const REMEMBERED = 200;

/**
 * Reads a sale whole, and of its details only what can have changed: the shipment once per run (a cart shares it), its costs when the
 * shipment moved or they are unknown, the tax data of a buyer once, the payments when one of them changed or the withholding is
 * unknown. A detail that cannot be read does not hold the sale back: it stays as it is and the sale is looked at again later.
 */
export function createReader(ml: Mercadolibre) {
  const shipments = new Map<string, Promise<EnvioLeido | null>>();

  function readShipment(id: string, known: VentaConocida['envio']): Promise<EnvioLeido | null> {
    let reading = shipments.get(id);
    if (!reading) {
      reading = detail(async () => {
        const { doc, raw } = await ml.getShipment(id);
        const moved =
          !known ||
          known.marketId !== id ||
          known.costo === null ||
          doc.last_updated?.getTime() !== known.actualizadoEn.getTime();
        const costs = moved ? await detail(() => ml.getShipmentCosts(id)) : null;
        return envioOf(doc, raw, costs, await ml.seller());
      });
      shipments.set(id, reading);
      if (shipments.size > REMEMBERED) shipments.delete(shipments.keys().next().value!);
    }
    return reading;
  }

  /** The shipment the order names; for a paid one that names none, what the marketplace knows by now. */
  async function shipmentIdOf({ doc, missing }: OrderRead, known: VentaConocida | undefined): Promise<string | null> {
    if (doc.shipping?.id) return doc.shipping.id;
    if (missing.includes('shipping')) return known?.envio?.marketId ?? null;
    if (!known || !isPaid(doc) || doc.tags?.includes('no_shipping')) return null;
    const born = await detail(() => ml.getOrderShipments(doc.id));
    return born?.find(({ type }) => type == null || type === 'forward')?.id ?? null;
  }

  async function retencionIn(doc: Order, known: VentaConocida | undefined): Promise<Money | null | undefined> {
    const payments = isPaid(doc) ? retentionPayments(pagosOf(doc)) : [];
    if (payments.length === 0) return undefined;
    if (
      known &&
      known.retencion !== null &&
      paymentsMark(Pagos.parse(known.documento)) === paymentsMark(doc.payments ?? [])
    )
      return undefined;
    const details: PaymentDetail[] = [];
    for (const { marketId } of payments) {
      const payment = await detail(() => ml.getPayment(marketId));
      if (!payment) return undefined;
      details.push(payment);
    }
    return retencionOf(details, { last: known?.ultima ?? false });
  }

  async function fiscalOf(doc: Order, known: VentaConocida | undefined): Promise<CompradorFiscal | undefined> {
    const id = doc.buyer?.billing_info?.id;
    if (!id || known?.comprador) return undefined;
    const info = await detail(() => ml.getBillingInfo(id));
    return info ? compradorFiscalOf(info) : undefined;
  }

  return async function readVenta(id: string, known: VentaConocida | undefined, now: Date): Promise<VentaLeida | null> {
    const order = await ml.getOrder(id);
    if (isCompra(order.doc, await ml.seller())) {
      log.warn('orden que no es venta nuestra', { orden: id });
      return null;
    }
    const shipmentId = await shipmentIdOf(order, known);
    const [envio, fiscal, retencion] = await Promise.all([
      shipmentId ? readShipment(shipmentId, known?.envio ?? null) : null,
      fiscalOf(order.doc, known),
      retencionIn(order.doc, known),
    ]);
    return ventaOf(order.doc, {
      raw: order.raw,
      missing: order.missing,
      envio,
      sinLeerEnvio: shipmentId !== null && !envio,
      fiscal,
      retencion,
      retencionConocida: (known?.retencion ?? null) !== null,
      now,
    });
  };
}

/** Null when the marketplace did not tell; a link that no longer works concerns everything and is thrown. */
export async function detail<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Unavailable && error.details.account) throw error;
    if (
      error instanceof Unavailable ||
      error instanceof Refused ||
      error instanceof Uncertain ||
      error instanceof UnexpectedShape
    )
      return null;
    throw error;
  }
}
