import type { Buyer } from './buyers';
import { CHEAP_PRODUCTS, DEAR_PRODUCTS, productOfModel, type Product } from './data/products';
import type { FiscalKind } from './fiscal';
import type { Random } from './random';
import { lineTotal, type CancelCode, type Coupon, type Ending, type Line, type PaymentType, type Sale } from './sale';
import { HOUR, MINUTE } from './constants';
import { sum } from './money';

/** Tools with which a scenario shapes its sale. */
export interface Workshop {
  random: Random;
  /** A buyer whose tax data are of this kind. */
  buyerOf(kind: FiscalKind): Buyer;
  /** The instant so many hours after the purchase, but never after the present. */
  later(hours: number): number;
}

export interface Scenario {
  label: string;
  /** Number of its sales in the demo. */
  demo: number;
  shape(sale: Sale, tools: Workshop): void;
}

export function lineOf(product: Product, quantity = 1, unit = product.price): Line {
  return { product, sku: product.sku, customField: null, quantity, unit, full: unit, unitHidden: false, coupon: null };
}

/** Puts lines in a sale, with an order for each. Their ids come later. */
export function setLines(sale: Sale, lines: Line[]): void {
  sale.orders = lines.map((line, k) => ({ sale, k, id: 0, line, ending: null, touchedAt: 0 }));
}

const METHODS: Record<PaymentType, readonly string[]> = {
  credit_card: ['visa', 'master', 'amex'],
  debit_card: ['debvisa', 'debmaster'],
  account_money: ['account_money'],
  ticket: ['oxxo'],
  bank_transfer: ['clabe'],
};

export function payWith(sale: Sale, type: PaymentType, random: Random): void {
  sale.payment.type = type;
  sale.payment.method = random.pick(METHODS[type]);
}

const COUPON: Coupon = { total: 8000, seller: 2000, inPrice: false, addsUp: true };

const firstLine = (sale: Sale) => sale.orders[0]!.line;
const endAll = (sale: Sale, ending: Ending) => sale.orders.forEach((order) => (order.ending = { ...ending }));
const nothing = () => undefined;

function buy(kind: FiscalKind): Scenario['shape'] {
  return (sale, { buyerOf }) => {
    sale.buyer = buyerOf(kind);
    sale.fiscal = sale.buyer.fiscal;
  };
}

function cancel(code: CancelCode, hours: number): Scenario['shape'] {
  return (sale, { later }) => endAll(sale, { kind: 'cancelled', code, at: later(hours) });
}

function deliver(
  mode: Sale['delivery']['mode'],
  logistic: string,
  receiverCost: (random: Random) => number = () => 0,
): Scenario['shape'] {
  return (sale, { random }) => {
    const cost = receiverCost(random);
    sale.delivery = {
      mode,
      logistic,
      receiverCost: cost,
      senderCost: mode === 'me2' ? sale.delivery.senderCost : 0,
      listCost: mode === 'me2' ? sale.delivery.listCost : cost,
    };
    if (mode !== 'me2') sale.hasPack = false;
  };
}

const agreed: Scenario['shape'] = (sale, tools) => {
  deliver('not_specified', 'not_specified')(sale, tools);
  setLines(sale, [lineOf(productOfModel('RACK-24U-P'))]);
};

function several(orders: (random: Random) => number): Scenario['shape'] {
  return (sale, { random }) => {
    const products = [...random.shuffle(DEAR_PRODUCTS).slice(0, 2), ...random.shuffle(CHEAP_PRODUCTS)].slice(
      0,
      orders(random),
    );
    setLines(
      sale,
      products.map((product) => lineOf(product, random.chance(0.3) ? random.int(2, 4) : 1)),
    );
  };
}

const charged: Scenario['shape'] = (sale, { random }) => {
  sale.delivery.receiverCost = random.pick([9900, 11500, 14950, 18900]);
  sale.delivery.senderCost = 0;
};

function pay(type: PaymentType): Scenario['shape'] {
  return (sale, { random }) => payWith(sale, type, random);
}

