import { z } from 'zod';
import { DineroGuardado, InstanteEscrito } from '~/core/fields';
import { Money } from '~/core/money';
import type { Cargo, Order, Transaction } from '~/integrations/amazon/wire';

const DAY = 86_400_000;
/**
 * Ages of a sale at which its movements are asked for. Amazon tells an event two days later. A refund may come weeks later, and changes nothing of
 * the sale that would announce it.
 */
const MIRADAS = [2, 3, 5, 8, 14, 21, 31, 45, 60].map((days) => days * DAY);

/** The sums of the movements of a sale. The document of the sale keeps them, since movements are read less often than sales. */
export type Finanzas = {
  comision: Money;
  /** The fees of Amazon's own warehouse and couriers. */
  surtido: Money;
  /** The amount withheld; null when the movements came without their parts. */
  retenido: Money | null;
  /** The ISR that the sale tells; null where ISR is charged by the month. */
  isr: Money | null;
  devuelto: Money;
  /** The day on which the last of its payments is released, as Amazon promises it; null while it names none. */
  libera: Date | null;
};

/** The shape of the sums of a sale in its kept document. */
export const FinanzasGuardadas = z
  .object({
    finanzas: z.object({
      comision: DineroGuardado,
      surtido: DineroGuardado,
      retenido: DineroGuardado.nullable(),
      isr: DineroGuardado.nullable(),
      devuelto: DineroGuardado,
      // Documents of before 1 December 2026 have none.
      libera: InstanteEscrito.nullable().default(null),
    }),
  })
  .transform(({ finanzas }): Finanzas | null => finanzas)
  .catch(null);

const zero = Money.zero;
const WITHHELD = /withh|facilitator|retenci/i;
const ISR = /isr|income/i;
const FEE = /fee|commission|chargeback/i;
const FBA = /^fba/i;
/** Names of the parts of the buyer's payment. */
const PRICE = /^(productcharges|ourprice|principal|tax|shipping|giftwrap|promotion|discount|cod)/i;
/** Names of groups, whose parts are counted instead. */
const GATHERS = /^(sales|expenses)$/i;

/** Sums the movements of a sale; null while Amazon tells none. A movement that was deferred and then released under another number counts once. */
export function finanzasOf(told: readonly Transaction[]): Finanzas | null {
  const released = new Set(
    told.flatMap(({ relatedIdentifiers }) =>
      relatedIdentifiers
        .filter(({ relatedIdentifierName }) => relatedIdentifierName === 'DEFERRED_TRANSACTION_ID')
        .map(({ relatedIdentifierValue }) => relatedIdentifierValue),
    ),
  );
  const ids = new Set<string>();
  const transactions = told.filter(({ transactionId: id }) => {
    if (id === null) return true;
    if (released.has(id) || ids.has(id)) return false;
    ids.add(id);
    return true;
  });
  if (transactions.length === 0) return null;
  const moves = transactions.map(movimientoOf);
  const total = (of: (move: Movimiento) => Money) => Money.sum(moves.map(of));
  const known = moves.every(({ conPartes }) => conPartes);
  const refunds = moves.filter(({ cobrado }) => cobrado.isNegative());
  return {
    comision: zero.minus(total(({ comision }) => comision)),
    surtido: zero.minus(total(({ surtido }) => surtido)),
    retenido: known ? zero.minus(total(({ retenido }) => retenido)) : null,
    isr: moves.some(({ isr }) => isr !== null) ? zero.minus(total(({ isr }) => isr ?? zero)) : null,
    devuelto: zero.minus(Money.sum(refunds.map(({ cobrado }) => cobrado))),
    libera: liberaOf(transactions),
  };
}

/** Returns the latest promised day. It follows the delivery, so it moves until the payment is released. */
function liberaOf(transactions: readonly Transaction[]): Date | null {
  const days = transactions
    .flatMap(({ contexts, items }) => [...contexts, ...items.flatMap((item) => item.contexts)])
    .flatMap(({ maturityDate }) => maturityDate?.getTime() ?? []);
  return days.length === 0 ? null : new Date(Math.max(...days));
}

type Movimiento = {
  cobrado: Money;
  comision: Money;
  surtido: Money;
  retenido: Money;
  isr: Money | null;
  conPartes: boolean;
};

/** Reads one movement. An amount that goes to the seller is positive. */
function movimientoOf({ items, breakdowns, totalAmount }: Transaction): Movimiento {
  const ofItems = items.flatMap((item) => item.breakdowns);
  const move: Movimiento = { cobrado: zero, comision: zero, surtido: zero, retenido: zero, isr: null, conPartes: true };
  const parts = ofItems.length > 0 ? ofItems : breakdowns;
  // A refund without parts is known by its sign, and by its net.
  if (parts.length === 0) return { ...move, conPartes: false, cobrado: totalAmount?.isNegative() ? totalAmount : zero };
  for (const part of parts.flatMap((one) => (GATHERS.test(one.tipo) ? one.partes : [one]))) add(move, part);
  return move;
}

/** Adds a part of a movement. A part with an unknown word counts as withheld where it takes from the seller, and as price where it gives. */
function add(move: Movimiento, part: Cargo) {
  const { tipo, importe } = part;
  if (WITHHELD.test(tipo) || ISR.test(tipo)) return withhold(move, part);
  if (FEE.test(tipo)) return charge(move, part);
  if (PRICE.test(tipo) || !importe.isNegative()) move.cobrado = move.cobrado.plus(importe);
  else withhold(move, part);
}

function withhold(move: Movimiento, { tipo, importe, partes }: Cargo) {
  if (partes.some((part) => ISR.test(part.tipo))) for (const part of partes) withhold(move, part);
  else if (ISR.test(tipo)) move.isr = (move.isr ?? zero).plus(importe);
  else move.retenido = move.retenido.plus(importe);
}

function charge(move: Movimiento, { importe, partes }: Cargo) {
  const fba = Money.sum(partes.filter(({ tipo }) => FBA.test(tipo)).map((part) => part.importe));
  move.surtido = move.surtido.plus(fba);
  move.comision = move.comision.plus(importe.minus(fba));
}

const SENT = new Set(['SHIPPED', 'PARTIALLY_SHIPPED', 'INVOICE_UNCONFIRMED']);
const hasLeft = ({ fulfillment, orderItems }: Order) =>
  SENT.has(fulfillment?.fulfillmentStatus ?? '') ||
  orderItems.some((item) => (item.fulfillment?.quantityFulfilled ?? 0) > 0);

/** Returns when to ask for the movements of a sale; null for a sale that never left, or is old enough to be left alone. */
export function proximaMirada(order: Order, leidasEn: Date | null, now: Date): Date | null {
  if (!hasLeft(order)) return null;
  const born = order.createdTime.getTime();
  const next = MIRADAS.map((after) => born + after).find((at) => at > (leidasEn?.getTime() ?? 0));
  if (next === undefined) return leidasEn === null ? now : null;
  return new Date(Math.max(next, now.getTime()));
}
