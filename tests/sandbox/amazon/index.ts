/**
 * The impostor of Amazon México: Login with Amazon, Seller Central's consent, Orders 2026-01-01, Finances 2024-06-19, Sellers, the confirmation of shipments,
 * labels for what the seller ships, and listings with their report, changes one by one and in files, its catalogue and product types. What nobody has confirmed of the
 * real one is a switch with each way it may be.
 */
import { randomUUID } from 'node:crypto';
import { Interruptores, Reloj } from '../proveedores/taller';
import { json, type SandboxRequest, type SandboxResponse, type Service, type ServiceOptions } from '../service';
import { Catalog, SCHEMAS } from './catalog';
import { createConsent } from './consent';
import { MARKETPLACE_ID } from './constants';
import { createControl, type Retrasos } from './control';
import { Feeds, FEEDS } from './feeds';
import { emptyGuias, Guias, type GuiasState } from './guias';
import { createFinances } from './finances';
import { Listings, REPORTS, type ListingsState } from './listings';
import { emptyLwa, Lwa, type LwaState } from './lwa';
import { Messages, UPLOADS } from './messages';
import { emptyNotifications, Notifications, type NotificationsState } from './notifications';
import { createOrders } from './orders';
import { Rates, type Operation } from './rates';
import { Settlements, type SettlementsState } from './settlements';
import { confirmShipment } from './shipments';
import { SWITCHES } from './switches';
import { siembra, type Venta } from './ventas';

export { APP_ID, CLIENT_ID, CLIENT_SECRET, MARKETPLACE_ID, SELLER_ID } from './constants';

export interface AmazonOptions extends ServiceOptions {
  /** How many sales there are on the first day. */
  ventas?: number;
  /** How many times faster than documented calls are let through. */
  ritmo?: number;
}

interface Snapshot {
  lwa: LwaState;
  ventas: Venta[];
  listings?: ListingsState;
  settlements?: SettlementsState;
  notifications?: NotificationsState;
  guias?: GuiasState;
}

const VENTAS = 120;
const DEMO_PACE = 60;
const CONFIRM = /^\/orders\/v0\/orders\/([^/]+)\/shipmentConfirmation$/;
const MESSAGES = /^\/messaging\/v1\/orders\/([^/]+)(\/messages\/invoice)?$/;
const DESTINATION = /^\/uploads\/2020-11-01\/uploadDestinations\/messaging\/v1\/orders\/([^/]+)\/messages\/invoice$/;
const ORDER = /^\/orders\/2026-01-01\/orders\/([^/]+)$/;

