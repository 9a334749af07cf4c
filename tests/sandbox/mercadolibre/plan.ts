import { z } from 'zod';
import type { Buyer } from './buyers';
import { HOUR, SECOND } from './constants';
import { DEAR_PRODUCTS, PRODUCTS } from './data/products';
import { fiscalOfKind, fiscalOfTaxpayer, taxpayerOf, type Fiscal, type FiscalKind } from './fiscal';
import { historyOf } from './history';
import { centavosOf } from './money';
import { hashOf, randomOf, type Random } from './random';
import { orderId, type Line, type PaymentType, type Sale } from './sale';
import { CLEARING, lineOf, payWith, SCENARIOS, setLines, type Scenario, type ScenarioName } from './scenarios';

const amount = z.union([z.string(), z.number()]).transform((value, context) => {
  const centavos = centavosOf(value);
  if (centavos === undefined) context.addIssue({ code: 'custom', message: 'not an amount' });
  return centavos ?? 0;
});
const ProductOverrides = z
  .object({
    titulo: z.string(),
    precio: amount,
    precioLista: amount,
    cantidad: z.coerce.number().int().min(1),
    sku: z.string().nullable(),
  })
  .partial();

/** Facts of a new sale that a test or a person may fix, in pesos. The scenario decides the others. */
export const Overrides = ProductOverrides.extend({
  /** Products of the sale, each with a line and an order. They replace those of the scenario. */
  productos: z.array(ProductOverrides).min(1).max(10),
  envio: amount,
  formaPago: z.enum(['credit_card', 'debit_card', 'account_money', 'ticket', 'bank_transfer']),
  /** Index of a buyer, from 0 to 123. */
  comprador: z.coerce.number().int().min(0),
  /** RFC of the buyer. Its tax data come from the register of taxpayers, and other fields given here replace them. '' stands for no tax data. */
  rfc: z.string(),
  nombre: z.string(),
  cp: z.string(),
  regimen: z.string(),
  usoCfdi: z.string(),
  pack: z.coerce.boolean(),
  fecha: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  hermano: z.number(),
}).partial();
export type Overrides = z.input<typeof Overrides>;

export interface SaleOrder {
  seq: number;
  scenario: ScenarioName;
  at: number;
  /** The present. No step of the sale happens after it. */
  horizon: number;
  live?: boolean;
  overrides?: Overrides;
}

export interface World {
  seed: string;
  buyers: Buyer[];
  buyersByKind: Map<FiscalKind, Buyer[]>;
}

const LOGISTICS = ['xd_drop_off', 'xd_drop_off', 'cross_docking', 'drop_off'] as const;
const TENDERS: PaymentType[] = [
  'credit_card',
  'credit_card',
  'credit_card',
  'credit_card',
  'debit_card',
  'debit_card',
  'account_money',
];

