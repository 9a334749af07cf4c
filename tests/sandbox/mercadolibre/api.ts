import type { Parts } from './parts';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse, NO_CONTENT } from './answers';
import { CLIENT_ID, FOREIGN_ORDER_ID, SECOND, SELLER_ID } from './constants';
import { zulu } from './clock';
import { billingDocument } from './documents/billing';
import { discountsOf, hasBilling, itemOf, orderDocument, packDocument } from './documents/order';
import { paymentDetail, paymentsOf } from './documents/payment';
import {
  oldShipmentDocument,
  shipmentCarrier,
  shipmentCosts,
  shipmentDocument,
  shipmentHistory,
  shipmentItems,
  shipmentPayments,
  shipmentSla,
} from './documents/shipment';
import { publicUser, sellerDocument } from './documents/user';
import { hasShipment } from './history';
import { labelCause, labelPdf, labelWords, labelZpl, zipOf } from './labels';
import type { Ledger } from './ledger';
import { preferencesDocument, type NewItem } from './publishing';
import { numberOf, packOf, shipmentId, type Order, type Sale } from './sale';
import { searchOrders } from './search';
import { tellShipment } from './sellerShipping';
import { SHIPMENT_STATUSES } from './shipmentStatuses';

const notFound = () => refuse(404, 'not_found', 'Resource not found');

/** Parts of a shipment that a call asks for one by one. */
const SHIPMENT_PARTS = new Map<string, (sale: Sale) => object | undefined>(
  Object.entries({
    items: shipmentItems,
    costs: shipmentCosts,
    payments: (sale: Sale) => (sale.hasPack ? shipmentPayments(sale) : []),
    history: shipmentHistory,
    carrier: shipmentCarrier,
    lead_time: (sale: Sale) => shipmentDocument(sale).lead_time,
    orders: (sale: Sale) => sale.orders.map((order) => ({ order_id: order.id, seller_id: SELLER_ID })),
    sla: shipmentSla,
  }),
);

/** Returns the sale of a number as routes of packs take it: the pack, or the order of a sale that has no pack. */
export function saleOfNumber(ledger: Ledger, id: string): Sale | undefined {
  const sale = ledger.byPack(Number(id)) ?? ledger.order(Number(id))?.sale;
  return sale && numberOf(sale) === id ? sale : undefined;
}

