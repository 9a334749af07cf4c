/**
 * The impostor of Amazon México: Login with Amazon, Seller Central's consent, Orders 2026-01-01, Finances 2024-06-19, Sellers, the confirmation of
 * shipments, labels, listings with their report and their changes one by one or in files, settlements, the catalogue and its product types.
 * Each unconfirmed fact of the real Amazon is a switch, with the ways it may be.
 */
import { randomUUID } from 'node:crypto';
import { Interruptores, Reloj } from '../proveedores/taller';
import { matcher } from '../routes';
import { json, type SandboxRequest, type SandboxResponse, type Service, type ServiceOptions } from '../service';
import { denied, no, type Route, type World } from './answers';
import { Catalog, SCHEMAS } from './catalog';
import { createConsent } from './consent';
import { MARKETPLACE_ID } from './constants';
import { createControl, type Retrasos } from './control';
import { Feeds, FEEDS } from './feeds';
import { Fees } from './fees';
import { emptyGuias, Guias, type GuiasState } from './guias';
import { createFinances } from './finances';
import { Listings, type ListingsState } from './listings';
import { ListingsReport } from './listingsReport';
import { emptyLwa, Lwa, type LwaState } from './lwa';
import { Messages, UPLOADS } from './messages';
import { emptyNotifications, Notifications, type NotificationsState } from './notifications';
import { createOrders } from './orders';
import { Pricing } from './pricing';
import { Queue, QUEUES } from './queue';
import { Rates } from './rates';
import { Settlements, type SettlementsState } from './settlements';
import { confirmShipment } from './shipments';
import { ReportFiles, REPORTS } from './signedFiles';
import { SWITCHES } from './switches';
import { truthOf } from './truth';
import { seedVentas, type Venta } from './ventas';

export { APP_ID, CLIENT_ID, CLIENT_SECRET, MARKETPLACE_ID, SELLER_ID } from './constants';

