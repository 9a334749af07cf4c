import { createHash } from 'node:crypto';
import { filesOf } from '../multipart';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { orderTime } from './clock';
import { HOUR, SELLER_ID } from './constants';

interface Claim {
  id: number;
  orderId: number;
  buyer: number;
  resource: 'order' | 'shipment';
  resourceId: number;
  type: string;
  stage: 'claim' | 'dispute';
  status: 'opened' | 'closed';
  reason: string;
  amount: number;
  item: string;
  at: number;
  touchedAt: number;
  actions: { action: string; mandatory: boolean; due: number | null }[];
  messages: { from: string; to: string; text: string; at: number; files: string[] }[];
  resolution: { reason: string; by: string; at: number } | null;
  files: string[];
  asked: { resolution: string; percentage: number | null; at: number }[];
  returns: { id: number; shipmentId: number; status: string; tracking: string | null } | null;
  /** How the claim spells that it became a change or a replacement; the documentation holds both. */
  cambio?: 'change' | 'changes';
  /** The swap that the claim became: its item, its state, and the new order once it was made. */
  swap?: { item: string; quantity: number; status: string; detail: string | null; orderId: number | null };
  /** The cost of the return for the seller; absent before it exists. */
  cost?: number;
  /** The seller's review of the product that came back. */
  reviewed?: unknown;
  /** The review of what came back, once somebody may review it. */
  revision?: Revision;
}

interface Revision {
  stage: 'closed' | 'pending' | 'seller_review_pending' | 'timeout' | '';
  status: 'success' | 'failed' | '' | null;
  product_condition: 'saleable' | 'unsaleable' | 'discard' | 'missing' | '' | null;
  product_destination: 'meli' | 'buyer' | 'seller' | '' | null;
  benefited: 'both' | 'buyer' | 'seller' | null;
  seller_status: 'pending' | 'success' | 'failed' | 'claimed' | '' | null;
  seller_reason: string | null;
  missing_quantity: number | null;
}
const SIN_REVISAR: Revision = {
  stage: 'seller_review_pending',
  status: null,
  product_condition: null,
  product_destination: null,
  benefited: null,
  seller_status: 'pending',
  seller_reason: null,
  missing_quantity: null,
};

export interface ClaimsState {
  claims: Claim[];
  last: number;
}
export const emptyClaims = (): ClaimsState => ({ claims: [], last: 0 });

export interface NewClaim {
  orderId: number;
  shipmentId: number | null;
  buyer: number;
  amount: number;
  /** Hours until the seller's action is due; null when no action has a day. */
  horas: number | null;
  tipo: string;
  conDevolucion: boolean;
  cambio?: 'change' | 'changes';
  /** The item that was sold. */
  item: string;
  text: string;
  at: number;
}

/** A sold order, about which a buyer may claim. */
type Sold = Pick<NewClaim, 'orderId' | 'shipmentId' | 'buyer' | 'amount' | 'item'> & { soldAt: number };

/** Claims of the demo's buyers: hours since the claim, its text, and hours from then until the seller has to act. */
const DEMO: (Pick<NewClaim, 'horas' | 'tipo' | 'conDevolucion' | 'text'> & { ago: number; cerrado?: true })[] = [
  { ago: 44, horas: 47, tipo: 'mediations', conDevolucion: false, text: 'La cámara llegó con el lente estrellado.' },
  { ago: 10, horas: 52, tipo: 'returns', conDevolucion: true, text: 'No es el modelo que pedí, quiero devolverlo.' },
  { ago: 70, horas: null, tipo: 'mediations', conDevolucion: false, text: 'El paquete traía una pieza y pagué dos.' },
  { ago: 200, horas: 48, tipo: 'mediations', conDevolucion: false, text: 'No prende.', cerrado: true },
];

const FILES = ['image/jpeg', 'image/png', 'application/pdf'];
const MAX_FILE = 5 * 1024 * 1024;
const OFFERS = [10, 25, 50];

/** Claims and their returns. No source shows the list of expected resolutions, so only every second claim tells one. */
export class Claims {
  state = emptyClaims();
  constructor(private readonly options: { now(): number; changed(): void; announce(id: number): void }) {}

  /** Plants the claims of the demo. Each is about the newest sale that is at least a day older. */
  plant(anchor: number, sold: readonly Sold[]): void {
    const left = [...sold];
    for (const { ago, cerrado, ...claim } of DEMO) {
      const at = anchor - ago * HOUR;
      const one = left.findIndex(({ soldAt }) => soldAt < at - 24 * HOUR);
      if (one < 0) return;
      const [{ soldAt: _soldAt, ...of }] = left.splice(one, 1) as [Sold];
      const id = this.#open({ ...claim, ...of, at });
      if (cerrado) this.#close(this.of(id)!, 'payment_refunded', 'seller', at + 20 * HOUR);
    }
  }

