import { createBuyers, type Buyer } from './buyers';
import { planDemo, planPlain } from './demo';
import { FISCAL_KINDS } from './fiscal';
import { hasShipment, nextStep } from './history';
import { planSale, type SaleOrder, type World } from './plan';
import {
  billingId,
  CANCEL_CODES,
  packOf,
  paymentId,
  seqOfBilling,
  seqOfOrder,
  seqOfPack,
  seqOfPayment,
  seqOfShipment,
  shipmentId,
  type CancelCode,
  type Order,
  type Sale,
} from './sale';

/** A change of a sale after it was made, small enough to be kept and applied again. */
export type Change =
  | { kind: 'cancel'; orderId: number; code: CancelCode; at: number }
  | { kind: 'return'; orderId: number; refunded: boolean; at: number }
  | { kind: 'refundPart'; orderId: number; amount: number; at: number }
  | { kind: 'advance'; orderId: number; status?: string; substatus?: string | null; at: number }
  | {
      kind: 'tell';
      orderId: number;
      status: string;
      substatus: string | null;
      number: string | null;
      url: string | null;
      at: number;
    };

/** Plain sales made at one stroke. Their number is enough to make the same sales again. */
interface Block {
  first: number;
  count: number;
  at: number;
}

export interface LedgerState {
  anchor: number;
  blocks: Block[];
  sales: SaleOrder[];
  changes: Change[];
}

/** All sales, which are found by any of their ids or listed in the order of the seller's search. */
export class Ledger {
  readonly buyers: Buyer[];
  readonly #world: World;
  readonly #sales = new Map<number, Sale>();
  /** Orders by date_closed, or by date_created while unpaid, the oldest first. */
  #orders: Order[] = [];
  #sorted = true;
  #last = 0;
  #state: LedgerState;

  constructor(seed: string, state: LedgerState, { demo = true }: { demo?: boolean } = {}) {
    this.buyers = createBuyers(seed);
    this.#world = {
      seed,
      buyers: this.buyers,
      buyersByKind: new Map(
        FISCAL_KINDS.map((kind) => [kind, this.buyers.filter((buyer) => buyer.fiscal.kind === kind)]),
      ),
    };
    this.#state = { ...state, blocks: [], sales: [], changes: [] };
    if (demo) planDemo(this.#world, state.anchor, (order) => this.#plan(order));
    for (const block of state.blocks) this.#grow(block);
    for (const order of state.sales) this.#sell(order);
    for (const change of state.changes) this.change(change);
  }

  get state(): LedgerState {
    return this.#state;
  }

  get anchor(): number {
    return this.#state.anchor;
  }

  get size(): number {
    return this.#orders.length;
  }

  #plan(order: SaleOrder): Sale {
    const sale = planSale(this.#world, order);
    this.#sales.set(sale.seq, sale);
    this.#last = Math.max(this.#last, sale.seq);
    this.#orders.push(...sale.orders);
    this.#sorted = false;
    return sale;
  }

  #grow(block: Block): void {
    planPlain(block.first, block.count, block.at, (order) => this.#plan(order));
    this.#state.blocks.push(block);
  }

  #sell(order: SaleOrder): Sale {
    const sale = this.#plan(order);
    this.#state.sales.push(order);
    return sale;
  }

  /** Makes so many plain sales up to an instant. */
  grow(count: number, at: number): void {
    this.#grow({ first: this.#last + 1, count, at });
  }

  sell(order: Omit<SaleOrder, 'seq'>): Sale {
    return this.#sell({ ...order, seq: this.#last + 1 });
  }

  /** Applies a change. Returns false when its order does not exist. */
  change(change: Change): boolean {
    const order = this.order(change.orderId);
    if (!order) return false;
    const { sale } = order;
    if (change.kind === 'cancel') order.ending = { kind: 'cancelled', code: change.code, at: change.at };
    if (change.kind === 'return') order.ending = { kind: 'unfulfilled', refunded: change.refunded, at: change.at };
    if (change.kind === 'refundPart') order.ending = { kind: 'partialRefund', amount: change.amount, at: change.at };
    if (change.kind === 'advance' && hasShipment(sale)) {
      const step = change.status
        ? { status: change.status, substatus: change.substatus ?? null, at: change.at }
        : nextStep(sale, change.at);
      if (step) sale.history.push(step);
    }
    if (change.kind === 'tell') {
      const { status, substatus, number, url, at } = change;
      const last = sale.history.at(-1);
      sale.told.push({ status, substatus, number, url, at });
      if (last?.status !== status || last.substatus !== substatus) sale.history.push({ status, substatus, at });
    }
    if (
      change.kind === 'cancel' &&
      hasShipment(sale) &&
      sale.orders.every(({ ending }) => ending?.kind === 'cancelled')
    ) {
      sale.history.push({ status: 'cancelled', substatus: null, at: change.at });
    }
    for (const touched of change.kind === 'advance' || change.kind === 'tell' ? sale.orders : [order])
      touched.touchedAt = change.at;
    this.#state.changes.push(change);
    return true;
  }

  /** The key by which a seller's search sorts: date_closed, or date_created while unpaid. */
  orders(): readonly Order[] {
    if (!this.#sorted) {
      this.#orders.sort((a, b) => closedKey(a) - closedKey(b) || a.id - b.id);
      this.#sorted = true;
    }
    return this.#orders;
  }

  sales(): IterableIterator<Sale> {
    return this.#sales.values();
  }

  order(id: number): Order | undefined {
    return this.#sales.get(seqOfOrder(id))?.orders.find((order) => order.id === id);
  }

  byPack(id: number): Sale | undefined {
    const sale = this.#sales.get(seqOfPack(id));
    return sale && packOf(sale) === id ? sale : undefined;
  }

  byShipment(id: number): Sale | undefined {
    const sale = this.#sales.get(seqOfShipment(id));
    return sale && hasShipment(sale) && shipmentId(sale.seq) === id ? sale : undefined;
  }

  byPayment(id: number): Order | undefined {
    const sale = this.#sales.get(seqOfPayment(id));
    return sale?.orders.find(({ k }) => id >= paymentId(sale.seq, k, 0) && id < paymentId(sale.seq, k + 1, 0));
  }

  byBilling(id: string): Sale | undefined {
    const sale = this.#sales.get(seqOfBilling(id));
    return sale && billingId(sale.seq) === id ? sale : undefined;
  }

  buyer(id: number): Buyer | undefined {
    return this.buyers.find((buyer) => buyer.id === id);
  }
}

export const closedKey = ({ sale }: Order) => sale.closedAt ?? sale.createdAt;
export const isCancelCode = (code: unknown): code is CancelCode => (CANCEL_CODES as readonly unknown[]).includes(code);
