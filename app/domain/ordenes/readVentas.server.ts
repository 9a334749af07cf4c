import { sql } from 'kysely';
import { z } from 'zod';
import type { Money } from '~/core/money';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Mercadolibre, OrderRead, Read } from '~/integrations/mercadolibre/client.server';
import type {
  BillingInfo,
  Order,
  OrderPayment,
  PaymentDetail,
  Shipment,
  ShipmentCosts,
} from '~/integrations/mercadolibre/wire';
import type { Db } from '~db/client.server';
import { isPagada } from './orden';
import { isLastReview, type Pendiente } from './ordenMl';
import { retencionOf, retentionPayments } from './pagosMl';

export type ShipmentRead = Read<Shipment> & { costs: ShipmentCosts | null };

/** Everything one look at an order brought. What is undefined was not read and leaves what is stored as it is. */
export type VentaRemota = {
  order: OrderRead;
  shipment?: ShipmentRead;
  billing?: { id: string; info: BillingInfo };
  retencion?: Money | null;
  pendiente: Pendiente;
};

/** What we hold of an order, as far as it spares reading again. */
export type Conocida = {
  actualizadaEn: Date;
  revisiones: number;
  retencion: Money | null;
  envio: { marketId: string; actualizadoEn: Date; costo: Money | null } | null;
  comprador: boolean;
  pagos: string;
};

const Pagos = z.array(
  z.object({ id: z.coerce.string(), status: z.string().nullish(), date_last_modified: z.string().nullish() }),
);

/** Changes when any payment of an order does. */
const paymentsMark = (payments: readonly Pick<OrderPayment, 'id' | 'status' | 'date_last_modified'>[]) =>
  payments.map(({ id, status, date_last_modified }) => `${id}:${status}:${date_last_modified}`).join(',');

export async function knownVentas(db: Db, marketIds: string[]): Promise<Map<string, Conocida>> {
  if (marketIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .leftJoin('compradorFiscal', (join) =>
      join
        .onRef('compradorFiscal.market', '=', 'orden.market')
        .onRef('compradorFiscal.billingInfoId', '=', 'orden.billingInfoId'),
    )
    .select([
      'orden.marketId',
      'orden.actualizadaEn',
      'orden.revisiones',
      'orden.retencion',
      'envio.marketId as envioMarketId',
      'envio.actualizadoEn as envioEn',
      'envio.costo',
      'compradorFiscal.billingInfoId as comprador',
      sql<unknown>`orden.datos -> 'payments'`.as('payments'),
    ])
    .where('orden.market', '=', 'ml')
    .where('orden.marketId', 'in', marketIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.marketId,
      {
        actualizadaEn: row.actualizadaEn,
        revisiones: row.revisiones,
        retencion: row.retencion,
        envio:
          row.envioMarketId === null
            ? null
            : { marketId: row.envioMarketId, actualizadoEn: row.envioEn!, costo: row.costo },
        comprador: row.comprador !== null,
        pagos: paymentsMark(
          (Pagos.safeParse(row.payments).data ?? []).map(({ id, status, date_last_modified }) => ({
            id,
            status: status ?? '',
            date_last_modified,
          })),
        ),
      },
    ]),
  );
}

/** Shipments kept in mind: the orders of a cart come one after the other. */
const REMEMBERED = 200;

/**
 * Reads a sale whole, and of its details only what can have changed: the shipment once per run (a cart shares it), its costs when the
 * shipment moved or they are unknown, the tax data of a buyer once, the payments when one of them changed or the withholding is
 * unknown. A detail that cannot be read does not hold the sale back: it stays as it is and the sale is looked at again later.
 */
export function createVentasReader(ml: Mercadolibre) {
  const shipments = new Map<string, Promise<ShipmentRead | null>>();

  function readShipment(id: string, known: Conocida['envio']): Promise<ShipmentRead | null> {
    let reading = shipments.get(id);
    if (!reading) {
      reading = detail(async () => {
        const shipment = await ml.getShipment(id);
        const moved =
          !known ||
          known.marketId !== id ||
          known.costo === null ||
          shipment.doc.last_updated?.getTime() !== known.actualizadoEn.getTime();
        return { ...shipment, costs: moved ? await detail(() => ml.getShipmentCosts(id)) : null };
      });
      shipments.set(id, reading);
      if (shipments.size > REMEMBERED) shipments.delete(shipments.keys().next().value!);
    }
    return reading;
  }

  /** The shipment the order names; for a paid one that names none, what the marketplace knows by now. */
  async function shipmentIdOf({ doc, missing }: OrderRead, known: Conocida | undefined): Promise<string | null> {
    if (doc.shipping?.id) return doc.shipping.id;
    if (missing.includes('shipping')) return known?.envio?.marketId ?? null;
    if (!known || !isPagada(doc.status) || doc.tags?.includes('no_shipping')) return null;
    const born = await detail(() => ml.getOrderShipments(doc.id));
    return born?.find(({ type }) => type == null || type === 'forward')?.id ?? null;
  }

  async function retencionIn(doc: Order, known: Conocida | undefined): Promise<Money | null | undefined> {
    const payments = isPagada(doc.status) ? retentionPayments(doc) : [];
    if (payments.length === 0) return undefined;
    if (known && known.retencion !== null && known.pagos === paymentsMark(doc.payments ?? [])) return undefined;
    const details: PaymentDetail[] = [];
    for (const { id } of payments) {
      const payment = await detail(() => ml.getPayment(id));
      if (!payment) return undefined;
      details.push(payment);
    }
    return retencionOf(details, { last: isLastReview(known?.revisiones ?? 0) });
  }

  async function billingOf(doc: Order, known: Conocida | undefined) {
    const id = doc.buyer?.billing_info?.id;
    if (!id || known?.comprador) return undefined;
    const info = await detail(() => ml.getBillingInfo(id));
    return info ? { id, info } : undefined;
  }

  return async function readVenta(id: string, known: Conocida | undefined): Promise<VentaRemota> {
    const order = await ml.getOrder(id);
    const shipmentId = await shipmentIdOf(order, known);
    const [shipment, billing, retencion] = await Promise.all([
      shipmentId ? readShipment(shipmentId, known?.envio ?? null) : null,
      billingOf(order.doc, known),
      retencionIn(order.doc, known),
    ]);
    return {
      order,
      shipment: shipment ?? undefined,
      billing,
      retencion,
      pendiente: {
        parcial: order.missing.length > 0,
        envio: shipmentId !== null && !shipment,
        retencion: retencion === null || (retencion === undefined && (known?.retencion ?? null) === null),
      },
    };
  };
}

export type VentasReader = ReturnType<typeof createVentasReader>;

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
