import { Money } from '~/core/money';
import { UnexpectedShape } from '~/integrations/errors';
import type { Desglose, Item, Order } from '~/integrations/amazon/wire';

/**
 * Nobody has confirmed whether Amazon México tells its prices without IVA, and the tax beside them, or with it inside. The setting says which to believe; a total that
 * only the other one adds up to outranks it.
 */
export const LECTURAS = ['neto', 'bruto'] as const;
export type Lectura = (typeof LECTURAS)[number];

/** What the buyer pays for a line, IVA included, and the part of it that is not IVA. */
export type Importe = { productos: Money; envio: Money; neto: Money };
export type Importes = {
  lineas: Importe[];
  lectura: Lectura;
  /** What was read adds up to the total that Amazon tells; null where it tells none. */
  cuadra: boolean | null;
  /** The lines came without their parts: shipping is what their prices leave of the total. */
  sinDesglose: boolean;
};

/** Rounding may leave so much between the lines and the total. */
const TOLERANCIA = Money.of('0.05');
const CENTAVO = Money.of('0.01');
const zero = Money.zero;
const abs = (one: Money) => (one.isNegative() ? zero.minus(one) : one);
const sum = (of: readonly Importe[]) => Money.sum(of.map(({ productos, envio }) => productos.plus(envio)));

/** Pieces of a line: a cancelled one may say none, and a division by them is never by zero. */
export const cantidadOf = ({ quantityOrdered, fulfillment }: Item): number =>
  quantityOrdered || (fulfillment?.quantityFulfilled ?? 0) + (fulfillment?.quantityUnfulfilled ?? 0) || 1;

const isReemplazo = ({ associatedOrders }: Order) =>
  associatedOrders.some(({ associationType }) => associationType?.startsWith('REPLACEMENT'));

/** The amounts of a sale. `pagada`: money was put on it, so that amounts nobody tells are a fault and not a zero. */
export function importesOf(order: Order, ajuste: Lectura, pagada: boolean): Importes {
  const total = order.proceeds?.grandTotal ?? null;
  const told = order.orderItems.filter(({ proceeds }) => (proceeds?.breakdowns.length ?? 0) > 0);
  const sinDesglose = told.length < order.orderItems.length;
  if (sinDesglose && order.orderItems.every(({ product }) => product.price?.unitPrice == null)) {
    if (pagada && !isReemplazo(order)) throw new UnexpectedShape('Amazon no dijo los importes de la venta');
    const lineas = order.orderItems.map(() => ({ productos: zero, envio: zero, neto: zero }));
    return { lineas, lectura: ajuste, cuadra: null, sinDesglose: false };
  }
  const read = (lectura: Lectura) => order.orderItems.map((item) => importeOf(item, lectura));
  const tolerance = TOLERANCIA.plus(CENTAVO.times(order.orderItems.reduce((n, item) => n + cantidadOf(item), 0)));
  const gapOf = (lineas: readonly Importe[]) => abs(sum(lineas).minus(total ?? zero));
  const own = read(ajuste);
  const other: Lectura = ajuste === 'neto' ? 'bruto' : 'neto';
  if (total === null) return { lineas: own, lectura: ajuste, cuadra: null, sinDesglose };
  const others = read(other);
  const [gap, otherGap] = [gapOf(own), gapOf(others)];
  // Of a few cents both may be near enough: the nearer one is right.
  if (gap.compare(tolerance) <= 0 && gap.compare(otherGap) <= 0)
    return { lineas: own, lectura: ajuste, cuadra: true, sinDesglose };
  if (otherGap.compare(tolerance) <= 0) return { lineas: others, lectura: other, cuadra: true, sinDesglose };
  return { lineas: sinDesglose ? withShipping(own, total) : own, lectura: ajuste, cuadra: false, sinDesglose };
}

/** Of a sale whose parts nobody tells: what its prices leave of the total was for shipping, once. */
function withShipping([first, ...rest]: readonly Importe[], total: Money): Importe[] {
  if (!first) return [];
  const left = total.minus(sum([first, ...rest]));
  return left.isNegative()
    ? [first, ...rest]
    : [{ ...first, envio: left, neto: first.neto.plus(left.withoutIva()) }, ...rest];
}

