import { Money } from '~/core/money';
import { UnexpectedShape } from '~/integrations/errors';
import type { Desglose, Item, Order } from '~/integrations/amazon/wire';

/**
 * How prices are told: without IVA and the tax beside them (`neto`), or with the IVA inside (`bruto`). Nobody has confirmed which of both Amazon
 * México uses. The setting decides; a total that only the other reading adds up to outranks the setting.
 */
export const LECTURAS = ['neto', 'bruto'] as const;
export type Lectura = (typeof LECTURAS)[number];

/** The amounts of a line: products and shipping with IVA, and `neto` for both without IVA. */
export type Importe = { productos: Money; envio: Money; neto: Money };
export type Importes = {
  lineas: Importe[];
  lectura: Lectura;
  /** The lines add up to the total that Amazon tells; null where Amazon tells no total. */
  cuadra: boolean | null;
  /** The lines came without their parts: shipping is the rest that their prices leave of the total. */
  sinDesglose: boolean;
};

/** The most that rounding may leave between the lines and the total. */
const TOLERANCIA = Money.of('0.05');
const CENTAVO = Money.of('0.01');
const zero = Money.zero;
const abs = (one: Money) => (one.isNegative() ? zero.minus(one) : one);
const sum = (of: readonly Importe[]) => Money.sum(of.map(({ productos, envio }) => productos.plus(envio)));

/** Returns the pieces of a line, at least 1: a cancelled line may tell none, and callers divide by them. */
export const cantidadOf = ({ quantityOrdered, fulfillment }: Item): number =>
  quantityOrdered || (fulfillment?.quantityFulfilled ?? 0) + (fulfillment?.quantityUnfulfilled ?? 0) || 1;

const isReemplazo = ({ associatedOrders }: Order) =>
  associatedOrders.some(({ associationType }) => associationType?.startsWith('REPLACEMENT'));

/** Returns the amounts of a sale. `pagada`: money was put on the sale, so a missing amount is a fault and not a zero. */
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
  // Within the tolerance both readings may fit: the nearer one is right.
  if (gap.compare(tolerance) <= 0 && gap.compare(otherGap) <= 0)
    return { lineas: own, lectura: ajuste, cuadra: true, sinDesglose };
  if (otherGap.compare(tolerance) <= 0) return { lineas: others, lectura: other, cuadra: true, sinDesglose };
  return { lineas: sinDesglose ? withShipping(own, total) : own, lectura: ajuste, cuadra: false, sinDesglose };
}

/** Gives the first line the rest that the prices leave of the total, as shipping: the sale came without parts. */
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

/** Returns the discounts as positive amounts, whichever sign they came with. A discount without parts is of the products. */
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

/** Returns the tax of products and of shipping, less the tax of the discounts; null when no line tells a tax. */
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

/** Shares an amount by weights, to the cent. The last share takes the rest of rounding; without any weight the first share takes all. */
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