/** Returns the calls behind a Bearer token, those of the marketplace's host and those of its payments host. */
export function createApi(options: Parts) {
  const {
    ledger,
    oauth,
    notifier,
    documents,
    messages,
    items,
    questions,
    claims,
    publishing,
    published,
    places,
    promotions,
    switches,
    now,
    changed,
  } = options;
  const waited = (sale: Sale, seconds: number) => !sale.live || now() >= sale.bornAt + seconds * SECOND;
  const visible = (sale: Sale) => waited(sale, switches().segundosSinOrden);
  const shipmentVisible = (sale: Sale) => waited(sale, switches().segundosSinEnvio);
  const sightOf = (sale: Sale) => ({ shipmentVisible: shipmentVisible(sale) });

  function handle(request: SandboxRequest): SandboxResponse {
    if (request.prefix === '/mercadolibre' && request.route === 'POST /oauth/token') return oauth.token(request);
    const refused = oauth.guard(request);
    if (refused) return refused;
    if (switches().aplicacionBloqueada) return refuse(401, 'unauthorized_scopes', 'Unauthorized scopes');
    if (switches().noEsTuyo && request.path.includes(switches().noEsTuyo))
      return refuse(401, '', "Caller is not the item's owner");
    const parts = request.path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    if (request.prefix === '/mercadopago') return options.reports.handle(request) ?? payments(request, parts);
    const item =
      promotions.handle(request, parts) ??
      places.handle(request, parts) ??
      publishes(request, parts) ??
      items.handle(request, parts);
    if (item) return item;
    if (parts[0] === 'packs') return packs(request, parts);
    if (parts[0] === 'messages') return messages.handle(request, parts.slice(1));
    if (parts[0] === 'users' && parts[2] === 'applications' && request.method === 'DELETE') {
      oauth.revoke();
      return json(200, { user_id: String(SELLER_ID), app_id: CLIENT_ID, msg: 'Autorización eliminada' });
    }
    if (request.method !== 'GET' && parts[0] === 'shipments') return told(request, parts);
    if (parts[0] === 'post-purchase') return claims.handle(request, parts.slice(1));
    if (request.method === 'POST' && parts[0] === 'answers') return questions.answer(request);
    const [, seller, list, buyer] = parts;
    if (parts[0] === 'users' && (list === 'questions_blacklist' || list === 'order_blacklist'))
      return ofSeller(seller, () => questions.blacklist(request, list, buyer));
    if (request.method !== 'GET') return refuse(405, 'method_not_allowed', 'Method not allowed');
    return gets.get(parts[0] ?? '')?.(parts, request) ?? notFound();
  }

  const ofSeller = (id: string | undefined, work: () => SandboxResponse) =>
    id === String(SELLER_ID) ? work() : refuse(403, 'forbidden', 'The user is not the owner of the list');

  /** Reads by the first segment of their path. */
  const gets = new Map<string, (parts: string[], request: SandboxRequest) => SandboxResponse | undefined>(
    Object.entries({
      users,
      orders,
      shipments,
      applications,
      collections: collection,
      shipment_labels: (_, { url }) => labels(url.searchParams),
      shipment_statuses: () => json(200, SHIPMENT_STATUSES),
      questions: ([, id = ''], { url }) =>
        id === 'search' ? questions.search(url.searchParams) : questions.read(id, url.searchParams),
      my: ([, what], { url }) => (what === 'received_questions' ? questions.search(url.searchParams) : undefined),
      'block-api': (parts, { url }) => ofSeller(parts[3], () => questions.blockedUsers(url.searchParams)),
      missed_feeds: (_, { url }) => missedFeeds(url.searchParams),
    } satisfies Record<string, (parts: string[], request: SandboxRequest) => SandboxResponse | undefined>),
  );

  /** Answers about categories, their attributes, and new listings; undefined for other calls. */
  function publishes(request: SandboxRequest, parts: string[]): SandboxResponse | undefined {
    const { method, url } = request;
    const [first, second, third, fourth] = parts;
    if (method === 'GET') return publishing.read(parts, url.searchParams);
    const body = (request.data() ?? {}) as NewItem;
    if (method === 'POST' && first === 'pictures' && second === 'items' && third === 'upload')
      return publishing.upload(request);
    if (method === 'POST' && first === 'categories' && third === 'attributes' && fourth === 'conditional')
      return publishing.conditional(second!, body);
    if (first !== 'items') return undefined;
    if (method === 'POST' && second === 'validate') {
      const { almacenes, validarSinLugares } = switches();
      const wrong = almacenes > 0 && !validarSinLugares ? 'available_quantity' : 'stock_locations';
      if (body[wrong] !== undefined)
        return refuse(400, 'bad_request', `the fields [${wrong}] are invalid for requested call`);
      return publishing.problems(body) ?? NO_CONTENT;
    }
    if (method === 'POST' && second === undefined) return published.create(body);
    const item = second === undefined ? undefined : items.get(second);
    if (!item) return undefined;
    if (third === 'description') return published.describe(request, item);
    return method === 'PUT' && third === undefined && body.category_id !== undefined
      ? published.refusesCategory(item, body)
      : undefined;
  }

  function users([, id, what, more]: string[]): SandboxResponse {
    if (id === 'me' || id === String(SELLER_ID)) {
      if (what === 'applications') return json(200, [grant()]);
      if (what === 'stores' && more === 'search') return places.search();
      if (what === 'shipping_preferences') return json(200, preferencesDocument(switches().logistica));
      return what === undefined
        ? json(200, sellerDocument(switches().sitio, switches().cuentaUp, switches().almacenes))
        : notFound();
    }
    const buyer = ledger().buyer(Number(id));
    return buyer && what === undefined
      ? json(200, publicUser(buyer))
      : refuse(404, 'not_found', `The user with id ${id} was not found`);
  }

  const grant = () => ({
    user_id: String(SELLER_ID),
    app_id: CLIENT_ID,
    date_created: zulu(ledger().anchor),
    scopes: ['offline_access', 'read', 'write'],
  });

  function applications([, id, what]: string[]): SandboxResponse {
    if (id !== CLIENT_ID) return notFound();
    if (what === 'grants') return json(200, { paging: { total: 1, limit: 50, offset: 0 }, grants: [grant()] });
    return json(200, {
      id: Number(CLIENT_ID),
      site_id: 'MLM',
      thumbnail: null,
      url: null,
      sandbox_mode: true,
      project_id: null,
      active: true,
      max_requests_per_hour: 18_000,
      certification_status: 'not_certified',
    });
  }

  function orders([, id, what, extra]: string[], request: SandboxRequest): SandboxResponse {
    const { url } = request;
    if (id === 'search') {
      return searchOrders(ledger(), url.searchParams, {
        visible: ({ sale }) => visible(sale),
        shipmentVisible: ({ sale }) => shipmentVisible(sale),
        switches: switches(),
      });
    }
    if (id === 'billing-info') return billing(what, extra);
    if (!id) return refuse(400, 'empty_order_id', 'Order id is empty');
    if (!/^\d+$/.test(id)) return refuse(400, 'invalid_order_id', `Invalid order id ${id}`);
    if (id === String(FOREIGN_ORDER_ID)) return refuse(403, 'not_owned_order', 'The user has not access to the order');
    const order = ledger().order(Number(id));
    if (!order || !visible(order.sale)) return refuse(404, 'order_not_found', `Order do not exists: ${id}`);
    switch (what) {
      case undefined:
        return oneOrder(order, url.searchParams.get('attributes'));
      case 'shipments':
        return orderShipments(order, request);
      case 'discounts': {
        const discounts = discountsOf(order);
        return discounts.details.length === 0 && switches().descuentos404 ? notFound() : json(200, discounts);
      }
      case 'product':
        return json(200, { attributes: [{ id: 'SELLER_SKU', name: 'SKU', value: itemOf(order).seller_sku }] });
      default:
        return notFound();
    }
  }

  function oneOrder(order: Order, attributes: string | null): SandboxResponse {
    const document = withStock(orderDocument(order, sightOf(order.sale)));
    if (switches().ordenesParciales > 0) {
      switches().ordenesParciales--;
      return json(206, { ...document, buyer: {}, shipping: {} }, { 'x-content-missing': 'buyer,shipping' });
    }
    if (switches().pagosVacios > 0) {
      switches().pagosVacios--;
      return json(200, { ...document, payments: [] });
    }
    if (!attributes) return json(200, document);
    const wanted = attributes.split(',');
    return json(200, Object.fromEntries(Object.entries(document).filter(([key]) => wanted.includes(key))));
  }

  function orderShipments({ sale }: Order, { headers }: SandboxRequest): SandboxResponse {
    const exists = hasShipment(sale) && shipmentVisible(sale);
    if (headers['x-new-domain'] === 'true') {
      return exists
        ? json(200, [
            {
              id: shipmentId(sale.seq),
              type: 'forward',
              status: sale.history.at(-1)?.status ?? 'pending',
              mode: sale.delivery.mode,
              logistic_type: sale.delivery.logistic,
            },
          ])
        : NO_CONTENT;
    }
    if (switches().vistaObjetoRetirada) return refuse(410, 'gone', 'This resource view is no longer available');
    return exists ? json(200, oldShipmentDocument(sale)) : notFound();
  }

  function billing(site: string | undefined, id: string | undefined): SandboxResponse {
    const sale = site === 'MLM' && id ? ledger().byBilling(id) : undefined;
    return sale && hasBilling(sale)
      ? json(200, billingDocument(sale))
      : refuse(404, 'not_found', 'Billing info not found');
  }

  function packs(request: SandboxRequest, [, id, what, rest]: string[]): SandboxResponse {
    if (what === 'fiscal_documents' && id)
      return saleOfNumber(ledger(), id) ? documents.handle(request, id, rest) : notFound();
    const sale = ledger().byPack(Number(id));
    if (request.method !== 'GET' || what !== undefined || !sale || packOf(sale) === null || !visible(sale))
      return refuse(404, 'not_found', `Pack not found: ${id}`);
    return json(200, packDocument(sale, sightOf(sale)));
  }

  /** Tells the store of each line on an account with stores: one place, or a list of places. */
  function withStock(document: ReturnType<typeof orderDocument>) {
    const [store] = places.stores();
    if (!store) return document;
    const stock = { store_id: store.id, network_node_id: store.network_node_id };
    return {
      ...document,
      order_items: document.order_items.map((line) => ({ ...line, stock: document.id % 2 ? stock : [stock] })),
    };
  }

  function shipments([, id, what]: string[], { headers }: SandboxRequest): SandboxResponse {
    const sale = ledger().byShipment(Number(id));
    if (!sale || !visible(sale) || !waited(sale, switches().segundosSinEnvio))
      return refuse(404, 'not_found', `Shipment not found: ${id}`);
    if (what === undefined) {
      const document = headers['x-format-new'] === 'true' ? shipmentDocument(sale) : oldShipmentDocument(sale);
      const hidden = switches().guiaPropiaOculta && sale.delivery.mode !== 'me2';
      return json(200, hidden ? { ...document, tracking_number: null } : document);
    }
    if (what === 'delays') return refuse(404, 'not_found', 'There are no delays for the shipment');
    const part = SHIPMENT_PARTS.get(what)?.(sale);
    if (part) return json(200, part);
    return what === 'sla' ? refuse(404, 'not_found', 'SLA not found') : notFound();
  }

  /** Answers with the labels of some shipments, which count as printed from then on. A shipment without a label fails the whole call. */
  function labels(params: URLSearchParams): SandboxResponse {
    const ids = (params.get('shipment_ids') ?? '').split(',').filter(Boolean);
    if (ids.length === 0) return refuse(400, 'bad_request', 'shipment_ids is required');
    const sales = ids.map((id) => ledger().byShipment(Number(id)));
    const failed = ids.flatMap((id, at) => {
      const sale = sales[at];
      const cause = sale && visible(sale) && shipmentVisible(sale) ? labelCause(sale) : 'SHIPMENT_NOT_FOUND';
      return cause ? [{ shipment_id: id, message: `Shipment ${id} ${labelWords(sale, cause)}`, cause }] : [];
    });
    if (failed.length > 0) return json(400, { failed_shipments: failed });
    const zpl = params.get('response_type') === 'zpl2';
    if (zpl && switches().zpl === 'niega') return refuse(400, 'bad_request', 'response_type zpl2 is not available');
    for (const sale of sales as Sale[])
      if (sale.history.at(-1)?.substatus === 'ready_to_print')
        ledger().change({
          kind: 'advance',
          orderId: sale.orders[0]!.id,
          status: 'ready_to_ship',
          substatus: 'printed',
          at: now(),
        });
    changed();
    if (zpl) return zplAnswer(sales as Sale[]);
    return { status: 200, headers: { 'content-type': 'application/pdf' }, body: labelPdf(sales as Sale[]) };
  }

  /** The labels in a ZIP beside a page of control, or as they stand. */
  function zplAnswer(sales: readonly Sale[]): SandboxResponse {
    const body = labelZpl(sales);
    if (switches().zpl === 'suelto')
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
    const zip = zipOf({ 'Control.pdf': labelPdf(sales), 'Etiqueta de envio.txt': body });
    return { status: 200, headers: { 'content-type': 'application/zip' }, body: zip };
  }

  /** Takes in what the seller tells of a package of their own, and announces the change. */
  function told(request: SandboxRequest, [, id, what]: string[]): SandboxResponse {
    const sale = ledger().byShipment(Number(id));
    if (!sale || !visible(sale) || !shipmentVisible(sale)) return refuse(404, 'not_found', `Shipment not found: ${id}`);
    const { answer, change } = tellShipment(request, sale, what, now());
    if (!change) return answer;
    ledger().change(change);
    notifier.announce('shipments', `/shipments/${id}`);
    changed();
    return answer;
  }

  function paymentOf(id: string | undefined) {
    const order = ledger().byPayment(Number(id));
    const payment = order && visible(order.sale) ? paymentsOf(order).find((one) => String(one.id) === id) : undefined;
    return (
      order &&
      payment &&
      paymentDetail(order, payment, {
        withFee: waited(order.sale, switches().segundosSinComision),
        withTax: waited(order.sale, switches().segundosSinRetencion),
      })
    );
  }

  function payments({ method }: SandboxRequest, [version, what, id]: string[]): SandboxResponse {
    const detail = method === 'GET' && version === 'v1' && what === 'payments' ? paymentOf(id) : undefined;
    return detail
      ? json(200, detail)
      : refuse(404, 'not_found', 'Payment not found', [{ code: 2000, description: 'Payment not found', data: null }]);
  }

  function collection([, id]: string[]): SandboxResponse {
    const detail = paymentOf(id);
    return detail ? json(200, { collection: detail }) : notFound();
  }

  function missedFeeds(params: URLSearchParams): SandboxResponse {
    if (params.get('app_id') !== CLIENT_ID) return refuse(400, 'bad_request', 'app_id is required');
    const number = (name: string, otherwise: number) =>
      Math.max(0, Math.trunc(Number(params.get(name) ?? otherwise)) || 0);
    return json(
      200,
      notifier.missed({ topic: params.get('topic'), offset: number('offset', 0), limit: number('limit', 10) }),
    );
  }

  return { handle };
}
