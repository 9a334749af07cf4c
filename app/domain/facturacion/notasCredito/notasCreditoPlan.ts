import { Money } from '~/core/money';
import type { Market } from '~/core/market';
import { porTasa, sameByRate, type ImporteDeTasa, type PagoPorTasa } from '~/domain/facturacion/cfdi/importes';

/** An orden of a factura that a credit note may take back. */
export type Acreditable = {
  ordenId: string;
  facturaId: string;
  market: Market;
  numOrden: string;
  /** Payment of the orden. */
  pagado: Money;
  /** Amount that the factura charges for the orden; null in the oldest facturas. */
  importe: Money | null;
  /** Amounts, by rate, that stamped notes of a part took back from the orden in this factura. */
  partes: { tasa: string; importe: string }[];
  /** Whether a note of a part of the orden in this factura is being stamped. */
  enCamino: boolean;
};

/** A factura with everything that decides about its credit notes. */
export type FacturaDeNota = {
  id: string;
  tipo: 'individual' | 'global';
  total: Money;
  /** Sum of its credit notes, those on their way included. */
  acreditado: Money;
  /** Gross of its stamped credit notes by rate; empty for a global. */
  notas: ImporteDeTasa[];
  /** Whether one of its credit notes is being stamped; false for a global. */
  enCamino: boolean;
  /** Ordenes of the factura that no credit note has taken back. */
  pendientes: string[];
  /**
   * Gross of each concept; `ordenId` is null for a row that staff added. A global has one per sale and rate, with the sale's first orden
   * and its number at that time.
   */
  conceptos: { ordenId: string | null; numOrden: string | null; tasaIva: string; total: Money }[];
  /** The ordenes of a global's sales with more than one rate: the amount charged for each, and the part of it at other rates. */
  repartos: (PagoPorTasa & { ordenId: string; numOrden: string })[];
};

/** The part of a factura that a note takes back: ordenes, the amount of each, and the lines by rate. */
export type Parte = { ordenIds: string[]; importes: Money[]; lineas: ImporteDeTasa[] };

/** The reason a sale gets no note: the amount is not known, nothing is left, or another note comes first. */
export type SinNota = 'sinReparto' | 'sinRenglones' | 'sinConcepto' | 'sinSaldo' | 'variasTasas' | 'enCamino';

/** The sentences for people about those reasons. */
export const SIN_NOTA: Record<SinNota, string> = {
  sinReparto:
    'volvió solo una parte de un carrito con productos de distintas tasas de IVA, y sus artículos ya no son los que se timbraron: no se sabe cuánto acreditar de cada tasa. Si vuelve el carrito entero se acredita completo; mientras tanto, haz esa nota con tu contador en el portal de factura.com.',
  sinRenglones:
    'volvió solo una parte del carrito y ningún renglón de su factura es de esa parte. Sustituye la factura en Facturas de clientes; si vuelve el resto, se acredita completa.',
  sinConcepto:
    'ningún renglón de su factura global es de esta venta, porque su número cambió después: la global y otra factura pueden estar cobrándola a la vez. Haz esa nota con tu contador en el portal de factura.com.',
  sinSaldo: 'de su factura ya no queda importe por acreditar.',
  variasTasas:
    'se devolvió solo una parte del dinero y sus productos tienen distintas tasas de IVA: no se sabe a cuál corresponde. Haz esa nota con tu contador en el portal de factura.com.',
  enCamino: 'otra nota de crédito de su factura se está generando. Vuelve a intentarlo cuando termine.',
};

/** The part of a factura that the note of one sale takes back, never more than is left of the factura; or the reason there is no note. */
export function parteOf(factura: FacturaDeNota, ordenes: readonly Acreditable[]): Parte | SinNota {
  if (factura.enCamino || ordenes.some(({ enCamino }) => enCamino)) return 'enCamino';
  const rest = factura.total.minus(factura.acreditado);
  const gross = factura.tipo === 'global' ? globalGross(factura, ordenes) : individualGross(factura, ordenes, rest);
  if (typeof gross === 'string') return gross;
  const importe = Money.sum(gross.map((line) => line.importe)).cents();
  const total = importe.compare(rest) > 0 ? rest : importe;
  if (total.isZero() || total.isNegative()) return 'sinSaldo';
  return {
    ordenIds: ordenes.map(({ ordenId }) => ordenId),
    importes: shared(total, ordenes),
    lineas: toTotal(gross, total),
  };
}

/**
 * The part of an orden that a factura charges beyond what stayed paid, as one line; or the reason there is no note of it. Lines of several
 * rates get none: a marketplace gives back an amount and names no line.
 */
export function parteDevueltaOf(factura: FacturaDeNota, orden: Acreditable): Parte | SinNota {
  if (factura.enCamino || orden.enCamino) return 'enCamino';
  const isItsOwn =
    factura.tipo === 'global'
      ? isOfVenta(factura, [orden])
      : ({ ordenId }: { ordenId: string | null }) => ordenId === orden.ordenId;
  const [tasa, otra] = byRate(factura.conceptos.filter(isItsOwn));
  if (!tasa) return factura.tipo === 'global' ? 'sinConcepto' : 'sinRenglones';
  if (otra) return 'variasTasas';
  const before = Money.sum(orden.partes.map(({ importe }) => Money.of(importe)));
  const wanted = (orden.importe ?? orden.pagado).minus(before).minus(orden.pagado);
  const rest = factura.total.minus(factura.acreditado);
  const importe = wanted.compare(rest) > 0 ? rest : wanted;
  if (importe.isZero() || importe.isNegative()) return 'sinSaldo';
  return { ordenIds: [orden.ordenId], importes: [importe], lineas: [{ tasaIva: tasa.tasaIva, importe }] };
}

