import type { Moneda, SinPrecio } from '~/core/moneda';
import { Money } from '~/core/money';
import { quedaOf } from '~/domain/ventas/ordenes/queda';
import type { Tarifa } from '~/domain/ventas/ordenes/tarifa';
import { type Market, PRECIO_DE, type PrecioKey, PRECIOS } from '~/core/market';

/** A fraction with the decimals of money: 0.5 is a half. */
export type Fraccion = Money;

const IVA = Money.of('0.16');
const UNO = Money.of('1');
const MICROS = UNO.micros;

/** Mark-up on cost, where nobody chose another. */
export const GANANCIA = Money.of('0.5');

/** Our floor: the smallest margin of a sale that no person decided about. */
export const PISO: Fraccion = Money.of('0.08');

/** A supplier's price of one piece as it was read, without VAT, with that supplier's own rate of exchange. */
export type Ofrecido = {
  precio: Money | null;
  moneda: Moneda | null;
  sinPrecio: SinPrecio | null;
  /** Pesos for one unit of its currency. */
  tipoCambio: Money | null;
};

/** Reasons why a cost is unknown. Nothing is ever priced at 0. */
export type SinCosto = SinPrecio | 'tipoCambio';

/** Texts of those reasons. */
export const SIN_COSTO: Record<SinCosto, string> = {
  sinDistribucion: 'El proveedor no nos lo vende: pide solicitar distribución.',
  proyecto: 'El proveedor solo lo cotiza por proyecto.',
  cero: 'El proveedor lo da en 0.',
  ilegible: 'El proveedor no da un precio que se pueda leer.',
  moneda: 'El proveedor lo da en una moneda que no conocemos.',
  tipoCambio: 'Falta el tipo de cambio del proveedor.',
};

/** Sale price of a piece at a marketplace. Its parts add up to it. */
export type PrecioDeVenta = {
  clase: 'precio';
  precio: Money;
  /** Pesos without VAT. */
  costo: Money;
  /** VAT of the cost. */
  iva: Money;
  ganancia: Money;
  envio: Money;
  /** Rounding up to the peso. */
  redondeo: Money;
};
export type NoHayPrecio = { clase: 'sinPrecio'; porque: SinCosto };

/** Returns the cost of one piece in pesos without VAT, at its supplier's rate, or the reason why it is unknown. */
export function costoEnPesos({ precio, moneda, sinPrecio, tipoCambio }: Ofrecido): Money | SinCosto {
  const rate = rateOf(moneda, tipoCambio);
  if (sinPrecio !== null) return sinPrecio;
  if (precio === null) return 'ilegible';
  if (!isPositive(precio)) return 'cero';
  if (rate === null) return moneda === null ? 'moneda' : 'tipoCambio';
  return precio.by(rate);
}

/**
 * Returns the sale price: cost with VAT, marked up by `ganancia`, plus the shipping that we pay, rounded up to the peso. The mark-up is on the cost
 * and is no margin; `margenNeto` tells what is left of a sale.
 */
export function precioOfVenta(
  ofrecido: Ofrecido,
  { ganancia, envio }: { ganancia: Fraccion; envio: Money | null },
): PrecioDeVenta | NoHayPrecio {
  const costo = costoEnPesos(ofrecido);
  if (typeof costo === 'string') return { clase: 'sinPrecio', porque: costo };
  const pagamos = envio ?? Money.zero;
  const iva = costo.by(IVA);
  const marca = costo.plus(iva).by(ganancia);
  const suma = Money.sum([costo, iva, marca, pagamos]);
  // Worked out from the numbers as they were read, so that nothing is cut before it is rounded up.
  const rate = rateOf(ofrecido.moneda, ofrecido.tipoCambio)!;
  const exacto =
    ofrecido.precio!.micros * rate.micros * UNO.plus(IVA).micros * UNO.plus(ganancia).micros +
    pagamos.micros * MICROS ** 3n;
  const precio = Money.ofMicros(upTo(exacto, MICROS ** 4n) * MICROS);
  return {
    clase: 'precio',
    precio,
    costo,
    iva,
    ganancia: marca,
    envio: pagamos,
    redondeo: precio.minus(suma),
  };
}

/** Commission of one piece at a price, as a marketplace estimated it before any sale. */
export type ComisionEstimada = { market: Market; precio: Money; comision: Money };

/** The part of its price by which an estimate may be away from another price and still answers for it: a tenth. */
export const CERCA = 10;

/**
 * Returns the commission of a price by the nearest estimate, in proportion; null where none is within a tenth. Commissions are a part of the price, and beyond a
 * tenth a step of its category or its least fee may lie between both.
 */
function estimadaPara(precio: Money, estimadas: readonly ComisionEstimada[]): Money | null {
  const lejos = ({ precio: suyo }: ComisionEstimada) => {
    const { micros } = precio.minus(suyo);
    return micros < 0n ? -micros : micros;
  };
  let cercana: ComisionEstimada | null = null;
  for (const una of estimadas)
    if (lejos(una) * BigInt(CERCA) <= una.precio.micros && (!cercana || lejos(una) < lejos(cercana))) cercana = una;
  if (!cercana) return null;
  return Money.ofMicros((cercana.comision.micros * precio.micros) / cercana.precio.micros).cents();
}

