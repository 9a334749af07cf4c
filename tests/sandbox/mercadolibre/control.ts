import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { answerOrBack, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { CLIENT_ID, SECOND } from './constants';
import { orderFacts, saleFacts, shipmentFacts } from './facts';
import { hasShipment } from './history';
import { isCancelCode, type Change, type Ledger } from './ledger';
import { saleOfNumber } from './api';
import type { FiscalDocuments } from './fiscalDocuments';
import type { Items } from './items';
import type { Messages } from './messages';
import type { Notifier } from './notifications';
import { PRODUCTS } from './data/products';
import type { Claims } from './claims';
import type { Questions } from './questions';
import type { Oauth } from './oauth';
import { Overrides } from './plan';
import { randomOf } from './random';
import { shipmentId, type Order, type Sale } from './sale';
import { isScenario, SCENARIOS, type ScenarioName } from './scenarios';
import { Switches } from './switches';

export interface ControlOptions {
  ledger(): Ledger;
  oauth: Oauth;
  notifier: Notifier;
  messages: Messages;
  questions: Questions;
  claims: Claims;
  documents: FiscalDocuments;
  items: Items;
  switches(): Switches;
  setSwitches(next: Switches): void;
  now(): number;
  changed(): void;
  /** The sales a person or a test made last, newest first. */
  recent: Sale[];
}

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
    dynamic: z.coerce.boolean(),
    variations: z.array(
      z.object({ id: z.number(), price: z.number(), quantity: z.number().int().min(0), sku: z.string().nullable() }),
    ),
    attributes: z.array(z.object({ id: z.string(), value_name: z.string().nullable() })),
  })
  .partial();

const BACK = '/#mercadolibre';
const RECENT = 8;
/** A new sale began this long ago. */
const HEAD_START = 45 * SECOND;
const bad = (message: string, extra: object = {}) => json(400, { error: 'bad_request', message, ...extra });
const bodyOf = (request: SandboxRequest): Record<string, unknown> => {
  const data = request.data();
  return typeof data === 'object' && data !== null ? { ...data } : {};
};

const TokenBody = z
  .object({ expires_in: z.coerce.number().int().min(1), expireNow: z.coerce.boolean(), revoke: z.coerce.boolean() })
  .partial();
const StormBody = z.object({
  count: z.coerce.number().int().min(1).max(50_000).default(100),
  repeated: z.coerce.number().min(0).max(0.99).default(0),
  shuffled: z.coerce.boolean().default(true),
});
const TalkBody = z.object({
  numOrden: z.string(),
  text: z.string().optional(),
  bloqueo: z.string().nullable().optional(),
});
const ClaimBody = z.object({
  orden: z.coerce.number(),
  horas: z.coerce.number().nullable().default(60),
  tipo: z.string().default('mediations'),
  deEnvio: z.coerce.boolean().default(false),
  conDevolucion: z.coerce.boolean().default(false),
  sinAviso: z.coerce.boolean().default(false),
});
const ClaimChange = z.object({
  cerrar: z.string().optional(),
  horas: z.coerce.number().optional(),
  /** Actions that the seller has from now on. */
  ofrece: z.array(z.string()).optional(),
});
const QuestionBody = z.object({
  text: z.string().default('¿Tienen disponible?'),
  itemId: z.string().optional(),
  compradorId: z.coerce.number().optional(),
  /** So many minutes ago. */
  hace: z.coerce.number().default(0),
  veces: z.coerce.number().int().min(1).max(5_000).default(1),
  sinAviso: z.coerce.boolean().default(false),
});
const QuestionChange = z.object({
  respuesta: z.string().optional(),
  retirada: z.coerce.boolean().default(false),
  status: z
    .enum(['UNANSWERED', 'ANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW', 'BANNED', 'DELETED', 'DISABLED'])
    .optional(),
  sinAviso: z.coerce.boolean().default(false),
});
const ChangeBody = z
  .object({
    code: z.string(),
    refunded: z.coerce.boolean(),
    status: z.string(),
    substatus: z.string().nullable(),
    sinAviso: z.coerce.boolean(),
  })
  .partial();

