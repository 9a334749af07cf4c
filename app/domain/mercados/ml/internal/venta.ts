import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { Order, versionOf } from '~/integrations/mercadolibre/wire';
import type {
  ArticuloLeido,
  CargosLeidos,
  CompradorFiscal,
  EnvioLeido,
  PagoLeido,
  Situacion,
  VentaConocida,
  VentaLeida,
} from '~/domain/mercados/venta';
import { chargedPayments, chargeMoments, pagosOf, productosPagados } from './pagos';

/** Time that Mercado Libre needs to create a shipment. Only after it does a missing shipment mean own shipping. */
const YOUNG_MS = 10 * 60_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Age after which charges that could not be read again are taken as they are. */
const CHARGES_PATIENCE_MS = 7 * 24 * HOUR;

/** Tells whether the account bought an order. Mercado Libre may tell purchases like sales. */
export const isCompra = ({ seller }: Order, sellerId: string) => seller?.id != null && seller.id !== sellerId;

const SITUACION: Readonly<Record<string, Situacion>> = tableOf({
  confirmed: 'cobroPendiente',
  payment_required: 'cobroPendiente',
  partially_paid: 'cobroPendiente',
  payment_in_process: 'autorizandoPago',
  paid: 'pagada',
  partially_refunded: 'devueltaEnParte',
  pending_cancel: 'cancelada',
  cancelled: 'cancelada',
  invalid: 'invalida',
});

/** Returns how a sale stands. A sale that is paid and was never delivered came back. */
export function situacionOf(status: string, tags: readonly string[]): Situacion {
  if (status === 'paid' && tags.includes('unfulfilled')) return 'devuelta';
  return SITUACION[status] ?? 'desconocida';
}

/** Tells whether the money of an order arrived, also when part of the money went back. */
export const isPaid = ({ status }: Order) => status === 'paid' || status === 'partially_refunded';

/** Tells whether an order counts for nothing any more. Mercado Libre may have kept less of it than at first. */
export const isEnded = ({ status, tags }: Order) => ['cancelada', 'devuelta'].includes(situacionOf(status, tags ?? []));

/** Tells whether the money of an order arrived and no payment tells of it. */
export const sinPagos = (order: Order) =>
  isPaid(order) && !pagosOf(order).some(({ situacion }) => situacion !== 'sinEfecto');

/** The details that one look brought beside the order's own document. */
export type Traido = {
  raw: unknown;
  /** The blocks that a partial answer could not tell. */
  missing: readonly string[];
  envio: EnvioLeido | null;
  /** The order has a shipment that could not be read. */
  sinLeerEnvio: boolean;
  /** The details that could not be read, and why. */
  sinLeer: string[];
  fiscal?: CompradorFiscal;
  cargos: CargosLeidos | undefined;
  cupon: Money | null | undefined;
  conocida: Pick<VentaConocida, 'retencion' | 'cargosEn' | 'liberacion'> | undefined;
  now: Date;
};

/** Returns an order of Mercado Libre in our nouns. An order of a cart has the number of the cart as `numOrden`. */
export function ventaOf(order: Order, traido: Traido): VentaLeida {
  const { raw, missing, envio, sinLeerEnvio, sinLeer, fiscal, cargos, cupon, conocida, now } = traido;
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
    facturaElMercado: isResale(order),
    total: order.total_amount ?? null,
    titulo: articulos.length === 1 ? articulos[0]!.nombre : order.order_items[0]!.item.title || 'Artículo',
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
    acordada: tags.includes('no_shipping'),
    cargos,
    cupon,
    pagadoAparte: sinPagos(order)
      ? (pagadoSegunOrden(order) ?? Money.sum(articulos.map(({ importe }) => importe)))
      : null,
    sinLeer,
    falta: {
      documento: missing.length > 0,
      envio: sinLeerEnvio,
      retencion:
        chargedPayments(pagos).length > 0 && (cargos ? cargos.retencion : (conocida?.retencion ?? null)) === null,
    },
    mirarEn: sinEnvio === 'esperar' ? new Date(bornAt(order) + YOUNG_MS + MINUTE) : null,
    mirarCargosEn: nextCharges(pagos, traido),
    documento: raw,
    completar: missing.length > 0 ? (conocido) => completed(traido, conocido) : undefined,
  };
}

/** Returns a partial answer whole: the blocks that it could not tell are taken from the document we hold. */
function completed(traido: Traido, conocido: unknown): VentaLeida {
  const known = (conocido ?? {}) as Record<string, unknown>;
  const blocks = Object.fromEntries(
    traido.missing.filter((block) => known[block] !== undefined).map((block) => [block, known[block]]),
  );
  const raw = { ...(traido.raw as Record<string, unknown>), ...blocks };
  return ventaOf(Order.parse(raw), { ...traido, raw });
}

const pagadoSegunOrden = ({ paid_amount, total_amount }: Order) =>
  [paid_amount, total_amount].find((amount) => amount != null && amount.compare(Money.zero) > 0);

/** Returns the next time at which the charges may have changed. Charges that could not be read in time are asked for again in an hour. */
function nextCharges(pagos: readonly PagoLeido[], { cargos, conocida, now }: Traido): Date | null {
  const read = cargos?.leidosEn ?? conocida?.cargosEn;
  if (!read) return null;
  const left = chargeMoments(pagos, (cargos ?? conocida)?.liberacion ?? null).filter(
    (at) => at > read.getTime() && at > now.getTime() - CHARGES_PATIENCE_MS,
  );
  if (left.length === 0) return null;
  const next = Math.min(...left);
  return new Date(next > now.getTime() ? next : now.getTime() + HOUR);
}

/** Tells whether Mercado Libre itself resells the sale: it then tells no commission, and takes none. */
const isResale = ({ static_tags }: Order) => (static_tags ?? []).includes('meli_resale');

function articulosOf(order: Order, pagos: readonly PagoLeido[]): ArticuloLeido[] {
  return order.order_items.map(({ item, quantity, unit_price, sale_fee }, posicion) => {
    const importe = unit_price ? unit_price.times(quantity) : productosPagados(pagos);
    return {
      posicion,
      itemId: item.id ?? null,
      nombre: nombreOf(item),
      sku: item.seller_sku || item.seller_custom_field || null,
      cantidad: quantity,
      importe,
      precioUnitario: unit_price ?? importe.dividedBy(quantity),
      comision: sale_fee?.times(quantity) ?? (isResale(order) ? Money.zero : null),
    };
  });
}

/** Returns the name of a line with the variation that was bought, so that who packs, orders and invoices tells a red one from a blue one. */
function nombreOf({ title, variation_attributes }: Order['order_items'][number]['item']): string {
  const variante = (variation_attributes ?? []).flatMap(({ name, value_name }) =>
    value_name ? [name ? `${name}: ${value_name}` : value_name] : [],
  );
  return `${title || 'Artículo'}${variante.length > 0 ? ` (${variante.join(', ')})` : ''}`;
}

const bornAt = (order: Order) => (order.date_closed ?? order.date_created).getTime();

/** Returns whether a sale without a shipment is ours to send. 'esperar': it is too early to tell. A sale that was never paid has no shipment of any kind. */
function withoutShipment(order: Order, now: Date): 'propio' | 'esperar' | 'ninguno' {
  if (order.shipping?.id || !isPaid(order)) return 'ninguno';
  if (order.tags?.includes('no_shipping')) return 'propio';
  return now.getTime() - bornAt(order) < YOUNG_MS ? 'esperar' : 'propio';
}