function importeOf(item: Item, lectura: Lectura): Importe {
  const parts = item.proceeds?.breakdowns ?? [];
  if (parts.length === 0) {
    const price = (item.product.price?.unitPrice ?? zero).times(cantidadOf(item));
    return lectura === 'neto'
      ? { productos: price.withIva().cents(), envio: zero, neto: price }
      : { productos: price, envio: zero, neto: price.withoutIva() };
  }
  const of = (...types: string[]) =>
    Money.sum(
      parts.filter(({ type }) => type !== null && types.includes(type)).map(({ subtotal }) => subtotal ?? zero),
    );
  const descuentos = descuentosOf(parts);
  const productos = of('ITEM', 'GIFT_WRAP', 'COD_FEE', 'OTHER').minus(descuentos.productos);
  const envio = of('SHIPPING').minus(descuentos.envio);
  const impuesto = impuestoOf(parts, descuentos);
  if (lectura === 'bruto') {
    const iva = impuesto ? impuesto.productos.plus(impuesto.envio) : null;
    const bruto = productos.plus(envio);
    return { productos, envio, neto: iva ? bruto.minus(iva) : bruto.withoutIva() };
  }
  const iva = impuesto ?? {
    productos: productos.withIva().minus(productos).cents(),
    envio: envio.withIva().minus(envio).cents(),
  };
  return { productos: productos.plus(iva.productos), envio: envio.plus(iva.envio), neto: productos.plus(envio) };
}

type Partes = { productos: Money; envio: Money };

/** Told with either sign, and taken away. Without its parts a discount is of the products. */
function descuentosOf(parts: readonly Desglose[]): Partes {
  const discounts = parts.filter(({ type }) => type === 'DISCOUNT');
  const envio = abs(
    Money.sum(
      discounts.flatMap(({ detailedBreakdowns }) =>
        detailedBreakdowns.filter(({ subtype }) => subtype === 'SHIPPING').map(({ value }) => value ?? zero),
      ),
    ),
  );
  const all = abs(Money.sum(discounts.map(({ subtotal }) => subtotal ?? zero)));
  return { productos: all.minus(envio), envio };
}

/** The tax of products and of shipping, less that of what was discounted; null when no line tells of it. */
function impuestoOf(parts: readonly Desglose[], descuentos: Partes): Partes | null {
  const taxes = parts.filter(({ type }) => type === 'TAX');
  if (taxes.length === 0) return null;
  const details = taxes.flatMap(({ detailedBreakdowns }) => detailedBreakdowns);
  const of = (wanted: (subtype: string | null) => boolean) =>
    Money.sum(details.filter(({ subtype }) => wanted(subtype)).map(({ value }) => value ?? zero));
  const discounted = abs(of((subtype) => subtype === 'DISCOUNT'));
  const envio = of((subtype) => subtype === 'SHIPPING');
  const whole = Money.sum(taxes.map(({ subtotal }) => subtotal ?? zero));
  const productos =
    details.length === 0 ? whole.plus(discounted) : of((subtype) => subtype !== 'SHIPPING' && subtype !== 'DISCOUNT');
  const [dePiezas, deEnvio] = repartido(discounted, [descuentos.productos, descuentos.envio]);
  return { productos: productos.minus(dePiezas!), envio: envio.minus(deEnvio!) };
}

/** An amount in shares of cents, to the weight of each; the last takes what rounding leaves. All of it is the first's when nobody weighs. */
export function repartido(total: Money, pesos: readonly Money[]): Money[] {
  const all = pesos.reduce((micros, { micros: one }) => micros + one, 0n);
  if (all <= 0n) return pesos.map((_, n) => (n === 0 ? total : zero));
  const last = pesos.findLastIndex(({ micros }) => micros > 0n);
  let left = total;
  const shares = pesos.map(({ micros }, n) => {
    if (n === last) return zero;
    const share = Money.ofMicros((total.micros * micros) / all).cents();
    left = left.minus(share);
    return share;
  });
  shares[last] = left;
  return shares;
}