export interface AmazonOptions extends ServiceOptions {
  /** The number of sales on the first day. */
  ventas?: number;
  /** The factor by which the limits of calls are higher than documented. */
  ritmo?: number;
  /** Whether the shop's articles are on sale from the first day. */
  publicaciones?: boolean;
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
export function createAmazon(options: AmazonOptions): Service {
  const { store, baseUrl, ventas: cuantas = VENTAS, ritmo = DEMO_PACE, publicaciones = false } = options;
  const changed = () => store.changed();
  const reloj = new Reloj();
  const interruptores = new Interruptores(SWITCHES);
  const lwa = new Lwa({ now: reloj.now, interruptores, changed });
  const rates = new Rates(reloj.now);
  const retrasos: Retrasos = { horasTarde: 48, horasSinPaquete: 1 };
  const ventas: Venta[] = [];
  const begin = () => {
    ventas.splice(0, ventas.length, ...seedVentas(cuantas, reloj.now()));
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
  const world: World = { now: reloj.now, ventas: () => ventas, interruptores, baseUrl, changed };
  const orders = createOrders({ ...world, horasSinPaquete: () => retrasos.horasSinPaquete });
  const finances = createFinances({ ...world, horasTarde: () => retrasos.horasTarde });
  const messages = new Messages(world);
  const notifications = new Notifications(world);
  const queue = new Queue(reloj.now);
  const guias = new Guias(world);
  const catalog = new Catalog(world);
  const listings = new Listings({ ...world, catalog });
  const pricing = new Pricing({ ...world, listings });
  const fees = new Fees({ ...world, listings });
  const files = new ReportFiles(world);
  if (publicaciones) listings.seed();
  const settlements = new Settlements({ ...world, partsOf: finances.partsOf, files });
  const reports = new ListingsReport({ ...world, listings, files });
  const feeds = new Feeds({ ...world, listings });

  const operationOf = matcher<Route>({
    ...notifications.operations,
    ...guias.operations,
    ...listings.operations,
    ...pricing.operations,
    ...fees.operations,
    ...feeds.operations,
    ...catalog.operations,
    ...messages.operations,
    ...orders,
    'GET /reports/2021-06-30/reports': ['getReports', (request) => settlements.list(request)],
    'POST /reports/2021-06-30/reports': ['createReport', (request) => reports.create(request)],
    'GET /reports/2021-06-30/reports/:id': [
      'getReport',
      ({ params }) => settlements.report(params.id!) ?? reports.report(params.id!),
    ],
    'GET /reports/2021-06-30/documents/:id': [
      'getReportDocument',
      ({ params }) => settlements.document(params.id!) ?? reports.document(params.id!),
    ],
    'POST /orders/v0/orders/:id/shipmentConfirmation': [
      'confirmShipment',
      (request) => confirmShipment(request, world),
    ],
    'POST /tokens/2021-03-01/restrictedDataToken': ['createRestrictedDataToken', (request) => lwa.restrict(request)],
    'GET /finances/2024-06-19/transactions': ['listTransactions', finances.list],
    'GET /sellers/v1/marketplaceParticipations': ['getMarketplaceParticipations', participations],
  });

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
    feeds.work();
    listings.appear();
    const route = operationOf(request);
    if (!route) return denied();
    const [operation, work, token] = route;
    const refused = lwa.guard(request, token) ?? rates.take(operation, interruptores.is('limite', 'conEncabezado'));
    if (refused) return refused;
    if (
      request.method === 'POST' &&
      request.body.length > 0 &&
      !String(request.headers['content-type'] ?? '').startsWith('application/json')
    )
      return no(415, 'UnsupportedMediaType', 'Unsupported media type');
    const answer = work(request);
    const tellsLimit = answer.status < 300 || answer.status === 400 || answer.status === 404;
    return tellsLimit ? { ...answer, headers: { ...answer.headers, ...rates.headerOf(operation) } } : answer;
  }

  /** Hosts beside the API, by prefix. */
  const pages: Record<string, (request: SandboxRequest) => SandboxResponse> = {
    '/amazon-seller': consent,
    '/amazon-lwa': (request) =>
      request.route === 'POST /auth/o2/token'
        ? lwa.token(request)
        : json(404, { error: 'invalid_request', error_description: 'Not found' }),
    [QUEUES]: (request) => queue.handle(request),
    [UPLOADS]: (request) => messages.upload(request),
    [REPORTS]: (request) => files.download(request),
    [SCHEMAS]: (request) => catalog.files.download(request),
    [FEEDS]: (request) => feeds.store(request),
  };

  function handle(request: SandboxRequest): SandboxResponse {
    const page = pages[request.prefix];
    if (page) return page(request);
    const answer = api(request);
    return { ...answer, headers: { ...answer.headers, 'x-amzn-requestid': randomUUID() } };
  }

  const failure = (status: 429 | 500 | 503) => {
    const code = status === 429 ? 'QuotaExceeded' : status === 503 ? 'ServiceUnavailable' : 'InternalFailure';
    return no(status, code, null);
  };

  return {
    name: 'amazon',
    title: 'Amazon México',
    about:
      'Ventas propias y con Amazon, permiso por Login with Amazon, y lo que Amazon cobra y retiene dos días después.',
    prefixes: ['/amazon', '/amazon-lwa', '/amazon-seller', UPLOADS, REPORTS, FEEDS, SCHEMAS, QUEUES],
    faultRoute: '/orders',
    handle,
    control: {
      ...createControl({ reloj, interruptores, lwa, rates, ventas, retrasos, changed }),
      ...listings.control,
      ...settlements.control,
      ...feeds.control,
      'GET /precios': () => json(200, { preguntas: pricing.asked }),
      'GET /comisiones': () => json(200, { preguntas: fees.asked }),
      'GET /notificaciones': () => json(200, notifications.state),
      'GET /cola': () => json(200, { mensajes: queue.messages.length }),
      /** Leaves a notice of a sale at the queue, twice where asked, or any text. */
      'POST /cola': (request) => {
        const { venta, vendedor, dosVeces, texto } = (request.data() ?? {}) as Record<string, string | undefined>;
        if (texto !== undefined) queue.pushBody(texto);
        else queue.push(String(venta), { ...(vendedor && { sellerId: vendedor }), twice: Boolean(dosVeces) });
        return json(200, { mensajes: queue.messages.length });
      },
      ...catalog.control,
      ...guias.control,
      'GET /mensajes': () => json(200, messages.sent),
    },
    counts: () => ({ Ventas: ventas.length, Publicaciones: listings.todas.size }),
    refusal: (fault) => no(400, fault.code ?? 'InvalidInput', String(fault.message ?? 'Invalid')),
    failure,
    truth: () => ventas.map((venta) => truthOf(venta, interruptores.is('comision', 'conIva'))),
    deposits: () => settlements.deposits(),
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
      pricing.reset();
      fees.reset();
      if (publicaciones) listings.seed();
      settlements.reset();
      reports.reset();
      files.reset();
      feeds.reset();
      notifications.state = emptyNotifications();
      queue.messages = [];
      catalog.reset();
      guias.reset();
      reloj.reset();
      begin();
      changed();
    },
  };
}
