import type { Parts } from './parts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { answerOrBack, bodyOf, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { createAtencion } from './controlAtencion';
import { refuse } from './answers';
import { bad, BACK, reads, shown } from './controlTools';
import { CLIENT_ID, SECOND } from './constants';
import { orderFacts, saleFacts, shipmentFacts } from './facts';
import { hasShipment } from './history';
import { isCancelCode, type Change } from './ledger';
import { Overrides } from './plan';
import { randomOf } from './random';
import { shipmentId, type Order, type Sale } from './sale';
import { isScenario, SCENARIOS, type ScenarioName } from './scenarios';
import { Switches } from './switches';

export type ControlOptions = Parts & {
  setSwitches(next: Switches): void;
  /** The last sales that a person or a test made, the newest first. */
  recent: Sale[];
};

const GrowBody = z.object({
  cantidad: z.coerce.number().int().min(0).max(200_000),
  skus: z.array(z.string()).max(200_000).default([]),
});
const ItemBody = z
  .object({
    title: z.string(),
    price: z.coerce.number().positive(),
    quantity: z.coerce.number().int().min(0),
    sold: z.coerce.number().int().min(0),
    status: z.string(),
    subStatus: z.array(z.string()),
    sku: z.string().nullable(),
    categoryId: z.string(),
    listingType: z.string(),
    full: z.coerce.boolean(),
    inFull: z.coerce.number().int().min(0),
    stores: z.record(z.string(), z.number().int().min(0)),
    dynamic: z.coerce.boolean(),
    deal: z.coerce.number().positive(),
    sinEtiqueta: z.coerce.boolean(),
    catalog: z.object({
      product: z.string(),
      rivals: z.array(z.number().positive()),
      reasons: z.array(z.string()).optional(),
    }),
    variations: z.array(
      z.object({ id: z.number(), price: z.number(), quantity: z.number().int().min(0), sku: z.string().nullable() }),
    ),
    attributes: z.array(z.object({ id: z.string(), value_name: z.string().nullable() })),
  })
  .extend({ sinAviso: z.coerce.boolean() })
  .partial()
  .strict();

const PromotionBody = z
  .object({
    type: z.string(),
    id: z.string().optional(),
    status: z.string().default('started'),
    price: z.coerce.number().min(0).default(0),
    meli: z.coerce.number().optional(),
    seller: z.coerce.number().optional(),
    name: z.string().optional(),
    sinAviso: z.coerce.boolean().optional(),
  })
  .strict();

const RECENT = 8;
/** The age of a sale when it is made. */
const HEAD_START = 45 * SECOND;

const TokenBody = z
  .object({ expires_in: z.coerce.number().int().min(1), expireNow: z.coerce.boolean(), revoke: z.coerce.boolean() })
  .partial();
const StormBody = z.object({
  count: z.coerce.number().int().min(1).max(50_000).default(100),
  repeated: z.coerce.number().min(0).max(0.99).default(0),
  shuffled: z.coerce.boolean().default(true),
});
const ChangeBody = z
  .object({
    code: z.string(),
    refunded: z.coerce.boolean(),
    /** Pesos. */
    monto: z.coerce.number().positive(),
    status: z.string(),
    substatus: z.string().nullable(),
    sinAviso: z.coerce.boolean(),
  })
  .partial();

