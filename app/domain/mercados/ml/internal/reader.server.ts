import { z } from 'zod';
import { Money } from '~/core/money';
import { log } from '~/core/log.server';
import type { Mercadolibre, OrderRead } from '~/integrations/mercadolibre/client.server';
import type { OrderPayment, PaymentDetail } from '~/integrations/mercadolibre/wire';
import { detail } from '~/domain/mercados/detail';
import type { CargosLeidos, EnvioLeido, VentaConocida, VentaLeida } from '~/domain/mercados/venta';
import { compradorFiscalOf, envioOf } from './envio';
import { cargosOf, chargedPayments, chargeMoments, cuponOf, hasCupon, pagosOf } from './pagos';
import { isCompra, isEnded, isPaid, sinPagos, ventaOf } from './venta';

const Pagos = z
  .object({
    payments: z.array(
      z.object({ id: z.coerce.string(), status: z.string().nullish(), date_last_modified: z.string().nullish() }),
    ),
  })
  .transform(({ payments }) => payments.map(({ status, ...payment }) => ({ ...payment, status: status ?? '' })))
  .catch([]);

/** Returns a text that changes when any payment of an order does. */
const paymentsMark = (payments: readonly Pick<OrderPayment, 'id' | 'status' | 'date_last_modified'>[]) =>
  payments.map(({ id, status, date_last_modified }) => `${id}:${status}:${date_last_modified}`).join(',');

/** Shipments that a run remembers: the orders of a cart come one after the other. */
const REMEMBERED = 200;

/**
 * Reads a sale whole, and only the details that can have changed.
 * - The shipment is read once per run, since a cart shares it. Its costs, and the payments of a cart for it, are read when the shipment moved or
 *   while they are unknown.
 * - The tax data of the buyer is read once.
 * - The charges of the payments are read when a payment changed, while they are unknown, and when it is time to look again.
 * - The discounts are read of a sale with a coupon whose charges are unknown.
 *
 * A detail that cannot be read does not hold the sale back: the stored detail stays, `sinLeer` names it, and the sale is looked at again later.
 */
export function createReader(ml: Mercadolibre) {
  const shipments = new Map<string, Promise<{ envio: EnvioLeido | null; sinLeer: string[] }>>();

  function readShipment(id: string, known: VentaConocida | undefined, { doc, cambiaron }: Leida) {
    let reading = shipments.get(id);
    if (!reading) {
      const sinLeer: string[] = [];
      const read = async () => {
        const { doc: shipment, raw } = await ml.getShipment(id);
        const before = known?.envio?.marketId === id ? known.envio : undefined;
        const moved =
          !before || before.costo === null || shipment.last_updated?.getTime() !== before.actualizadoEn.getTime();
        const [costs, payments] = await Promise.all([
          moved ? detail(() => ml.getShipmentCosts(id), 'costo del envío', sinLeer) : null,
          doc.pack_id && (moved || !before.pagos || cambiaron)
            ? detail(() => ml.getShipmentPayments(id), 'pago del envío', sinLeer)
            : null,
        ]);
        return envioOf(shipment, raw, { costs, payments }, await ml.seller());
      };
      reading = detail(read, 'envío', sinLeer).then((envio) => ({ envio, sinLeer }));
      shipments.set(id, reading);
      if (shipments.size > REMEMBERED) shipments.delete(shipments.keys().next().value!);
    }
    return reading;
  }

  /** Returns the shipment that the order names. Of a paid order that names none, Mercado Libre is asked. */
  async function shipmentIdOf({ doc, missing, sinLeer }: Leida, known: VentaConocida | undefined) {
    if (doc.shipping?.id) return doc.shipping.id;
    if (missing.includes('shipping')) return known?.envio?.marketId ?? null;
    if (!known || !isPaid(doc) || doc.tags?.includes('no_shipping')) return null;
    const born = await detail(() => ml.getOrderShipments(doc.id), 'envíos de la orden', sinLeer);
    return born?.find(({ type }) => type == null || type === 'forward')?.id ?? null;
  }

  async function cargosIn(
    { doc, cambiaron, sinLeer }: Leida,
    known: VentaConocida | undefined,
    now: Date,
  ): Promise<CargosLeidos | undefined> {
    const pagos = chargedPayments(pagosOf(doc));
    if (pagos.length === 0) return undefined;
    const read = known?.cargosEn?.getTime() ?? 0;
    const due = chargeMoments(pagos, known?.liberacion ?? null).some((at) => read < at && at <= now.getTime());
    if (known && known.retencion !== null && !cambiaron && !due) return undefined;
    const details: PaymentDetail[] = [];
    for (const { marketId } of pagos) {
      const payment = await detail(() => ml.getPayment(marketId), 'retención', sinLeer);
      if (!payment) return undefined;
      details.push(payment);
    }
    return cargosOf(details, pagos, { now, ended: isEnded(doc), last: known?.ultima ?? false });
  }

  /** The charges tell who pays a coupon, together with the withholding. Until they do, the discounts of the order tell it. */
  async function cuponIn(
    { doc, sinLeer }: Leida,
    known: VentaConocida | undefined,
    cargos: CargosLeidos | undefined,
  ): Promise<Money | null | undefined> {
    if (cargos?.cupon) return cargos.cupon;
    if (!cargos && known && known.retencion !== null) return undefined;
    if (!hasCupon(doc)) return Money.zero;
    const discounts = await detail(() => ml.getOrderDiscounts(doc.id), 'descuentos', sinLeer);
    if (discounts) return cuponOf(doc, discounts);
    return known ? undefined : null;
  }

  async function fiscalOf({ doc, sinLeer }: Leida, known: VentaConocida | undefined) {
    const id = doc.buyer?.billing_info?.id;
    if (!id || known?.comprador) return undefined;
    const info = await detail(() => ml.getBillingInfo(id), 'datos fiscales del comprador', sinLeer);
    return info ? compradorFiscalOf(info) : undefined;
  }

  return async function readVenta(id: string, known: VentaConocida | undefined, now: Date): Promise<VentaLeida | null> {
    const order = await ml.getOrder(id);
    if (isCompra(order.doc, await ml.seller())) {
      log.warn('orden que no es venta nuestra', { orden: id });
      return null;
    }
    const leida: Leida = {
      ...order,
      // A sale that was paid and tells no payment is not a sale of 0: the payments that we hold stay.
      missing: sinPagos(order.doc) ? [...order.missing, 'payments'] : order.missing,
      cambiaron: !known || paymentsMark(Pagos.parse(known.documento)) !== paymentsMark(order.doc.payments ?? []),
      sinLeer: [],
    };
    const shipmentId = await shipmentIdOf(leida, known);
    const [envio, fiscal, cargos] = await Promise.all([
      shipmentId ? readShipment(shipmentId, known, leida) : null,
      fiscalOf(leida, known),
      cargosIn(leida, known, now),
    ]);
    const cupon = await cuponIn(leida, known, cargos);
    return ventaOf(order.doc, {
      raw: order.raw,
      missing: leida.missing,
      envio: envio?.envio ?? null,
      sinLeerEnvio: shipmentId !== null && !envio?.envio,
      sinLeer: [...leida.sinLeer, ...(envio?.sinLeer ?? [])],
      fiscal,
      cargos,
      cupon,
      conocida: known,
      now,
    });
  };
}

/** An order as it came: the blocks it could not tell, whether its payments differ from those we hold, and the list of details that could not be read. */
type Leida = OrderRead & { cambiaron: boolean; sinLeer: string[] };