/** What tests and people steer of Mercado Libre, below /control/mercadolibre. */
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
    return (request) => {
      const body = ChangeBody.safeParse(bodyOf(request));
      if (!body.success) return bad(z.prettifyError(body.error));
      const order = options.ledger().order(Number(request.params.id));
      if (!order) return json(404, { error: 'not_found', message: `No hay una orden ${request.params.id}` });
      const wanted = make(order.id, body.data, Math.max(now(), order.touchedAt + 1));
      if (typeof wanted === 'string') return bad(wanted);
      options.ledger().change(wanted);
      if (!body.data.sinAviso) announce(order.sale, wanted.kind === 'advance' ? order.sale.orders : [order]);
      options.changed();
      return answerOrBack(request, orderFacts(order), BACK);
    };
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

  /** Notifications of sales that exist: some of them twice, in any order. */
  function storm(request: SandboxRequest): SandboxResponse {
    const body = StormBody.safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    const { count, repeated, shuffled } = body.data;
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

  function token(request: SandboxRequest): SandboxResponse {
    const body = TokenBody.safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    if (body.data.expires_in) oauth.state.expiresIn = body.data.expires_in;
    if (body.data.expireNow) oauth.expireNow();
    if (body.data.revoke) oauth.revoke();
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

  /** What the buyer of a sale writes, or why nobody may write. */
  function talk(request: SandboxRequest): SandboxResponse {
    const body = TalkBody.safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    const sale = saleOfNumber(options.ledger(), body.data.numOrden);
    if (!sale) return json(404, { error: 'not_found' });
    if (body.data.text) options.messages.receive(sale, body.data.text);
    if (body.data.bloqueo !== undefined) options.messages.block(sale, body.data.bloqueo);
    return json(200, { mensajes: options.messages.of(sale) });
  }

  function ask(request: SandboxRequest): SandboxResponse {
    const body = QuestionBody.safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    const { text, itemId, compradorId, hace, veces, sinAviso } = body.data;
    const ids = Array.from({ length: veces }, () =>
      options.questions.ask({
        text,
        itemId: itemId ?? PRODUCTS[0]!.itemId,
        from: compradorId ?? options.ledger().buyers[3]!.id,
        at: now() - hace * 60 * SECOND,
      }),
    );
    if (!sinAviso) for (const id of ids) notifier.announce('questions', `/questions/${id}`);
    return answerOrBack(request, { id: String(ids[0]), ids: ids.map(String) }, BACK);
  }

  function claim(request: SandboxRequest): SandboxResponse {
    const body = ClaimBody.safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    const { orden, deEnvio, sinAviso, ...rest } = body.data;
    const order = options.ledger().order(orden);
    if (!order) return json(404, { error: 'not_found' });
    const { sale } = order;
    const id = options.claims.open({
      ...rest,
      orderId: order.id,
      shipmentId: deEnvio && hasShipment(sale) ? shipmentId(sale.seq) : null,
      buyer: sale.buyer.id,
      amount: (order.line.unit * order.line.quantity) / 100,
    });
    if (!sinAviso) notifier.announce('post_purchase', `post-purchase/v1/claims/${id}`);
    return answerOrBack(request, { id: String(id) }, BACK);
  }

  /** Somebody answers it on the marketplace's page, or it goes away there. */
  function changeQuestion(request: SandboxRequest): SandboxResponse {
    const body = QuestionChange.safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    const id = Number(request.params.id);
    const { respuesta, retirada, status, sinAviso } = body.data;
    const done =
      respuesta !== undefined
        ? options.questions.answerThere(id, respuesta, retirada ? 'BANNED' : 'ACTIVE')
        : status !== undefined && options.questions.set(id, status);
    if (!done) return json(404, { error: 'not_found' });
    if (!sinAviso) notifier.announce('questions', `/questions/${id}`);
    return json(200, options.questions.facts(id));
  }

  function messagesOf({ url }: SandboxRequest): SandboxResponse {
    const sale = saleOfNumber(options.ledger(), url.searchParams.get('numOrden') ?? '');
    return sale ? json(200, options.messages.of(sale)) : json(404, { error: 'not_found' });
  }

  function generate(request: SandboxRequest): SandboxResponse {
    const count = Number(bodyOf(request).cantidad);
    if (!Number.isInteger(count) || count < 1 || count > 200_000) return bad('cantidad va de 1 a 200000');
    options.ledger().grow(count, now());
    options.changed();
    return answerOrBack(request, { cantidad: count, ordenes: options.ledger().size }, BACK);
  }

  function setSwitches(request: SandboxRequest): SandboxResponse {
    const wanted = Switches.partial().strict().safeParse(bodyOf(request));
    if (!wanted.success) return bad(z.prettifyError(wanted.error));
    options.setSwitches({ ...options.switches(), ...wanted.data });
    return answerOrBack(request, options.switches(), BACK);
  }

  const putItem: Handler = (request) => {
    const body = ItemBody.extend({ sinAviso: z.coerce.boolean().optional() }).strict().safeParse(bodyOf(request));
    if (!body.success) return bad(z.prettifyError(body.error));
    const { sinAviso, ...change } = body.data;
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
  };

  return {
    'POST /publicaciones': (request) => {
      const body = GrowBody.safeParse(bodyOf(request));
      if (!body.success) return bad(z.prettifyError(body.error));
      options.items.grow(body.data.cantidad, body.data.skus);
      return json(200, { publicaciones: options.items.size });
    },
    'POST /publicaciones/:id': putItem,
    'GET /publicaciones/:id': ({ params }) => {
      const item = options.items.get(params.id!);
      return item ? json(200, item) : json(404, { error: 'not_found' });
    },
    /** What carries a sku, or all that is kept. */
    'GET /publicadas': ({ url }) => {
      const sku = url.searchParams.get('sku');
      return json(
        200,
        Object.values(options.items.state.items).filter((item) => sku === null || item.sku === sku),
      );
    },
    /** What was written, in order, and how close to the limit. */
    'GET /publicaciones': () =>
      json(200, {
        cambios: options.items.puts,
        porMinuto: options.items.busiest,
        rechazadas: options.items.refused,
      }),
    'POST /ordenes': sell,
    'GET /ordenes': list,
    'GET /ordenes/:id': ({ params }) => {
      const order = options.ledger().order(Number(params.id));
      return order ? json(200, orderFacts(order)) : json(404, { error: 'not_found' });
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
    'POST /avisos': storm,
    'GET /avisos': () => json(200, notifier.summary()),
    'POST /reclamos': claim,
    'POST /reclamos/:id': (request) => {
      const body = ClaimChange.safeParse(bodyOf(request));
      if (!body.success) return bad(z.prettifyError(body.error));
      const id = Number(request.params.id);
      return options.claims.change(id, body.data)
        ? json(200, options.claims.of(id))
        : json(404, { error: 'not_found' });
    },
    'GET /reclamos/:id': ({ params }) => {
      const found = options.claims.of(Number(params.id));
      return found ? json(200, found) : json(404, { error: 'not_found' });
    },
    'POST /preguntas': ask,
    'POST /preguntas/:id': changeQuestion,
    'GET /preguntas/:id': ({ params }) => {
      const question = options.questions.facts(Number(params.id));
      return question ? json(200, question) : json(404, { error: 'not_found' });
    },
    'GET /bloqueados': () => json(200, options.questions.state.blocked),
    'POST /mensajes': talk,
    'GET /mensajes': messagesOf,
    'GET /documentos': ({ url }) =>
      json(
        200,
        (options.documents.state[url.searchParams.get('numOrden') ?? ''] ?? []).map(({ filename }) => filename),
      ),
    'GET /envios/:id': ({ params }) => {
      const sale = options.ledger().byShipment(Number(params.id));
      return sale ? json(200, shipmentFacts(sale)) : json(404, { error: 'not_found' });
    },
    'POST /authorize': authorize,
    'POST /token': token,
    'GET /token': () => json(200, oauth.summary()),
    'POST /interruptores': setSwitches,
    'GET /interruptores': () => json(200, options.switches()),
  };
}
