import { createHash } from 'node:crypto';
import { Money } from '~/core/money';
import { readEnd } from '~/core/time';
import type { Fila } from '~/integrations/mercadolibre/reportes.server';
import type { ConceptoDeMovimiento, LineaLeida, MovimientoLeido } from '~/domain/mercados/liquidacion';

const zero = Money.zero;
/** Fields of a line that are not kept: they tell of a person or a card, or repeat other fields. */
const NO_SE_GUARDAN = /^(PAYER|CARD_|LAST_FOUR|METADATA|POI_|POS_|STORE_|EXTERNAL_POS|EXTERNAL_STORE|ISSUER)/;

/** The concept of the whole amount of a line, by Mercado Pago's word. A word with `_cancel` takes back what the same word did, and has its concept. */
const PALABRAS: readonly [RegExp, ConceptoDeMovimiento][] = [
  [/^reserve/, 'reserva'],
  [/^payment/, 'venta'],
  [/^(refund|chargeback|mediation|dispute|bpp|claim)/, 'devolucion'],
  [/^shipping|storage|almacen|fulfil/, 'envio'],
  [/^tax.*iva|^iva/, 'iva'],
  [/^tax.*(isr|income)|^isr/, 'isr'],
  [/^tax/, 'retencion'],
  [/^(advertising|ads|publicidad)/, 'publicidad'],
  [/fee|commission/, 'comision'],
];
const SALE = /^(payout|withdrawal)/;