  open(claim: Omit<NewClaim, 'text' | 'at'>): number {
    const id = this.#open({ ...claim, text: 'Llegó con el lente roto.', at: this.options.now() });
    this.options.changed();
    return id;
  }

  #open(claim: NewClaim): number {
    const { orderId, shipmentId, buyer, amount, horas, tipo, conDevolucion, cambio, item, text, at: now } = claim;
    const id = 5_510_000_000 + ++this.state.last;
    const due = horas === null ? null : now + horas * HOUR;
    this.state.claims.push({
      id,
      orderId,
      buyer,
      resource: shipmentId === null ? 'order' : 'shipment',
      resourceId: shipmentId ?? orderId,
      type: tipo,
      stage: 'claim',
      status: 'opened',
      reason: 'PDD9939',
      cambio,
      ...(cambio && { swap: { item, quantity: 1, status: 'pending', detail: 'return_pending', orderId: null } }),
      item,
      amount,
      at: now,
      touchedAt: now,
      actions: [
        { action: 'send_message_to_complainant', mandatory: due !== null, due },
        { action: 'send_attachments', mandatory: false, due },
        { action: 'refund', mandatory: false, due },
        { action: 'allow_return', mandatory: false, due },
        { action: 'allow_partial_refund', mandatory: false, due },
      ],
      messages: [{ from: 'complainant', to: 'respondent', text, at: now, files: ['foto.jpg'] }],
      resolution: null,
      files: [],
      asked: [],
      returns: conDevolucion
        ? { id: id + 9, shipmentId: 45_990_000_000 + this.state.last, status: 'label_generated', tracking: 'DEV123' }
        : null,
    });
    return id;
  }

  of(id: number): Claim | undefined {
    return this.state.claims.find((one) => one.id === id);
  }

  /** Changes a claim on the marketplace's side: its end, its day, or the seller's actions. Returns false for an unknown claim. */
  change(id: number, { cerrar, horas, ofrece, cambio, costo, acepta, revision }: ChangeOfClaim): boolean {
    const claim = this.of(id);
    if (!claim) return false;
    const now = this.options.now();
    if (cerrar) this.#close(claim, cerrar, 'mediator');
    if (costo !== undefined) claim.cost = costo;
    if (acepta && claim.asked.some(({ resolution }) => resolution === 'allow-replace')) {
      claim.cambio = acepta;
      claim.swap = { item: claim.item, quantity: 1, status: 'pending', detail: 'return_created', orderId: null };
    }
    if (cambio && claim.swap) {
      claim.swap.status = cambio.status;
      claim.swap.detail = cambio.detail ?? null;
      if (cambio.orderId) claim.swap.orderId = cambio.orderId;
    }
    for (const action of ofrece ?? []) claim.actions.push({ action, mandatory: false, due: null });
    if (claim.returns && ofrece?.some((action) => action.startsWith('return_review'))) {
      claim.returns.status = 'delivered';
      claim.revision ??= { ...SIN_REVISAR };
    }
    if (revision && claim.revision) Object.assign(claim.revision, revision);
    if (horas !== undefined) for (const action of claim.actions) action.due = now + horas * HOUR;
    claim.touchedAt = now;
    this.options.changed();
    return true;
  }

  #close(claim: Claim, reason: string, by: string, now = this.options.now()) {
    claim.status = 'closed';
    claim.actions = [];
    claim.resolution = { reason, by, at: now };
    claim.touchedAt = now;
  }

  /** Answers the calls below /post-purchase. */
  handle(request: SandboxRequest, [version, what, id, ...rest]: string[]): SandboxResponse {
    if (what === 'returns' && id === 'reasons') return reasonsOf(request.url.searchParams, (claim) => this.of(claim));
    if (what === 'returns') return this.#review(request, Number(id), rest.join('/'));
    if (what !== 'claims') return refuse(404, 'business_logic_error', 'Not found');
    if (id === 'search') return this.#search(request.url.searchParams);
    const claim = this.of(Number(id));
    if (!claim) return refuse(404, 'business_logic_error', 'Claim not found');
    const [sub, verb] = rest;
    if (request.method === 'POST') return this.#act(request, claim, rest.join('/'));
    if (version === 'v2')
      return sub === 'returns' && claim.returns
        ? json(200, this.#returns(claim))
        : json(404, { code: 404, error: 'not_found', message: 'No return', cause: null });
    if (sub === undefined) return json(200, this.#document(claim));
    if (sub === 'changes' && claim.swap) return json(200, this.#changes(claim, claim.swap));
    if (sub === 'charges' && verb === 'return-cost' && claim.cost !== undefined)
      return json(200, { currency_id: 'MXN', amount: claim.cost });
    if (sub === 'detail')
      return json(200, {
        due_date: claim.actions[0]?.due ? orderTime(claim.actions[0].due) : null,
        action_responsible: claim.status === 'closed' ? 'mediator' : 'seller',
        title: 'El producto llegó dañado',
        description: 'El comprador espera tu respuesta.',
        problem: 'Llegó con el lente roto',
      });
    if (sub === 'messages')
      return json(
        200,
        claim.messages.map((one) => messageOf(one)),
      );
    if (sub === 'expected-resolutions') return json(200, claim.id % 2 ? [] : expectedOf(claim));
    if (sub === 'partial-refund' && verb === 'available-offers')
      return json(200, {
        currency_id: 'MXN',
        available_offers: OFFERS.map((percentage) => ({ amount: (claim.amount * percentage) / 100, percentage })),
        recommendations: [],
        restrictions: [],
      });
    return refuse(404, 'business_logic_error', 'Not found');
  }

  #act(request: SandboxRequest, claim: Claim, path: string): SandboxResponse {
    const body = (request.data() ?? {}) as Record<string, unknown>;
    const may = (action: string) => claim.actions.some((one) => one.action === action);
    const no = (action: string) => refuse(400, 'bad_request_error', `Action ${action} not available for player`);
    const now = this.options.now();
    if (path === 'attachments') return this.#upload(request, claim);
    if (path === 'returns/attachments') return this.#upload(request, claim, 'file_name');
    if (path === 'actions/send-message') {
      const to = String(body.receiver_role);
      if (!may(`send_message_to_${to}`)) return no('send_message');
      if (typeof body.message !== 'string' || body.message === '') return refuse(400, 'bad_request_error', 'message');
      const files = Array.isArray(body.attachments) ? body.attachments.map(String) : [];
      if (files.some((file) => !claim.files.includes(file))) return refuse(400, 'bad_request_error', 'attachments');
      claim.messages.push({ from: 'respondent', to, text: body.message, at: now, files });
      this.#touched(claim);
      return json(201, { execution_response: { id: claim.messages.length } });
    }
    if (path === 'actions/open-dispute') {
      if (!may('open_dispute')) return no('open_dispute');
      claim.stage = 'dispute';
      claim.actions = [{ action: 'send_message_to_mediator', mandatory: false, due: null }];
      this.#touched(claim);
      return json(200, {});
    }
    const [head, resolution] = path.split('/');
    if (head !== 'expected-resolutions' || !resolution) return refuse(404, 'business_logic_error', 'Not found');
    const needed = {
      refund: 'refund',
      'partial-refund': 'allow_partial_refund',
      'allow-return': 'allow_return',
      'allow-replace': 'allow_replace',
    }[resolution];
    if (!needed || !may(needed)) return no(resolution);
    const percentage = resolution === 'partial-refund' ? Number(body.percentage) : null;
    if (percentage !== null && !OFFERS.includes(percentage)) return refuse(400, 'bad_request_error', 'percentage');
    claim.asked.push({ resolution, percentage, at: now });
    if (needed === 'allow_return' || needed === 'allow_replace')
      claim.actions = claim.actions.filter(({ action }) => action !== needed);
    else this.#close(claim, resolution === 'refund' ? 'payment_refunded' : 'partial_refunded', 'seller');
    this.#touched(claim);
    if (needed === 'allow_replace') return json(200, expectedOf(claim));
    return json(200, {});
  }

  /** Takes the review of a return. `{}` says that the product is all right, and the buyer gets the money. */
  #review(request: SandboxRequest, id: number, path: string): SandboxResponse {
    const claim = this.state.claims.find(({ returns }) => returns?.id === id);
    if (claim && request.method === 'GET' && path === 'reviews') return this.#reviews(claim);
    if (!claim || request.method !== 'POST' || path !== 'return-review')
      return refuse(404, 'business_logic_error', 'Not found');
    const body = request.data() ?? null;
    const objects = Array.isArray(body);
    const needed = objects ? ['return_review_fail', 'return_review'] : ['return_review_ok', 'return_review'];
    if (!claim.actions.some(({ action }) => needed.includes(action)))
      return refuse(400, 'bad_request_error', `Not valid action ${needed[0]} for player role respondent`);
    claim.reviewed = body;
    if (objects) {
      const problem = (body as Review[]).find((one) => !isReview(one, claim.files));
      if (problem !== undefined || body.length === 0) return refuse(400, 'bad_request_error', 'Invalid review');
      claim.actions = claim.actions.filter(({ action }) => !action.startsWith('return_review'));
      const reason = String((body as Review[])[0]!.reason);
      if (claim.revision)
        Object.assign(claim.revision, { stage: 'pending', seller_status: 'failed', seller_reason: reason });
      this.#touched(claim);
      return json(201, {});
    }
    if (claim.revision)
      Object.assign(claim.revision, {
        stage: 'closed',
        status: 'success',
        seller_status: 'success',
        benefited: 'buyer',
      });
    this.#close(claim, 'item_returned', 'seller');
    this.#touched(claim);
    return json(201, {});
  }

  #reviews({ orderId, revision }: Claim): SandboxResponse {
    if (!revision) return refuse(404, 'not_found_error', 'return review not found');
    const part = { ...revision, reason_id: null, benefited_type: null, benefited_reason: null };
    return json(200, {
      reviews: [{ resource: 'order', resource_id: orderId, method: 'none', resource_reviews: [part] }],
    });
  }

  /** Keeps a file, which a later message may name. */
  #upload(request: SandboxRequest, claim: Claim, name: 'filename' | 'file_name' = 'filename'): SandboxResponse {
    const [file] = filesOf(request).filter(({ field }) => field === 'file');
    if (!file || file.bytes.length > MAX_FILE || !FILES.includes(file.type))
      return refuse(400, 'bad_request_error', 'Invalid mime_type');
    const filename = `${SELLER_ID}_${claim.files.length + 1}_${file.filename}`;
    claim.files.push(filename);
    this.options.changed();
    return json(201, { user_id: SELLER_ID, [name]: filename });
  }

  #touched(claim: Claim) {
    claim.touchedAt = this.options.now();
    this.options.changed();
    this.options.announce(claim.id);
  }

  #search(params: URLSearchParams): SandboxResponse {
    const paired = params.has('players.role') === params.has('players.user_id');
    if (!paired) return refuse(400, 'invalid_params', 'players.role and players.user_id go together');
    if (!params.has('players.role') && !params.has('range'))
      return refuse(400, 'invalid_query', 'at least any of these filters');
    const [, from, to] = /last_updated:after:([^,]+),before:(.+)/.exec(params.get('range') ?? '') ?? [];
    const limit = Math.min(100, Number(params.get('limit') ?? 30));
    const offset = Number(params.get('offset') ?? 0);
    if (offset > 9_999) return refuse(400, 'invalid_params', 'offset');
    const rows = this.state.claims
      .filter(({ touchedAt }) => !from || (touchedAt >= Date.parse(from) && touchedAt < Date.parse(to!) + 1_000))
      .toSorted((a, b) => a.touchedAt - b.touchedAt);
    return json(200, {
      paging: { total: rows.length, offset, limit },
      data: rows.slice(offset, offset + limit).map((one) => this.#document(one)),
    });
  }

  #document(claim: Claim) {
    const { id, resource, resourceId, status, type, stage, reason, buyer, actions, resolution, at, touchedAt } = claim;
    return {
      id,
      resource,
      resource_id: resourceId,
      status,
      type,
      stage,
      parent_id: null,
      reason_id: reason,
      fulfilled: true,
      quantity_type: 'total',
      players: [
        { role: 'complainant', type: 'buyer', user_id: buyer, available_actions: [] },
        {
          role: 'respondent',
          type: 'seller',
          user_id: SELLER_ID,
          available_actions: actions.map(({ action, mandatory, due }) => ({
            action,
            mandatory,
            due_date: due === null ? null : orderTime(due),
          })),
        },
      ],
      resolution: resolution && {
        reason: resolution.reason,
        date_created: orderTime(resolution.at),
        benefited: ['complainant'],
        closed_by: resolution.by,
        applied_coverage: false,
      },
      site_id: 'MLM',
      date_created: orderTime(at),
      last_updated: new Date(touchedAt).toISOString(),
      related_entities: [...(claim.returns ? ['return'] : []), ...(claim.cambio ? [claim.cambio] : [])],
    };
  }

  #changes({ id, orderId, type, buyer, returns, at, touchedAt }: Claim, swap: NonNullable<Claim['swap']>) {
    return {
      paging: { total: 1, offset: 0, limit: 30 },
      data: [
        {
          claim_id: id,
          resource: 'order',
          resource_id: orderId,
          items: [{ id: swap.item, quantity: swap.quantity, price: 100, price_at_creation: 100, currency_id: 'MXN' }],
          seller_id: SELLER_ID,
          buyer_id: buyer,
          return: { id: returns?.id ?? id + 9 },
          new_orders_ids: swap.orderId === null ? [] : [swap.orderId],
          new_orders_shipments: swap.orderId === null ? [] : [{ id: swap.orderId + 7 }],
          site_id: 'MLM',
          status: swap.status,
          status_detail: swap.detail,
          type: type === 'change' ? 'change' : 'replace',
          estimated_exchange_date: { from: orderTime(at + 48 * HOUR), to: orderTime(at + 96 * HOUR) },
          date_created: orderTime(at),
          last_updated: orderTime(touchedAt),
        },
      ],
    };
  }

  #returns({ id, returns, orderId, revision }: Claim) {
    return {
      id: returns!.id,
      claim_id: id,
      status: returns!.status,
      subtype: 'return_total',
      status_money: 'retained',
      refund_at: 'delivered',
      related_entities: revision ? ['reviews'] : [],
      orders: [{ order_id: orderId, context_type: 'total', total_quantity: '1.0', return_quantity: '1.0' }],
      shipments: [
        {
          shipment_id: returns!.shipmentId,
          status: 'ready_to_ship',
          tracking_number: returns!.tracking,
          type: 'return',
          destination: { name: 'seller_address' },
        },
      ],
    };
  }
}

