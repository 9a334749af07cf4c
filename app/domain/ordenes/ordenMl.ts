import { Money } from '~/core/money';
import { type Order, versionOf } from '~/integrations/mercadolibre/wire';
import { type EnvioEstado, estatusMl } from './estatus';
import { type Clase, classifyOrden, isPagada } from './orden';
import {
  approvedPayments,
  envioAdicional,
  medioPagoOf,
  pagadoOf,
  productosPagados,
  retentionPayments,
} from './pagosMl';

/** A missing shipment means own shipping only when the marketplace had time to create one. */
const YOUNG_MS = 10 * 60_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Waits between one look and the next while something of a sale is not there yet. */
const WAITS = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY];
/** A shipment on its way is looked at now and then even if nobody announces anything. */
const OPEN_SHIPMENT_WAIT = 12 * HOUR;
const OPEN_SHIPMENT_DAYS = 60;
const FINAL = new Set(['delivered', 'not_delivered', 'cancelled']);

export type ArticuloMl = {
  posicion: number;
  itemId: string | null;
  nombre: string;
  sku: string | null;
  cantidad: number;
  importe: Money;
  precioUnitario: Money;
  comision: Money;
};

export type OrdenMl = {
  marketId: string;
  numOrden: string;
  packId: string | null;
  fechaCreacion: Date;
  fechaCierre: Date | null;
  actualizadaEn: Date;
  estatus: string;
  marketStatus: string;
  tags: string[];
  clase: Clase;
  meliResale: boolean;
  titulo: string;
  total: Money;
  pagadoAbs: Money;
  comision: Money;
  envioAdicional: Money;
  envioPropio: boolean;
  medioPago: string | null;
  formaPago: string | null;
  compradorId: string | null;
  comprador: string | null;
  billingInfoId: string | null;
  articulos: ArticuloMl[];
};

/** What the account buys has orders too, and may be told to us like a sale. */
export const isCompra = ({ seller }: Order, sellerId: string) => seller?.id != null && seller.id !== sellerId;

/** What decides about an order and is not in its document. */
export type Circunstancia = { envio: EnvioEstado | null; previous: string | null; prefijo: string; now: Date };

/** Columns of an order out of the marketplace's document; no reading, no clock of its own. */
export function ordenOf(order: Order, { envio, previous, prefijo, now }: Circunstancia): OrdenMl {
  const articulos = articulosOf(order);
  const tags = order.tags ?? [];
  const estatus = estatusMl(order.status, envio, previous);
  const clase = classifyOrden(
    { market: 'ml', estatus, marketStatus: order.status, tags, skus: articulos.map(({ sku }) => sku) },
    prefijo,
  );
  const { medioPago, formaPago } = medioPagoOf(order);
  const name = [order.buyer?.first_name, order.buyer?.last_name].filter(Boolean).join(' ');
  return {
    marketId: order.id,
    numOrden: order.pack_id ?? order.id,
    packId: order.pack_id ?? null,
    fechaCreacion: order.date_created,
    fechaCierre: order.date_closed ?? null,
    actualizadaEn: versionOf(order),
    estatus,
    marketStatus: order.status,
    tags,
    clase,
    meliResale: (order.static_tags ?? []).includes('meli_resale'),
    titulo: articulos[0]!.nombre,
    total: order.total_amount ?? Money.sum(articulos.map(({ importe }) => importe)),
    pagadoAbs: pagadoOf(order, clase),
    comision: Money.sum(articulos.map(({ comision }) => comision)),
    envioAdicional: envioAdicional(order),
    envioPropio: envio ? envio.propio : withoutShipment(order, now) === 'propio',
    medioPago,
    formaPago,
    compradorId: order.buyer?.id ?? null,
    comprador: order.buyer?.nickname || name || null,
    billingInfoId: order.buyer?.billing_info?.id ?? null,
    articulos,
  };
}

function articulosOf(order: Order): ArticuloMl[] {
  return order.order_items.map(({ item, quantity, unit_price, sale_fee }, posicion) => {
    const importe = unit_price ? unit_price.times(quantity) : productosPagados(order);
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

/** 'esperar': too early to tell. A sale that was never paid has no shipment of any kind. */
function withoutShipment(order: Order, now: Date): 'propio' | 'esperar' | 'ninguno' {
  if (order.shipping?.id || !isPagada(order.status)) return 'ninguno';
  if (order.tags?.includes('no_shipping')) return 'propio';
  return now.getTime() - (order.date_closed ?? order.date_created).getTime() < YOUNG_MS ? 'esperar' : 'propio';
}

/** What a reading could not bring, to come back for it. */
export type Pendiente = { parcial: boolean; envio: boolean; retencion: boolean };

/** When to look at this order again without being told to; `revisiones` counts the looks since it last changed. */
export function nextReview(
  order: Order,
  envio: EnvioEstado | null,
  pendiente: Pendiente,
  revisiones: number,
  now: Date,
): Date | null {
  const waits: number[] = [];
  if (withoutShipment(order, now) === 'esperar')
    waits.push(YOUNG_MS + (order.date_closed ?? order.date_created).getTime() - now.getTime() + MINUTE);
  const unsettled = isPagada(order.status) && retentionPayments(order).length > 0 && pendiente.retencion;
  if ((pendiente.parcial || pendiente.envio || unsettled) && revisiones < WAITS.length) waits.push(WAITS[revisiones]!);
  const age = now.getTime() - order.date_created.getTime();
  if (envio && !FINAL.has(envio.estatus) && approvedPayments(order).length > 0 && age < OPEN_SHIPMENT_DAYS * DAY)
    waits.push(OPEN_SHIPMENT_WAIT);
  return waits.length > 0 ? new Date(now.getTime() + Math.min(...waits)) : null;
}

/** The last look at the withholding takes what there is. */
export const isLastReview = (revisiones: number) => revisiones >= WAITS.length - 1;