/** Returns a reader of the lines of one report, which takes them in their order: twins of the same second are told apart by which came first. */
export function createLectorMp() {
  const seen = new Map<string, number>();
  return (fila: Fila): LineaLeida => {
    const what = (fila.RECORD_TYPE ?? '').trim().toLowerCase();
    try {
      if (what === 'initial_available_balance') return { clase: 'saldo', cuando: 'inicio', importe: netOf(fila) };
      if (what === 'total') return { clase: 'saldo', cuando: 'fin', importe: netOf(fila) };
      // Balances around a withdrawal, and sums of sections, move no money.
      if (/available_balance|subtotal/.test(what)) return { clase: 'movimientos', movimientos: [] };
      return lineOf(fila, seen);
    } catch (error) {
      return { clase: 'ilegible', motivo: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Returns the instant of a line; a day alone is its first millisecond. */
const dateOf = ({ DATE = '' }: Fila) => readEnd(DATE, 'from');

function lineOf(fila: Fila, seen: Map<string, number>): LineaLeida {
  const fecha = dateOf(fila);
  if (!fecha) throw new RangeError(`fecha que no se entiende: ${fila.DATE}`);
  if (fila.CURRENCY && fila.CURRENCY !== 'MXN') throw new RangeError(`moneda que no llevamos: ${fila.CURRENCY}`);
  const detalle = (fila.DESCRIPTION ?? '').trim().toLowerCase() || (fila.RECORD_TYPE ?? '').toLowerCase();
  const neto = netOf(fila);
  const clave = keyOf(fila, seen);
  if (SALE.test(detalle))
    return {
      clase: 'deposito',
      // A withdrawal that bounced comes back as a deposit of a negative amount.
      deposito: {
        clave: neto.isNegative() ? clave : `${clave}:cancelado`,
        fecha,
        importe: zero.minus(neto),
        saldo: fila.BALANCE_AMOUNT ? amount(fila.BALANCE_AMOUNT) : null,
      },
    };
  const common = {
    fecha,
    detalle,
    deDeposito: null,
    pago: filled(fila.SOURCE_ID),
    refOrden: filled(fila.ORDER_ID),
    refPaquete: filled(fila.PACK_ID),
    refEnvio: filled(fila.SHIPPING_ID),
    refExterna: filled(fila.EXTERNAL_REFERENCE),
  };
  const partes = partsOf(fila, neto, conceptOf(detalle));
  return {
    clase: 'movimientos',
    movimientos: partes.map(({ concepto, importe }, n): MovimientoLeido => ({
      ...common,
      clave: `${clave}:${n}`,
      concepto,
      importe,
      datos: n === 0 ? kept(fila) : null,
    })),
  };
}

const conceptOf = (detalle: string): ConceptoDeMovimiento =>
  PALABRAS.find(([word]) => word.test(detalle))?.[1] ?? 'otro';

type Parte = { concepto: ConceptoDeMovimiento; importe: Money };

/**
 * Returns the parts of a line, to the cent; one part for the whole line where the parts do not add up to what reached the account. Signs come
 * both ways: a charge may come negative or positive, and so may the price of a product that is given back.
 */
function partsOf(fila: Fila, neto: Money, concepto: ConceptoDeMovimiento): Parte[] {
  const whole = [{ concepto, importe: neto }];
  const gross = optional(fila.GROSS_AMOUNT);
  if (gross === null || concepto === 'reserva') return whole;
  const charges: Parte[] = [
    {
      concepto: 'comision',
      importe: (optional(fila.MP_FEE_AMOUNT) ?? zero).plus(optional(fila.FINANCING_FEE_AMOUNT) ?? zero),
    },
    { concepto: 'envio', importe: optional(fila.SHIPPING_FEE_AMOUNT) ?? zero },
    ...taxesOf(fila),
    { concepto, importe: optional(fila.COUPON_AMOUNT) ?? zero },
  ];
  const minus = (importe: Money) => (importe.isNegative() ? importe : zero.minus(importe));
  const plus = (importe: Money) => zero.minus(minus(importe));
  const same = (importe: Money) => importe;
  for (const [ofGross, ofCharge] of [
    [same, same],
    [same, minus],
    [minus, plus],
    [plus, minus],
  ] as const) {
    const parts = [
      { concepto, importe: ofGross(gross) },
      ...charges.map((part) => ({ ...part, importe: ofCharge(part.importe) })),
    ];
    if (Money.sum(parts.map(({ importe }) => importe)).equals(neto)) return gathered(parts, whole);
  }
  return whole;
}

/** Returns each concept once. Parts of zero are left out, unless there is no other part. */
function gathered(parts: Parte[], otherwise: Parte[]): Parte[] {
  const sums = new Map<ConceptoDeMovimiento, Money>();
  for (const { concepto, importe } of parts) sums.set(concepto, (sums.get(concepto) ?? zero).plus(importe));
  const told = [...sums].filter(([, importe]) => !importe.isZero());
  return told.length > 0 ? told.map(([concepto, importe]) => ({ concepto, importe })) : otherwise;
}

/** Returns the taxes one by one where the line tells them, else in one part. */
function taxesOf(fila: Fila): Parte[] {
  const total = optional(fila.TAXES_AMOUNT) ?? zero;
  const told = disaggregated(fila.TAXES_DISAGGREGATED);
  const signed = total.isNegative() ? told.map((part) => ({ ...part, importe: negative(part.importe) })) : told;
  return told.length > 0 && Money.sum(signed.map(({ importe }) => importe)).equals(total)
    ? signed
    : [{ concepto: 'retencion', importe: total }];
}

const negative = (importe: Money) => (importe.isNegative() ? importe : zero.minus(importe));

function disaggregated(text: string | undefined): Parte[] {
  if (!text) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.map((one: unknown) => {
      const { amount: told, ...names } = one as Record<string, unknown>;
      const name = Object.values(names).join(' ').toLowerCase();
      return {
        concepto: /isr|income/.test(name) ? 'isr' : /iva|vat/.test(name) ? 'iva' : 'retencion',
        importe: amount(String(told)),
      };
    });
  } catch {
    return [];
  }
}

/** Returns what reached the account less what left it. */
function netOf(fila: Fila): Money {
  const credit = optional(fila.NET_CREDIT_AMOUNT) ?? zero;
  const debit = optional(fila.NET_DEBIT_AMOUNT) ?? zero;
  return credit.minus(debit.isNegative() ? zero.minus(debit) : debit);
}

/** Reads '1234.50', '1,234.50' or '1234,50' as pesos. Mercado Pago's numbers may carry more decimals than cents. */
export function amount(text: string): Money {
  const clean = text.trim().replace(/^\$/, '');
  const comma = clean.lastIndexOf(',');
  const plain =
    comma > clean.lastIndexOf('.') && !/,\d{3}$/.test(clean)
      ? clean.replaceAll('.', '').replace(',', '.')
      : clean.replaceAll(',', '');
  return Money.of(plain).cents();
}

const optional = (text: string | undefined) => (text === undefined || text.trim() === '' ? null : amount(text));
const filled = (text: string | undefined) => (text && text.trim() !== '' && text !== '0' ? text.trim() : null);

const KEY = [
  'DATE',
  'SOURCE_ID',
  'EXTERNAL_REFERENCE',
  'RECORD_TYPE',
  'DESCRIPTION',
  'NET_CREDIT_AMOUNT',
  'NET_DEBIT_AMOUNT',
  'GROSS_AMOUNT',
  'ORDER_ID',
];

/** Returns the name of a line, which has no number of its own. Twins are of the same second, so a report that tells one tells all of them, and their order changes nothing. */
function keyOf(fila: Fila, seen: Map<string, number>): string {
  const said = KEY.map((name) => fila[name] ?? '');
  // Another report may write the same instant in another zone, and the same amount with other decimals.
  said[0] = dateOf(fila)!.toISOString();
  for (const n of [5, 6, 7]) said[n] = said[n] === '' ? '' : amount(said[n]!).toFixed(2);
  const hash = createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 32);
  const times = (seen.get(hash) ?? 0) + 1;
  seen.set(hash, times);
  return times === 1 ? hash : `${hash}:${times}`;
}

const kept = (fila: Fila) =>
  Object.fromEntries(Object.entries(fila).filter(([name, value]) => value !== '' && !NO_SE_GUARDAN.test(name)));