interface Review {
  reason?: unknown;
  message?: unknown;
  attachments?: unknown;
}
const REASONS: Record<string, [name: string, apply: string[]]> = {
  SRF2: ['product_damaged', ['order']],
  SRF3: ['return_incomplete', ['order']],
  SRF4: ['returned_product_different', ['order']],
  SRF5: ['product_not_in_package', ['order', 'package']],
  SRF6: ['another_failure_with_product', ['order']],
  SRF7: ['return_has_not_arrived', ['package']],
};
/** Whether an objection has a reason that is known, its words, and the evidence that its reason asks for. */
function isReview({ reason, message, attachments = [] }: Review, files: readonly string[]): boolean {
  if (!Object.hasOwn(REASONS, String(reason)) || typeof message !== 'string' || message === '') return false;
  if (!Array.isArray(attachments) || attachments.some((file) => !files.includes(String(file)))) return false;
  return attachments.length > 0 || !['SRF2', 'SRF4'].includes(String(reason));
}

function reasonsOf(params: URLSearchParams, of: (id: number) => Claim | undefined): SandboxResponse {
  if (!of(Number(params.get('claim_id'))) || params.get('flow') !== 'seller_return_failed')
    return refuse(400, 'bad_request_error', 'Invalid flow');
  return json(
    200,
    Object.entries(REASONS).map(([id, [name, apply]], position) => ({ id, name, detail: name, position, apply })),
  );
}

