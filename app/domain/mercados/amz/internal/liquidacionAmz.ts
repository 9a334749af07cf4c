import { Money } from '~/core/money';
import { readEnd } from '~/core/time';
import type { Fila } from '~/integrations/amazon/reportes.server';
import type { ConceptoDeMovimiento, LineaLeida } from '~/domain/mercados/liquidacion';

/** The concept of an amount, by its own word and then by the word of its kind. As in Finances, the fees of Amazon are commission, except those of its warehouse. */
const PALABRAS: readonly [RegExp, ConceptoDeMovimiento][] = [
  [/reserve/i, 'reserva'],
  [/reimbursement|reembolso/i, 'otro'],
  [/isr$|^isr|\bisr\b|income/i, 'isr'],
  [/withh.*vat|facilitatorvat|retenci.*iva|^iva/i, 'iva'],
  [/withh|facilitator|retenci/i, 'retencion'],
  [/advertis|sponsored|publicidad/i, 'publicidad'],
  // Storage is of the warehouse under each of its labels, so its rule stands before that of fees.
  [/storage|almacen|bodegaje/i, 'envio'],
  [/^fba|shipping label|postage|fulfil/i, 'envio'],
  [/commission|comisi|fee|shippinghb|chargeback/i, 'comision'],
];
const PRECIO = /^(itemprice|promotion|price|item price)/i;
const DEVUELVE = /refund|chargeback|a-to-z|guarantee/i;

/**
 * Returns a reader of the lines of one document, which takes them in their order. A document tells several settlements, each below a line with its
 * total, and may repeat a settlement of another document. A settlement is always told alike, so a line is known by its place below the total.
 */
export function createLectorAmz() {
  let deposito: string | undefined;
  let posicion = 0;
  let fechaDelDeposito: Date | undefined;
  return function* read(fila: Fila): Generator<LineaLeida> {
    posicion += 1;
    const settlement = (fila['settlement-id'] ?? '').trim();
    const total = (fila['total-amount'] ?? '').trim();
    const begins = total !== '' && ((fila.amount ?? '').trim() === '' || settlement !== deposito);
    try {
      if (settlement === '') throw new RangeError('sin número de liquidación');
      if (fila.currency && fila.currency !== 'MXN') throw new RangeError(`moneda que no llevamos: ${fila.currency}`);
      if (begins) {
        const fecha = dateOf(fila['deposit-date']) ?? dateOf(fila['settlement-end-date']);
        if (!fecha) throw new RangeError('sin fecha de depósito');
        [deposito, posicion, fechaDelDeposito] = [settlement, 1, fecha];
        yield { clase: 'deposito', deposito: { clave: settlement, fecha, importe: amount(total), saldo: null } };
      }
      // The first line of a settlement tells its total alone.
      if ((fila.amount ?? '').trim() === '') return;
      const importe = amount(fila.amount!);
      const words = [fila['amount-type'], fila['amount-description']].map((word) => (word ?? '').trim());
      const fecha = dateOf(fila['posted-date-time']) ?? dateOf(fila['posted-date']) ?? fechaDelDeposito;
      if (!fecha) throw new RangeError('sin fecha');
      yield {
        clase: 'movimientos',
        movimientos: [
          {
            clave: `${settlement}:${posicion}`,
            concepto: conceptOf(words as [string, string], fila['transaction-type'] ?? ''),
            importe,
            fecha,
            detalle: [fila['transaction-type'], ...words].filter(Boolean).join(' · '),
            deDeposito: settlement,
            pago: null,
            refOrden: filled(fila['order-id']),
            refPaquete: null,
            refEnvio: null,
            refExterna: filled(fila['merchant-order-id']),
            datos: Object.fromEntries(Object.entries(fila).filter(([, value]) => value !== '')),
          },
        ],
      };
    } catch (error) {
      yield { clase: 'ilegible', motivo: error instanceof Error ? error.message : String(error) };
    }
  };
}

function conceptOf([kind, what]: [string, string], transaction: string): ConceptoDeMovimiento {
  // A promotion lowers the price, whatever its word.
  if (PRECIO.test(kind)) return DEVUELVE.test(transaction) ? 'devolucion' : 'venta';
  for (const word of [what, kind]) {
    const found = PALABRAS.find(([pattern]) => pattern.test(word));
    if (found) return found[1];
  }
  return 'otro';
}

/** Reads '1234.50', '1,234.50' or '-1234,50' as pesos. With both marks the last one begins the cents; a comma alone does with two digits behind it. */
export function amount(text: string): Money {
  const clean = text.trim().replace(/\s/g, '');
  const comma = clean.lastIndexOf(',');
  const decimal = comma > clean.lastIndexOf('.') && /,\d{1,2}$/.test(clean);
  return Money.of(decimal ? clean.replaceAll('.', '').replace(',', '.') : clean.replaceAll(',', '')).cents();
}

/** Reads '2026-10-02T10:11:12+00:00', '2026-10-02 10:11:12 UTC', '02.10.2026 10:11:12 UTC', or the day alone. In any other form the day could be mistaken. */
export function dateOf(text: string | undefined): Date | undefined {
  const said = (text ?? '').trim();
  if (said === '') return undefined;
  const clean = said.endsWith('UTC') ? `${said.slice(0, -3).trimEnd()}Z` : said;
  const european = /^(\d{2})[./](\d{2})[./](\d{4})(.*)$/.exec(clean);
  const [, day, month, year, rest] = european ?? [];
  const iso = (european ? `${year}-${month}-${day}${rest}` : clean)
    .replace(/^(\d{4}-\d{2}-\d{2})\s+/, '$1T')
    .replace(/(T\d{2}:\d{2}:\d{2})$/, '$1Z');
  return readEnd(iso, 'from') ?? undefined;
}

const filled = (text: string | undefined) => (text && text.trim() !== '' ? text.trim() : null);