/** Money that is left of a sale at some price. The lines are taken off the price in this order, in cents, and leave exactly `queda`. */
export type MargenNeto = {
  precio: Money;
  comision: Money;
  /** Whose commission it is: the marketplace's estimate of this product, or that of the rates. */
  comisionDe: Tarifa['comisionDe'] | 'estimada';
  envio: Money;
  retencionIva: Money;
  retencionIsr: Money;
  /** Pesos with VAT. */
  costo: Money;
  queda: Money;
  /** `queda` as part of the price. */
  margen: Fraccion;
};

/**
 * Returns the net margin of a sale, by the ledger's rule. A loss is negative. `estimadas` are those of the product at this marketplace: one near the price outranks
 * the commission by default, and none outranks that of its category.
 */
export function margenNeto(
  precio: Money,
  {
    costo,
    envio,
    tarifa,
    estimadas = [],
  }: { costo: Money; envio: Money | null; tarifa: Tarifa; estimadas?: readonly ComisionEstimada[] },
): MargenNeto {
  const neto = precio.withoutIva();
  const estimada = tarifa.comisionDe === 'omision' ? estimadaPara(precio, estimadas) : null;
  const comision = estimada ?? precio.by(tarifa.comision).cents();
  const pagamos = (envio ?? Money.zero).cents();
  const retencionIva = neto.by(tarifa.retencionIva).cents();
  const retencionIsr = neto.by(tarifa.retencionIsr).cents();
  const conIva = costo.withIva().cents();
  const recibe = precio.minus(Money.sum([comision, pagamos, retencionIva, retencionIsr]));
  return {
    precio,
    comision,
    comisionDe: estimada ? 'estimada' : tarifa.comisionDe,
    envio: pagamos,
    retencionIva,
    retencionIsr,
    costo: conIva,
    ...quedaOf({ pagado: precio, recibe, costo: conIva }),
  };
}

const isPositive = (money: Money) => !money.isZero() && !money.isNegative();

function rateOf(moneda: Moneda | null, tipoCambio: Money | null): Money | null {
  if (moneda === 'MXN') return UNO;
  return moneda !== null && tipoCambio !== null && isPositive(tipoCambio) ? tipoCambio : null;
}

/** How many `unit` hold a value that is not negative. */
const upTo = (value: bigint, unit: bigint) => (value + unit - 1n) / unit;

/** Mark-ups by price. One that is missing follows that of its marketplace's first kind. */
export type Ganancias = Readonly<Partial<Record<PrecioKey, Fraccion>>>;

/** Choices of people about prices, read once for any number of products. */
export type ReglasDePrecio = {
  /** Mark-ups by supplier. */
  ganancias: Readonly<Record<string, Ganancias>>;
  tarifas: Readonly<Record<Market, Tarifa>>;
};

/** A product as prices take it. `propias` are mark-ups of its own, which outrank its supplier's. */
export type Preciable = {
  proveedor: string;
  ofrecido: Ofrecido;
  envio: Money | null;
  propias: Ganancias;
  estimadas: readonly ComisionEstimada[];
};

/** Returns the estimates of one marketplace. */
export const estimadasDe = (estimadas: readonly ComisionEstimada[], market: Market): ComisionEstimada[] =>
  estimadas.filter((una) => una.market === market);

/** Sale price and margin of a product for one kind of listing. */
export type Cara = {
  key: PrecioKey;
  market: Market;
  ganancia: Fraccion;
  /** Whether the mark-up is the product's own. */
  propia: boolean;
  venta: PrecioDeVenta | NoHayPrecio;
  /** Null when there is no price. */
  margen: MargenNeto | null;
};

const chosenOf = (ganancias: Ganancias | undefined, key: PrecioKey): Fraccion | undefined =>
  ganancias?.[key] ?? ganancias?.[PRECIO_DE[key].market];

/** Returns the mark-up of a supplier for one kind of listing: its own, that of the marketplace's first kind, or the default. */
export const gananciaOf = ({ ganancias }: ReglasDePrecio, proveedor: string, key: PrecioKey): Fraccion =>
  chosenOf(ganancias[proveedor], key) ?? GANANCIA;

/** Returns sale price and margin of a product for each kind of listing. Any mark-up of the product outranks those of its supplier. */
export function carasOf(
  reglas: ReglasDePrecio,
  { proveedor, ofrecido, envio, propias, estimadas }: Preciable,
): Record<PrecioKey, Cara> {
  const caras = PRECIOS.map((key): [PrecioKey, Cara] => {
    const { market } = PRECIO_DE[key];
    const propia = chosenOf(propias, key);
    const ganancia = propia ?? gananciaOf(reglas, proveedor, key);
    const venta = precioOfVenta(ofrecido, { ganancia, envio });
    const margen =
      venta.clase === 'precio'
        ? margenNeto(venta.precio, {
            costo: venta.costo,
            envio: venta.envio,
            tarifa: reglas.tarifas[market],
            estimadas: estimadasDe(estimadas, market),
          })
        : null;
    return [key, { key, market, ganancia, propia: propia !== undefined, venta, margen }];
  });
  return Object.fromEntries(caras) as Record<PrecioKey, Cara>;
}