export interface ChangeOfClaim {
  cerrar?: string;
  horas?: number;
  ofrece?: string[];
  cambio?: { status: string; detail?: string | null; orderId?: number };
  costo?: number;
  /** The outcome of the review of what came back. */
  revision?: Partial<Revision>;
  /** The buyer takes the replacement, and the claim names it so. */
  acepta?: 'change' | 'changes';
}

/** The resolutions that were asked for. A replacement waits for the buyer. */
const expectedOf = ({ asked, cambio }: Claim) =>
  asked.map(({ resolution, at }) => ({
    player_role: 'respondent',
    user_id: SELLER_ID,
    expected_resolution: resolution.replace('-', '_'),
    details: [],
    status: resolution === 'allow-replace' && !cambio ? 'pending' : 'accepted',
    date_created: orderTime(at),
    last_updated: orderTime(at),
  }));

const messageOf = ({ from, to, text, at, files }: Claim['messages'][number]) => ({
  sender_role: from,
  receiver_role: to,
  message: text,
  translated_message: null,
  date_created: orderTime(at),
  attachments: files.map((filename) => ({ filename, original_filename: filename, size: 1, type: 'image/jpeg' })),
  status: 'available',
  stage: 'claim',
  hash: createHash('sha1').update(`${from}${to}${text}${at}`).digest('hex'),
});
