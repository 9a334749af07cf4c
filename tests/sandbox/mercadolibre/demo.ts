import { DAY, HOUR, MINUTE } from './constants';
import { dayStart, monthStart } from './clock';
import type { SaleOrder, World } from './plan';
import { randomOf, type Random } from './random';
import type { Sale } from './sale';
import { shipmentId } from './sale';
import { SCENARIOS, type ScenarioName } from './scenarios';

/** Weights of the hours of a day in Mexico, by their number of sales. */
const HOURS = [3, 2, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 10, 9, 9, 9, 9, 10, 10, 11, 12, 12, 9, 6];
const BUSY = HOURS.reduce((total, weight) => total + weight, 0);
/** The number of months of the demo, and its sales in this month and today. */
const MONTHS = 4;
const THIS_MONTH = 120;
const TODAY = 11;

function hourOf(random: Random): number {
  let ticket = random.next() * BUSY;
  return HOURS.findIndex((weight) => (ticket -= weight) < 0);
}

/** Returns an instant between two, at an hour when people buy. */
function instant(random: Random, from: number, to: number): number {
  for (let tries = 0; tries < 12; tries++) {
    const day = dayStart(from + random.next() * (to - from));
    const at = day + hourOf(random) * HOUR + random.int(0, HOUR - 1);
    if (at >= from && at <= to) return at;
  }
  return Math.round(from + random.next() * (to - from));
}

/** Instants of the demo's sales: four months that end a minute before the anchor, with sales in the present month and today. */
function instants(random: Random, anchor: number, count: number): number[] {
  const to = anchor - MINUTE;
  const today = Math.min(dayStart(anchor), to - HOUR);
  const month = Math.min(monthStart(anchor), today);
  // A first sync goes back 120 days: late in a long month the first of these days would lie before them.
  const past = Math.max(monthStart(anchor, MONTHS - 1) - 6 * DAY, anchor - 118 * DAY);
  const thisMonth = Math.min(THIS_MONTH, Math.max(40, Math.round((anchor - month) / DAY) * 15));
  return [
    ...Array.from({ length: TODAY }, () => instant(random, today, to)),
    ...Array.from({ length: thisMonth - TODAY }, () => instant(random, month, to)),
    ...Array.from({ length: Math.max(0, count - thisMonth) }, () => instant(random, past, month)),
  ];
}

/** Plans the demo's sales, the oldest first. The orders of a split cart follow right after it. */
export function planDemo(world: World, anchor: number, plan: (order: SaleOrder) => Sale): void {
  const random = randomOf(world.seed, 'demo');
  const names = random.shuffle(
    Object.entries(SCENARIOS).flatMap(([name, { demo }]) =>
      name === 'bordeDeMes' ? [] : Array.from({ length: demo }, () => name as ScenarioName),
    ),
  );
  const times = instants(random, anchor, names.length);
  const orders = names.map((scenario, n) => ({ scenario, at: times[n]! }));
  for (let back = 0; back < SCENARIOS.bordeDeMes.demo; back++)
    orders.push({ scenario: 'bordeDeMes', at: monthStart(anchor, back) - 25 * MINUTE });
  orders.sort((a, b) => a.at - b.at);
  let seq = 0;
  for (const { scenario, at } of orders) {
    const sale = plan({ seq: ++seq, scenario, at, horizon: anchor });
    if (scenario !== 'packDividido') continue;
    for (const { line } of sale.orders) {
      plan({
        seq: ++seq,
        scenario: 'ordenDividida',
        at: Math.min(at + 2 * HOUR, anchor - MINUTE),
        horizon: anchor,
        overrides: {
          comprador: sale.buyer.index,
          hermano: shipmentId(sale.seq),
          titulo: line.product.title,
          sku: line.sku,
          cantidad: line.quantity,
          precio: line.unit / 100,
        },
      });
    }
  }
}

/** Plans so many plain sales over the same months, for measuring. */
export function planPlain(first: number, count: number, anchor: number, plan: (order: SaleOrder) => Sale): void {
  const from = monthStart(anchor, MONTHS - 1);
  for (let n = 0; n < count; n++) {
    const at = Math.round(from + ((n + 0.5) / count) * (anchor - MINUTE - from));
    plan({ seq: first + n, scenario: 'simple', at, horizon: anchor });
  }
}
