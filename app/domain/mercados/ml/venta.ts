import { Money } from '~/core/money';
import { Order, versionOf } from '~/integrations/mercadolibre/wire';
import type { ArticuloLeido, CompradorFiscal, EnvioLeido, PagoLeido, Situacion, VentaLeida } from '../venta';
import { pagosOf, productosPagados, retentionPayments } from './pagos';

/** A missing shipment means own shipping only when the marketplace had time to create one. */
const YOUNG_MS = 10 * 60_000;
const MINUTE = 60_000;

/** What the account buys has orders too, and may be told to us like a sale. */
export const isCompra = ({ seller }: Order, sellerId: string) => seller?.id != null && seller.id !== sellerId;

const SITUACION: Readonly<Record<string, Situacion>> = {
  confirmed: 'cobroPendiente',
  payment_required: 'cobroPendiente',
  partially_paid: 'cobroPendiente',
  payment_in_process: 'autorizandoPago',
  paid: 'pagada',
  partially_refunded: 'devueltaEnParte',
  pending_cancel: 'cancelada',
  cancelled: 'cancelada',
  invalid: 'invalida',
};

/** How a sale stands. One that is paid and was never delivered came back. */
export function situacionOf(status: string, tags: readonly string[]): Situacion {
  if (status === 'paid' && tags.includes('unfulfilled')) return 'devuelta';
  return SITUACION[status] ?? 'desconocida';
}

/** The money arrived, also when part of it went back. */
export const isPaid = ({ status }: Order) => status === 'paid' || status === 'partially_refunded';

/** What one look brought beside the order's own document. */
export type Traido = {
  raw: unknown;
  /** Blocks a partial answer could not tell. */
  missing: readonly string[];
  envio: EnvioLeido | null;
  /** It has a shipment that could not be read. */
  sinLeerEnvio: boolean;
  fiscal?: CompradorFiscal;
  retencion: Money | null | undefined;
  retencionConocida: boolean;
  now: Date;
};

export function ventaOf(order: Order, traido: Traido): VentaLeida {
  const { raw, missing, envio, sinLeerEnvio, fiscal, retencion, retencionConocida, now } = traido;
  const tags = order.tags ?? [];
  const pagos = pagosOf(order);
  const articulos = articulosOf(order, pagos);
  const sinEnvio = withoutShipment(order, now);
  const name = [order.buyer?.first_name, order.buyer?.last_name].filter(Boolean).join(' ');
  return {
    marketId: order.id,
    numOrden: order.pack_id ?? order.id,
    packId: order.pack_id ?? null,
    fechaCreacion: order.date_created,
    fechaCierre: order.date_closed ?? null,
    version: versionOf(order),
    situacion: situacionOf(order.status, tags),
    marketStatus: order.status,
    tags,
    facturaElMercado: (order.static_tags ?? []).includes('meli_resale'),
    total: order.total_amount ?? null,
    titulo: articulos[0]!.nombre,
    articulos,
    pagos,
    comprador: {
      id: order.buyer?.id ?? null,
      nombre: order.buyer?.nickname || name || null,
      fiscalId: order.buyer?.billing_info?.id ?? null,
      fiscal,
    },
    envioId: envio?.marketId ?? order.shipping?.id ?? null,
    envios: envio ? [envio] : [],
    propioSinEnvio: sinEnvio === 'propio',
    retencion,
    falta: {
      documento: missing.length > 0,
      envio: sinLeerEnvio,
      retencion:
        isPaid(order) &&
        retentionPayments(pagos).length > 0 &&
        (retencion === null || (retencion === undefined && !retencionConocida)),
    },
    mirarEn: sinEnvio === 'esperar' ? new Date(bornAt(order) + YOUNG_MS + MINUTE) : null,
    documento: raw,
    completar: missing.length > 0 ? (conocido) => completed(traido, conocido) : undefined,
  };
}

/** A partial answer with the blocks it could not tell taken from the document we hold. */
function completed(traido: Traido, conocido: unknown): VentaLeida {
  const known = (conocido ?? {}) as Record<string, unknown>;
  const blocks = Object.fromEntries(
    traido.missing.filter((block) => known[block] !== undefined).map((block) => [block, known[block]]),
  );
  const raw = { ...(traido.raw as Record<string, unknown>), ...blocks };
  return ventaOf(Order.parse(raw), { ...traido, raw });
}

function articulosOf(order: Order, pagos: readonly PagoLeido[]): ArticuloLeido[] {
  return order.order_items.map(({ item, quantity, unit_price, sale_fee }, posicion) => {
    const importe = unit_price ? unit_price.times(quantity) : productosPagados(pagos);
    return {
      posicion,
      itemId: item.id ?? null,
      nombre: item.title,
      sku: item.seller_sku || item.seller_custom_field || null,
      cantidad: quantity,
      importe,
      precioUnitario: unit_price ?? importe.dividedBy(quantity),
      comision: (sale_fee ?? Money.zero).times(quantity),
    };
  });
}

const bornAt = (order: Order) => (order.date_closed ?? order.date_created).getTime();

/** 'esperar': too early to tell. A sale that was never paid has no shipment of any kind. */
function withoutShipment(order: Order, now: Date): 'propio' | 'esperar' | 'ninguno' {
  if (order.shipping?.id || !isPaid(order)) return 'ninguno';
  if (order.tags?.includes('no_shipping')) return 'propio';
  return now.getTime() - bornAt(order) < YOUNG_MS ? 'esperar' : 'propio';
}
