import { HOUR, MINUTE, SECOND } from './constants';
import type { Random } from './random';
import type { Sale, Step } from './sale';

type Stage = [status: string, substatus: string | null, hours: number];

const LABELLED: Stage[] = [
  ['pending', null, 0],
  ['handling', 'waiting_for_label_generation', 0],
  ['ready_to_ship', 'ready_to_print', 0],
  ['ready_to_ship', 'printed', 6],
  ['ready_to_ship', 'picked_up', 22],
  ['ready_to_ship', 'in_hub', 28],
  ['shipped', null, 40],
  ['shipped', 'out_for_delivery', 64],
  ['delivered', null, 70],
];
const FULL: Stage[] = [
  ['pending', null, 0],
  ['ready_to_ship', 'in_warehouse', 0],
  ['shipped', null, 7],
  ['shipped', 'out_for_delivery', 22],
  ['delivered', null, 28],
];
const FLEX: Stage[] = [
  ['pending', null, 0],
  ['ready_to_ship', 'ready_to_print', 0],
  ['ready_to_ship', 'printed', 1],
  ['shipped', 'out_for_delivery', 4],
  ['delivered', null, 9],
];
const OWN: Stage[] = [
  ['pending', null, 0],
  ['handling', null, 0],
  ['ready_to_ship', 'ready_to_print', 0],
  ['shipped', null, 44],
  ['delivered', null, 118],
];
const UNPAID: Stage[] = [['pending', 'waiting_for_payment', 0]];

function stagesOf(sale: Sale): Stage[] {
  if (sale.closedAt === null) return UNPAID;
  if (sale.delivery.mode !== 'me2') return OWN;
  if (sale.delivery.logistic === 'fulfillment') return FULL;
  return sale.delivery.logistic === 'self_service' ? FLEX : LABELLED;
}

/** Whether a sale has a shipment. A delivery that buyer and seller agree on has none. */
export const hasShipment = (sale: Sale) => sale.delivery.mode !== 'not_specified';

/** Steps of a shipment until the present. The end of the sale ends its shipment too. */
export function historyOf(sale: Sale, horizon: number, random: Random): Step[] {
  if (!hasShipment(sale)) return [];
  const start = sale.closedAt ?? sale.createdAt;
  const pace = 0.75 + random.next() * 0.5;
  const ended = sale.orders.every(({ ending }) => ending && ending.kind !== 'partialRefund')
    ? sale.orders[0]!.ending
    : null;
  const end = ended ? Math.min(ended.at, horizon) : horizon;
  const steps: Step[] = [];
  for (const [n, [status, substatus, hours]] of stagesOf(sale).entries()) {
    const at = Math.round(start + hours * pace * HOUR + n * SECOND);
    if (hours > 0 && at > end) break;
    // Only a sale that lasted, or that came back afterwards, was delivered.
    if (status === 'delivered' && ended && ended.kind === 'cancelled') break;
    steps.push({ status, substatus, at: Math.min(at, Math.max(end, start)) });
  }
  if (ended) steps.push(...lastSteps(sale, ended.kind, steps.at(-1), Math.max(end, start)));
  return steps;
}

function lastSteps(sale: Sale, kind: string, last: Step | undefined, at: number): Step[] {
  const left =
    last !== undefined &&
    (last.status === 'shipped' ||
      last.status === 'delivered' ||
      last.substatus === 'picked_up' ||
      last.substatus === 'in_hub');
  if (kind === 'cancelled' && !left)
    return [{ status: 'cancelled', substatus: sale.scenario === 'packDividido' ? 'pack_splitted' : null, at }];
  if (left)
    return [
      { status: 'not_delivered', substatus: 'returning_to_sender', at: at - MINUTE },
      { status: 'not_delivered', substatus: 'returned', at },
    ];
  return kind === 'unfulfilled' ? [{ status: 'cancelled', substatus: 'shipped_outside_me', at }] : [];
}

/** The next step of a shipment; undefined after its last one. */
export function nextStep(sale: Sale, at: number): Step | undefined {
  const last = sale.history.at(-1);
  const stages = stagesOf(sale);
  const index = stages.findIndex(([status, substatus]) => status === last?.status && substatus === last.substatus);
  const next = index < 0 ? undefined : stages[index + 1];
  return next && { status: next[0], substatus: next[1], at };
}