/**
 * Tells which rows of a global are of a sale. A number may have changed since the stamp: an orden that became part of a cart is found by its
 * id, and the others of the cart by the number of the first.
 */
function isOfVenta({ conceptos }: FacturaDeNota, ordenes: readonly Acreditable[]) {
  const numbers = new Set(
    ordenes.map(
      ({ ordenId, numOrden }) => conceptos.find((concepto) => concepto.ordenId === ordenId)?.numOrden ?? numOrden,
    ),
  );
  return ({ numOrden }: { numOrden: string | null }) => numOrden !== null && numbers.has(numOrden);
}

/**
 * The lines of a sale in a global: its whole concept, or the share of the ordenes that came back, by rate, less what notes of a part took
 * back. The reason when the share of each rate cannot be told.
 */
function globalGross(factura: FacturaDeNota, ordenes: readonly Acreditable[]): ImporteDeTasa[] | SinNota {
  const isTheirs = isOfVenta(factura, ordenes);
  const conceptos = byRate(factura.conceptos.filter(isTheirs));
  if (conceptos.length === 0) return 'sinConcepto';
  const partes = partesOf(ordenes);
  const whole = Money.sum(conceptos.map(({ importe }) => importe));
  const wanted = Money.sum(ordenes.map(({ importe }) => importe ?? Money.zero));
  if (wanted.equals(whole)) return without(conceptos, partes);
  if (conceptos.length === 1) return without([{ tasaIva: conceptos[0]!.tasaIva, importe: wanted }], partes);
  const repartos = factura.repartos.filter(isTheirs);
  if (!sameByRate(porTasa(repartos), conceptos)) return 'sinReparto';
  const ids = new Set(ordenes.map(({ ordenId }) => ordenId));
  return without(porTasa(repartos.filter(({ ordenId }) => ids.has(ordenId))), partes);
}

const partesOf = (ordenes: readonly Acreditable[]) =>
  ordenes.flatMap(({ partes }) => partes.map(({ tasa, importe }) => ({ tasaIva: tasa, importe: Money.of(importe) })));

/** The lines less the amounts of the same rates; a line of which nothing is left is left out. */
function without(lines: readonly ImporteDeTasa[], less: readonly ImporteDeTasa[]): ImporteDeTasa[] {
  return lines
    .map(({ tasaIva, importe }) => ({
      tasaIva,
      importe: Money.sum([
        importe,
        ...less.filter((one) => one.tasaIva === tasaIva).map((one) => Money.zero.minus(one.importe)),
      ]),
    }))
    .filter(({ importe }) => !importe.isZero() && !importe.isNegative());
}

/** The lines of an individual factura: all that is left when its last ordenes come back, rows of staff included; else the lines of those that did. */
function individualGross(
  factura: FacturaDeNota,
  ordenes: readonly Acreditable[],
  rest: Money,
): ImporteDeTasa[] | SinNota {
  const ids = new Set(ordenes.map(({ ordenId }) => ordenId));
  if (!factura.pendientes.every((id) => ids.has(id))) {
    const own = byRate(factura.conceptos.filter(({ ordenId }) => ordenId !== null && ids.has(ordenId)));
    return own.length === 0 ? 'sinRenglones' : without(own, partesOf(ordenes));
  }
  return toTotal(without(byRate(factura.conceptos), factura.notas), rest);
}

function byRate(conceptos: readonly { tasaIva: string; total: Money }[]): ImporteDeTasa[] {
  const sums = new Map<string, Money>();
  for (const { tasaIva, total } of conceptos) sums.set(tasaIva, (sums.get(tasaIva) ?? Money.zero).plus(total));
  return [...sums].map(([tasaIva, importe]) => ({ tasaIva, importe: importe.cents() }));
}

/** The lines in whole cents, together exactly `total`: the largest line takes the difference, and lines that do not fit are left out. */
function toTotal(lines: readonly ImporteDeTasa[], total: Money): ImporteDeTasa[] {
  let rest = total;
  const sorted = lines.toSorted((a, b) => b.importe.compare(a.importe));
  const smaller = sorted.slice(1).map(({ tasaIva, importe }) => {
    const part = importe.compare(rest) > 0 ? rest : importe;
    rest = rest.minus(part);
    return { tasaIva, importe: part };
  });
  return sorted.length === 0
    ? []
    : [{ tasaIva: sorted[0]!.tasaIva, importe: rest }, ...smaller].filter(({ importe }) => !importe.isZero());
}

/** Splits the amount among ordenes by what the factura still charges for each, else by their payments; the last takes the rest of rounding. */
function shared(total: Money, ordenes: readonly Acreditable[]): Money[] {
  const weights = ordenes.map(({ importe, pagado, partes }) =>
    (importe ?? pagado).minus(Money.sum(partes.map((parte) => Money.of(parte.importe)))),
  );
  const whole = Money.sum(weights);
  let rest = total;
  return weights.map((weight, at) => {
    const last = at === ordenes.length - 1;
    const part =
      last || whole.isZero()
        ? last
          ? rest
          : Money.zero
        : Money.ofMicros((total.micros * weight.micros) / whole.micros).cents();
    const taken = part.compare(rest) > 0 ? rest : part;
    rest = rest.minus(taken);
    return taken;
  });
}