/** Every way of selling and of ending a sale that the demo, the tests and 'Simular venta' know. */
export const SCENARIOS = {
  simple: { label: 'Venta simple', demo: 150, shape: nothing },
  conDatosFiscales: {
    label: 'Comprador con datos fiscales',
    demo: 34,
    shape: (sale, tools) => buy(tools.random.chance(0.5) ? 'persona' : 'empresa')(sale, tools),
  },
  sinDatosFiscales: { label: 'Comprador sin datos fiscales', demo: 16, shape: buy('ninguno') },
  datosGenericos: { label: 'Datos fiscales: público en general', demo: 5, shape: buy('generico') },
  datosConNulos: { label: 'Datos fiscales incompletos', demo: 4, shape: buy('conNulos') },
  datosCpErroneo: { label: 'Datos fiscales con código postal equivocado', demo: 5, shape: buy('cpErroneo') },
  datosConRegimenSocietario: { label: "Razón social con 'SA DE CV'", demo: 5, shape: buy('conRegimenSocietario') },
  cantidad: {
    label: 'Siete piezas de 14.37',
    demo: 8,
    shape: (sale) => setLines(sale, [lineOf(productOfModel('TVD119010'), 7, 1437)]),
  },
  cantidadCentavos: {
    label: 'Tres piezas de 99.99',
    demo: 7,
    shape: (sale) => setLines(sale, [lineOf(productOfModel('BNC-T10'), 3, 9999)]),
  },
  cantidadVarias: {
    label: 'Varias piezas',
    demo: 14,
    shape: (sale, { random }) => void (firstLine(sale).quantity = random.int(2, 6)),
  },
  pack: { label: 'Carrito de tres órdenes', demo: 12, shape: several(() => 3) },
  packVarias: { label: 'Carrito de dos a cinco órdenes', demo: 10, shape: several((random) => random.int(2, 5)) },
  packEnvioCobrado: {
    label: 'Carrito con envío cobrado',
    demo: 6,
    shape: (sale, tools) => (several(() => 3)(sale, tools), charged(sale, tools)),
  },
  envioCobrado: { label: 'Envío cobrado al comprador', demo: 16, shape: charged },
  envioAdicional: {
    label: 'Envío cobrado aparte (480.00)',
    demo: 8,
    shape: (sale, tools) => (agreed(sale, tools), void (sale.payment.addition = { amount: 48000, status: 'approved' })),
  },
  envioAdicionalPendiente: {
    label: 'Envío aparte sin pagar todavía',
    demo: 2,
    shape: (sale, tools) => (agreed(sale, tools), void (sale.payment.addition = { amount: 48000, status: 'pending' })),
  },
  conDescuento: {
    label: 'Con descuento',
    demo: 12,
    shape: (sale) => void (firstLine(sale).full = Math.round(firstLine(sale).unit * 1.1) + 1),
  },
  cuponDelMercado: {
    label: 'Cupón que paga Mercado Libre',
    demo: 0,
    shape: (sale) => void (firstLine(sale).coupon = { ...COUPON, seller: 0 }),
  },
  cuponNuestro: {
    label: 'Cupón que paga el vendedor',
    demo: 0,
    shape: (sale) => void (firstLine(sale).coupon = { ...COUPON, seller: COUPON.total }),
  },
  cuponDeAmbos: { label: 'Cupón que pagan los dos', demo: 0, shape: (sale) => void (firstLine(sale).coupon = COUPON) },
  cuponEnElPrecio: {
    label: 'Cupón que el precio ya trae',
    demo: 0,
    shape: (sale) => {
      const line = firstLine(sale);
      line.full = line.unit + COUPON.total;
      line.coupon = { ...COUPON, inPrice: true };
    },
  },
  cuponSinCuadrar: {
    label: 'Cupón cuyos descuentos no cuadran',
    demo: 0,
    shape: (sale) => {
      const line = firstLine(sale);
      line.full = line.unit + 5000;
      line.coupon = { ...COUPON, addsUp: false };
    },
  },
  conMensualidades: {
    label: 'Meses con intereses',
    demo: 8,
    shape: (sale, tools) => (pay('credit_card')(sale, tools), void (sale.payment.installments = 12)),
  },
  debito: { label: 'Tarjeta de débito', demo: 9, shape: pay('debit_card') },
  saldo: { label: 'Dinero en cuenta', demo: 8, shape: pay('account_money') },
  oxxo: { label: 'Pago en OXXO', demo: 8, shape: pay('ticket') },
  transferencia: { label: 'Transferencia', demo: 6, shape: pay('bank_transfer') },
  pagoDividido: {
    label: 'Dos pagos (saldo y tarjeta)',
    demo: 6,
    shape: (sale, tools) => (pay('credit_card')(sale, tools), void (sale.payment.split = true)),
  },
  pagoRechazado: {
    label: 'Primer intento rechazado',
    demo: 5,
    shape: (sale, tools) => (pay('credit_card')(sale, tools), void (sale.payment.rejectedFirst = true)),
  },
  pagoEnProceso: {
    label: 'Pago en proceso',
    demo: 2,
    shape: (sale, tools) => (pay('ticket')(sale, tools), void (sale.closedAt = null)),
  },
  cancelada: { label: 'Cancelada por el comprador', demo: 8, shape: cancel('buyer_cancel_express', 9) },
  canceladaMediacion: { label: 'Cancelada por mediación', demo: 4, shape: cancel('mediations', 130) },
  canceladaNoEntregada: { label: 'Cancelada: no se entregó', demo: 3, shape: cancel('shipment_not_delivered', 160) },
  canceladaNoDespachada: { label: 'Cancelada: no se despachó', demo: 3, shape: cancel('undispatched_order', 70) },
  packDividido: {
    label: 'Carrito dividido',
    demo: 3,
    shape: (sale, tools) => (several(() => 2)(sale, tools), cancel('pack_splitted', 2)(sale, tools)),
  },
  ordenDividida: {
    label: 'Resultado de dividir un carrito',
    demo: 0,
    shape: (sale) => void sale.tags.push('splitted_order'),
  },
  noCumplida: {
    label: 'Pagada y no cumplida (devuelta)',
    demo: 6,
    shape: (sale, tools) => (
      charged(sale, tools),
      endAll(sale, { kind: 'unfulfilled', refunded: false, at: tools.later(96) })
    ),
  },
  noCumplidaReembolsada: {
    label: 'No cumplida con pago reembolsado',
    demo: 3,
    shape: (sale, { later }) => endAll(sale, { kind: 'unfulfilled', refunded: true, at: later(120) }),
  },
  noConcretada: {
    label: 'No concretada por el vendedor',
    demo: 2,
    shape: (sale, { later }) => endAll(sale, { kind: 'notCompleted', at: later(50) }),
  },
  reembolsoParcial: {
    label: 'Reembolso parcial',
    demo: 5,
    shape: (sale, { later }) => {
      firstLine(sale).quantity = 2;
      endAll(sale, {
        kind: 'partialRefund',
        amount: sum(sale.orders.map(({ line }) => Math.round(lineTotal(line) / 2))),
        at: later(80),
      });
    },
  },
  reventa: {
    label: 'Reventa de Mercado Libre',
    demo: 7,
    shape: (sale, { random }) => {
      sale.staticTags.push('meli_resale');
      firstLine(sale).unitHidden = random.chance(0.5);
    },
  },
  skuAjeno: { label: 'SKU ajeno', demo: 5, shape: (sale) => void (firstLine(sale).sku = 'OTRA|7731|syscom|GENERICO') },
  sinSku: { label: 'Sin SKU', demo: 5, shape: (sale) => void (firstLine(sale).sku = null) },
  skuEnCampoPropio: {
    label: 'SKU en el campo antiguo',
    demo: 2,
    shape: (sale) => void Object.assign(firstLine(sale), { customField: firstLine(sale).sku, sku: null }),
  },
  envioPropio: {
    label: 'Envío propio (ME1)',
    demo: 8,
    shape: deliver('me1', 'default', (random) => random.pick([0, 18900, 24550])),
  },
  envioPersonalizado: {
    label: 'Envío propio (tabla del vendedor)',
    demo: 4,
    shape: deliver('custom', 'custom', () => 25000),
  },
  envioAcordado: { label: 'Entrega acordada con el comprador', demo: 4, shape: agreed },
  full: { label: 'Full', demo: 16, shape: deliver('me2', 'fulfillment') },
  flex: { label: 'Flex', demo: 14, shape: deliver('me2', 'self_service') },
  sinPack: { label: 'Sin número de carrito', demo: 7, shape: (sale) => void (sale.hasPack = false) },
  fraude: { label: 'Riesgo de fraude', demo: 2, shape: (sale) => void sale.tags.push('fraud_risk_detected') },
  b2b: {
    label: 'Compra de empresa (B2B)',
    demo: 5,
    shape: (sale, tools) => (buy('empresa')(sale, tools), void sale.flows.push('b2b')),
  },
  ordenPrueba: { label: 'Orden de prueba', demo: 1, shape: (sale) => void sale.tags.push('test_order') },
  /** The civil day of Mexico and that of the -04:00 offset belong to different months. */
  bordeDeMes: { label: 'Últimos minutos del mes', demo: 3, shape: nothing },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
export const isScenario = (name: unknown): name is ScenarioName =>
  typeof name === 'string' && Object.hasOwn(SCENARIOS, name);

/** Time until the money arrives, by kind of payment. */
export const CLEARING: Record<PaymentType, number> = {
  credit_card: 44_000,
  debit_card: 31_000,
  account_money: 6_000,
  ticket: 26 * HOUR,
  bank_transfer: 25 * MINUTE,
};