/** Returns the control routes of Mercado Libre, below /control/mercadolibre. */
export function createControl(options: ControlOptions): Record<string, Handler> {
  const { oauth, notifier, recent, now } = options;

  function announce(sale: Sale, orders: readonly Order[] = sale.orders): void {
    const later = options.switches().segundosSinEnvio * SECOND;
    for (const order of orders) notifier.announce('orders_v2', `/orders/${order.id}`);
    if (!hasShipment(sale)) return;
    if (later > 0 && sale.live && now() < sale.bornAt + later)
      for (const order of orders) notifier.announce('orders_v2', `/orders/${order.id}`, { delayMs: later });
    notifier.announce('shipments', `/shipments/${shipmentId(sale.seq)}`, { delayMs: later });
  }

  function sell(request: SandboxRequest): SandboxResponse {
    const { scenario = 'simple', sinAviso, veces = 1, ...rest } = bodyOf(request);
    if (!isScenario(scenario))
      return bad(`No hay un escenario '${String(scenario)}'`, { scenarios: Object.keys(SCENARIOS) });
    const overrides = Overrides.strict().safeParse(rest);
    if (!overrides.success) return bad(z.prettifyError(overrides.error));
    const times = Math.trunc(Number(veces));
    if (!(times >= 1 && times <= 5_000)) return bad('veces va de 1 a 5000');
    const sales = Array.from({ length: times }, () => {
      const horizon = now();
      const sale = options.ledger().sell({
        scenario,
        at: horizon - HEAD_START,
        horizon,
        live: true,
        overrides: Object.keys(rest).length > 0 ? (rest as Overrides) : undefined,
      });
      for (const { line } of sale.orders) {
        const item = options.items.get(line.product.itemId);
        const { quantity } = line;
        if (item)
          options.items.change(
            item.id,
            { quantity: Math.max(0, item.quantity - quantity), sold: item.sold + quantity },
            true,
          );
      }
      if (!sinAviso) announce(sale);
      return sale;
    });
    recent.unshift(...sales.slice(-RECENT).reverse());
    recent.splice(RECENT);
    options.changed();
    const facts = sales.map(saleFacts);
    return answerOrBack(request, times === 1 ? facts[0] : { ventas: facts }, BACK);
  }

  function change(make: (orderId: number, body: z.output<typeof ChangeBody>, at: number) => Change | string): Handler {
    return reads(ChangeBody, (body, request) => {
      const order = options.ledger().order(Number(request.params.id));
      if (!order) return json(404, { error: 'not_found', message: `No hay una orden ${request.params.id}` });
      const wanted = make(order.id, body, Math.max(now(), order.touchedAt + 1));
      if (typeof wanted === 'string') return bad(wanted);
      options.ledger().change(wanted);
      if (!body.sinAviso) announce(order.sale, wanted.kind === 'advance' ? order.sale.orders : [order]);
      options.changed();
      return answerOrBack(request, orderFacts(order), BACK);
    });
  }

  function list({ url }: SandboxRequest): SandboxResponse {
    const scenario = url.searchParams.get('scenario');
    const number = url.searchParams.get('numOrden');
    const limit = Number(url.searchParams.get('limit') ?? Infinity);
    const rows = [];
    for (const order of [...options.ledger().orders()].reverse()) {
      if (scenario && order.sale.scenario !== scenario) continue;
      const facts = orderFacts(order);
      if (number && facts.numOrden !== number && facts.id !== number) continue;
      rows.push(facts);
      if (rows.length >= limit) break;
    }
    return json(200, rows);
  }

  /** Sends notifications of existing sales, some of them twice, in any order. */
  function storm(body: z.output<typeof StormBody>, request: SandboxRequest): SandboxResponse {
    const { count, repeated, shuffled } = body;
    const orders = options.ledger().orders();
    if (orders.length === 0) return bad('No hay ordenes');
    const random = randomOf('avisos', count, notifier.state.turn);
    const distinct = Math.max(1, Math.round(count * (1 - repeated)));
    const notices = Array.from({ length: distinct }, (_, n) => {
      const { id, sale } = orders[n % orders.length]!;
      const shipment = n % 5 === 4 && hasShipment(sale);
      return {
        id: randomUUID(),
        topic: shipment ? ('shipments' as const) : ('orders_v2' as const),
        resource: shipment ? `/shipments/${shipmentId(sale.seq)}` : `/orders/${id}`,
      };
    });
    while (notices.length < count) notices.push(random.pick(notices.slice(0, distinct)));
    for (const { id, topic, resource } of shuffled ? random.shuffle(notices) : notices)
      notifier.announce(topic, resource, { id });
    return answerOrBack(
      request,
      { avisos: count, distintos: distinct, recursos: new Set(notices.map(({ resource }) => resource)).size },
      BACK,
    );
  }

  function token(body: z.output<typeof TokenBody>, request: SandboxRequest): SandboxResponse {
    if (body.expires_in) oauth.state.expiresIn = body.expires_in;
    if (body.expireNow) oauth.expireNow();
    if (body.revoke) oauth.revoke();
    options.changed();
    return answerOrBack(request, oauth.summary(), BACK);
  }

  function authorize(request: SandboxRequest): SandboxResponse {
    const body = bodyOf(request);
    if (String(body.client_id) !== CLIENT_ID) return bad('No existe una aplicación con ese client_id');
    if (!oauth.acceptsRedirect(String(body.redirect_uri)))
      return bad('La redirect_uri no es la que registró la aplicación');
    if (options.switches().pkceObligatorio && !body.code_challenge)
      return bad('La aplicación usa PKCE: falta code_challenge');
    return json(200, { code: oauth.issueCode(body), state: body.state ?? null });
  }

  function generate(request: SandboxRequest): SandboxResponse {
    const count = Number(bodyOf(request).cantidad);
    if (!Number.isInteger(count) || count < 1 || count > 200_000) return bad('cantidad va de 1 a 200000');
    options.ledger().grow(count, now());
    options.changed();
    return answerOrBack(request, { cantidad: count, ordenes: options.ledger().size }, BACK);
  }

  const setSwitches = reads(Switches.partial().strict(), (wanted, request) => {
    options.setSwitches({ ...options.switches(), ...wanted });
    return answerOrBack(request, options.switches(), BACK);
  });

  const putItem = reads(ItemBody, ({ sinAviso, ...change }, request) => {
    const id = request.params.id!;
    const { items } = options;
    if (items.get(id)) return json(200, items.change(id, change, sinAviso));
    const at = now();
    const made = items.add({
      id,
      title: `Publicación ${id}`,
      price: 1_000,
      quantity: 5,
      sold: 0,
      status: 'active',
      subStatus: [],
      sku: null,
      categoryId: 'MLM167538',
      listingType: 'gold_special',
      createdAt: at,
      updatedAt: at,
      ...change,
    });
    if (!sinAviso) notifier.announce('items', `/items/${id}`);
    return json(200, made);
  });

  return {
    /** Starts a promotion of a listing, as the marketplace does by itself, or invites the listing. */
    'POST /promociones/:id': reads(PromotionBody, ({ sinAviso = false, ...offer }, { params }) =>
      options.items.get(params.id!)
        ? json(200, { empezo: options.promotions.start(params.id!, offer, sinAviso) })
        : refuse(404, 'not_found', 'not_found'),
    ),
    /** Tells what the product wrote to promotions, and which listings are excluded. */
    'GET /promociones': () =>
      json(200, { escrituras: options.promotions.writes, excluidas: options.promotions.state.excluded }),
    'POST /publicaciones': reads(GrowBody, ({ cantidad, skus }) => {
      options.items.grow(cantidad, skus);
      return json(200, { publicaciones: options.items.size });
    }),
    'POST /publicaciones/:id': putItem,
    'GET /publicaciones/:id': ({ params }) => shown(options.items.get(params.id!)),
    /** Lists the listings that carry a sku, or all that are kept one by one. */
    'GET /publicadas': ({ url }) => {
      const sku = url.searchParams.get('sku');
      return json(
        200,
        Object.values(options.items.state.items).filter((item) => sku === null || item.sku === sku),
      );
    },
    /** Tells the changes that the product wrote, in order, and how close its calls came to the limit. */
    'GET /publicaciones': () =>
      json(200, {
        cambios: options.items.puts,
        porLugar: options.items.stockPuts,
        porMinuto: options.items.busiest,
        rechazadas: options.items.refused,
      }),
    'POST /ordenes': sell,
    'GET /ordenes': list,
    'GET /ordenes/:id': ({ params }) => {
      const order = options.ledger().order(Number(params.id));
      return shown(order && orderFacts(order));
    },
    'POST /ordenes/:id/cancelar': change((orderId, { code = 'buyer_cancel_express' }, at) =>
      isCancelCode(code) ? { kind: 'cancel', orderId, code, at } : `No hay un código de cancelación '${code}'`,
    ),
    'POST /ordenes/:id/devolver': change((orderId, { refunded = false }, at) => ({
      kind: 'return',
      orderId,
      refunded,
      at,
    })),
    /** Gives back a part of the money of a sale that stands. */
    'POST /ordenes/:id/devolverParte': change((orderId, { monto }, at) =>
      monto === undefined ? 'Falta monto.' : { kind: 'refundPart', orderId, amount: Math.round(monto * 100), at },
    ),
    'POST /ordenes/:id/actualizar': change((orderId, { status, substatus }, at) => ({
      kind: 'advance',
      orderId,
      status,
      substatus,
      at,
    })),
    'GET /scenarios': () =>
      json(
        200,
        Object.entries(SCENARIOS).map(([name, { label, demo }]) => ({ name: name as ScenarioName, label, demo })),
      ),
    'POST /generar': generate,
    'POST /avisos': reads(StormBody, storm),
    'GET /avisos': () => json(200, notifier.summary()),
    ...createAtencion(options),
    'GET /documentos': ({ url }) =>
      json(
        200,
        (options.documents.state[url.searchParams.get('numOrden') ?? ''] ?? []).map(({ filename }) => filename),
      ),
    'GET /envios/:id': ({ params }) => {
      const sale = options.ledger().byShipment(Number(params.id));
      return shown(sale && shipmentFacts(sale));
    },
    'POST /authorize': authorize,
    'POST /token': reads(TokenBody, token),
    'GET /token': () => json(200, oauth.summary()),
    'POST /interruptores': setSwitches,
    'GET /interruptores': () => json(200, options.switches()),
  };
}