/** Plans a sale. The same order in the same world always gives the same sale. */
export function planSale(world: World, { seq, scenario, at, horizon, live = false, overrides }: SaleOrder): Sale {
  const random = randomOf(world.seed, 'venta', seq);
  const set: z.output<typeof Overrides> = overrides ? Overrides.parse(overrides) : {};
  const createdAt = set.fecha ?? at;
  const buyer = random.pick(world.buyers);
  const listCost = random.int(79, 240) * 100;
  const sale: Sale = {
    seq,
    scenario,
    live,
    bornAt: horizon,
    createdAt,
    closedAt: createdAt,
    hasPack: true,
    buyer,
    fiscal: buyer.fiscal,
    orders: [],
    delivery: {
      mode: 'me2',
      logistic: random.pick(LOGISTICS),
      receiverCost: 0,
      senderCost: Math.round(listCost / 2),
      listCost,
    },
    payment: {
      type: 'credit_card',
      method: 'visa',
      installments: 1,
      split: false,
      rejectedFirst: false,
      addition: null,
    },
    tags: random.chance(0.15) ? ['catalog'] : [],
    staticTags: [],
    flows: [],
    history: [],
    told: [],
    sibling: set.hermano ?? null,
  };
  payWith(sale, random.pick(TENDERS), random);
  setLines(sale, [lineOf(random.pick(DEAR_PRODUCTS))]);
  const later = (hours: number) =>
    Math.round(createdAt + Math.min(hours * HOUR * (0.8 + random.next() * 0.4), (horizon - createdAt) * 0.9));
  const shape: Scenario['shape'] = SCENARIOS[scenario].shape;
  shape(sale, { random, later, buyerOf: (kind) => random.pick(world.buyersByKind.get(kind) ?? world.buyers) });
  override(sale, set, world, random);
  if (sale.closedAt !== null)
    sale.closedAt = Math.min(createdAt + CLEARING[sale.payment.type], Math.max(createdAt, horizon));
  sale.history = historyOf(sale, horizon, random);
  for (const order of sale.orders) {
    order.id = orderId(seq, order.k);
    const last = Math.max(sale.closedAt ?? createdAt, sale.history.at(-1)?.at ?? 0, order.ending?.at ?? 0);
    // A sale made just now changed just now, whatever its date.
    order.touchedAt = live ? horizon : Math.min(last + 1 + (hashOf('touched', order.id) % (20 * SECOND)), horizon);
  }
  return sale;
}

function override(sale: Sale, set: z.output<typeof Overrides>, world: World, random: Random): void {
  if (set.comprador !== undefined) {
    sale.buyer = world.buyers[set.comprador % world.buyers.length]!;
    sale.fiscal = sale.buyer.fiscal;
  }
  if (set.productos) {
    setLines(
      sale,
      set.productos.map((given, k) => overrideLine(lineOf(PRODUCTS[(sale.seq + k) % PRODUCTS.length]!), given)),
    );
    if (set.productos.length > 1) sale.hasPack = true;
  } else if (sale.orders[0]) {
    sale.orders[0].line = overrideLine(sale.orders[0].line, set);
  }
  if (set.envio !== undefined) {
    if (sale.payment.addition) sale.payment.addition.amount = set.envio;
    else sale.delivery.receiverCost = set.envio;
  }
  if (set.formaPago) payWith(sale, set.formaPago, random);
  if (set.pack !== undefined && sale.orders.length === 1) sale.hasPack = set.pack;
  const fiscal = fiscalGiven(set, sale.fiscal, random);
  if (fiscal) sale.fiscal = fiscal;
}

function overrideLine(line: Line, set: z.output<typeof ProductOverrides>): Line {
  const unit = set.precio ?? line.unit;
  return {
    ...line,
    product: set.titulo ? { ...line.product, title: set.titulo } : line.product,
    quantity: set.cantidad ?? line.quantity,
    unit,
    full: set.precioLista ?? Math.max(unit, set.precio === undefined ? line.full : unit),
    sku: set.sku === undefined ? line.sku : set.sku,
  };
}

function fiscalGiven(set: z.output<typeof Overrides>, current: Fiscal, random: Random): Fiscal | undefined {
  if (set.rfc === '') return fiscalOfKind('ninguno', 0, random);
  const taxpayer = set.rfc ? taxpayerOf(set.rfc) : undefined;
  const base = taxpayer ? fiscalOfTaxpayer(taxpayer, random) : current;
  if (!set.rfc && !set.nombre && !set.cp && !set.regimen && !set.usoCfdi) return undefined;
  const company = set.rfc ? set.rfc.length === 12 : base.company;
  return {
    ...base,
    kind: company ? 'empresa' : 'persona',
    company,
    rfc: set.rfc ?? base.rfc,
    name: set.nombre ?? base.name,
    lastName: set.nombre ? null : base.lastName,
    cp: set.cp ?? base.cp,
    regimen: set.regimen ?? base.regimen,
    usoCfdi: set.usoCfdi ?? base.usoCfdi,
  };
}