export function createAmazon(options: AmazonOptions): Service {
  const { store, baseUrl, ventas: cuantas = VENTAS, ritmo = DEMO_PACE } = options;
  const changed = () => store.changed();
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const lwa = new Lwa({ now: reloj.now, interruptores, changed });
  const rates = new Rates(reloj.now);
  const retrasos: Retrasos = { horasTarde: 48, horasSinPaquete: 1 };
  const ventas: Venta[] = [];
  const begin = () => {
    ventas.splice(0, ventas.length, ...siembra(cuantas, reloj.now()));
    rates.reset();
    rates.factor = ritmo;
    Object.assign(retrasos, { horasTarde: 48, horasSinPaquete: 1 });
  };
  begin();

  const appUrl = () => options.appUrl() ?? 'http://127.0.0.1:3000';
  const consent = createConsent({
    lwa,
    redirectUri: () => `${appUrl()}/activacion`,
    loginUri: () => `${appUrl()}/activacion`,
    baseUrl,
  });
  const shared = { now: reloj.now, ventas: () => ventas, interruptores };
  const orders = createOrders({ ...shared, horasSinPaquete: () => retrasos.horasSinPaquete });
  const finances = createFinances({ ...shared, horasTarde: () => retrasos.horasTarde });

  const messages = new Messages({ ...shared, baseUrl });
  const notifications = new Notifications({ interruptores, changed });
  const guias = new Guias({ ...shared, changed });
  const catalog = new Catalog({ now: reloj.now, interruptores, baseUrl });
  const listings = new Listings({ now: reloj.now, interruptores, baseUrl, changed, catalog });
  const settlements = new Settlements({
    ...shared,
    partsOf: finances.partsOf,
    place: () => `${baseUrl()}${REPORTS}`,
    changed,
  });

  const feeds = new Feeds({ now: reloj.now, interruptores, baseUrl, listings });

  function routed(
    request: SandboxRequest,
  ): [Operation, () => SandboxResponse, ficha?: boolean | 'restringida'] | undefined {
    const { method, path } = request;
    feeds.work();
    listings.appear();
    const listed =
      notifications.route(request) ??
      guias.route(request) ??
      settlements.route(request) ??
      listings.route(request) ??
      feeds.route(request) ??
      catalog.route(request);
    if (listed) return listed;
    if (method === 'POST') {
      if (path === '/tokens/2021-03-01/restrictedDataToken')
        return ['createRestrictedDataToken', () => lwa.restrict(request)];
      const confirmed = CONFIRM.exec(path);
      if (confirmed)
        return [
          'confirmShipment',
          () => confirmShipment(decodeURIComponent(confirmed[1]!), request, { ...shared, changed }),
        ];
      const file = DESTINATION.exec(path);
      if (file) return ['createUploadDestination', () => messages.destination(decodeURIComponent(file[1]!), request)];
      const message = MESSAGES.exec(path);
      return message?.[2]
        ? ['sendInvoice', () => messages.invoice(decodeURIComponent(message[1]!), request)]
        : undefined;
    }
    if (method !== 'GET') return undefined;
    if (path === '/orders/2026-01-01/orders') return ['searchOrders', () => orders.search(request)];
    const one = ORDER.exec(path);
    if (one) return ['getOrder', () => orders.one(decodeURIComponent(one[1]!), request)];
    const written = MESSAGES.exec(path);
    if (written && !written[2])
      return ['getMessagingActionsForOrder', () => messages.actions(decodeURIComponent(written[1]!), request)];
    if (path === '/finances/2024-06-19/transactions') return ['listTransactions', () => finances.list(request)];
    if (path === '/sellers/v1/marketplaceParticipations')
      return ['getMarketplaceParticipations', () => participations()];
    return undefined;
  }

  function participations() {
    return json(200, {
      payload: [
        {
          marketplace: {
            id: MARKETPLACE_ID,
            name: 'Amazon.com.mx',
            countryCode: 'MX',
            defaultCurrencyCode: 'MXN',
            defaultLanguageCode: 'es_MX',
            domainName: 'www.amazon.com.mx',
          },
          storeName: 'Demo Tienda',
          participation: { isParticipating: true, hasSuspendedListings: false },
        },
      ],
    });
  }

  function api(request: SandboxRequest): SandboxResponse {
    const route = routed(request);
    if (!route)
      return json(403, {
        errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.', details: '' }],
      });
    const [operation, work, ficha] = route;
    const refused = lwa.guard(request, ficha) ?? rates.take(operation, interruptores.is('limite', 'conEncabezado'));
    if (refused) return refused;
    if (
      request.method === 'POST' &&
      request.body.length > 0 &&
      !String(request.headers['content-type'] ?? '').startsWith('application/json')
    )
      return json(415, { errors: [{ code: 'UnsupportedMediaType', message: 'Unsupported media type', details: '' }] });
    const answer = work();
    const tellsLimit = answer.status < 300 || answer.status === 400 || answer.status === 404;
    return tellsLimit ? { ...answer, headers: { ...answer.headers, ...rates.headerOf(operation) } } : answer;
  }

  function handle(request: SandboxRequest): SandboxResponse {
    if (request.prefix === '/amazon-seller') return consent(request);
    if (request.prefix === UPLOADS) return messages.upload(request);
    if (request.prefix === REPORTS) return settlements.download(request) ?? listings.download(request);
    if (request.prefix === SCHEMAS) return catalog.download(request);
    if (request.prefix === FEEDS) return feeds.store(request);
    if (request.prefix === '/amazon-lwa')
      return request.method === 'POST' && request.path === '/auth/o2/token'
        ? lwa.token(request)
        : json(404, { error: 'invalid_request', error_description: 'Not found' });
    const answer = api(request);
    return { ...answer, headers: { ...answer.headers, 'x-amzn-requestid': randomUUID() } };
  }

  const failure = (status: 429 | 500 | 503) => {
    const code = status === 429 ? 'QuotaExceeded' : status === 503 ? 'ServiceUnavailable' : 'InternalFailure';
    return json(status, { errors: [{ code, message: null, details: '' }] });
  };

  return {
    name: 'amazon',
    title: 'Amazon México',
    about:
      'Ventas propias y con Amazon, permiso por Login with Amazon, y lo que Amazon cobra y retiene dos días después.',
    prefixes: ['/amazon', '/amazon-lwa', '/amazon-seller', UPLOADS, REPORTS, FEEDS, SCHEMAS],
    faultRoute: '/orders',
    handle,
    control: {
      ...createControl({ reloj, interruptores, lwa, rates, ventas, retrasos, changed }),
      ...listings.control,
      ...settlements.control,
      ...feeds.control,
      'GET /notificaciones': () => json(200, notifications.state),
      ...catalog.control,
      ...guias.control,
      'GET /mensajes': () => json(200, messages.sent),
    },
    counts: () => ({ Ventas: ventas.length, Publicaciones: listings.todas.size }),
    refusal: (fault) =>
      json(400, {
        errors: [{ code: fault.code ?? 'InvalidInput', message: String(fault.message ?? 'Invalid'), details: '' }],
      }),
    failure,
    snapshot: (): Snapshot => ({
      lwa: lwa.state,
      ventas,
      listings: listings.snapshot(),
      settlements: settlements.state,
      notifications: notifications.state,
      guias: guias.state,
    }),
    restore(state) {
      const saved = state as Snapshot;
      lwa.state = { ...emptyLwa(), ...saved.lwa };
      ventas.splice(0, ventas.length, ...saved.ventas);
      listings.restore(saved.listings);
      notifications.state = saved.notifications ?? emptyNotifications();
      guias.state = saved.guias ?? emptyGuias();
      settlements.state = saved.settlements ?? { extras: [] };
    },
    reset() {
      store.clear();
      lwa.state = emptyLwa();
      interruptores.reset();
      messages.reset();
      listings.reset();
      settlements.reset();
      feeds.reset();
      notifications.state = emptyNotifications();
      catalog.reset();
      guias.reset();
      reloj.reset();
      begin();
      changed();
    },
  };
}
