/**
 * The impostor of Mercado Libre (site MLM): authorization page, API, payments host and notifications. Its sales follow from a seed and an anchor date,
 * so the snapshot holds only later changes.
 */
import type { SandboxRequest, Service, ServiceOptions } from '../service';
import { refuse } from './answers';
import { createApi, saleOfNumber } from './api';
import { DEFAULT_SEED, MINUTE } from './constants';
import { createControl } from './control';
import { FiscalDocuments, type FiscalDocument } from './fiscalDocuments';
import { emptyItems, Items, type ItemsState } from './items';
import { Ledger, type LedgerState } from './ledger';
import { Messages, type MessagesState } from './messages';
import { emptyNotifications, Notifier, type NotificationState } from './notifications';
import { emptyOauth, Oauth, type OauthState } from './oauth';
import { pageOf } from './page';
import type { Parts } from './parts';
import { Places } from './places';
import { emptyPromotions, Promotions, type PromotionsState } from './promotions';
import { Published } from './published';
import { Publishing } from './publishing';
import { Claims, emptyClaims, type ClaimsState } from './claims';
import { emptyQuestions, Questions, type QuestionsState } from './questions';
import { emptyReports, Reports, type ReportsState } from './reports';
import type { Sale } from './sale';
import { depositsOf, truthOf } from './truth';
import { QUIET, type Switches } from './switches';

export { CLIENT_ID, CLIENT_SECRET, FOREIGN_ORDER_ID, SELLER_ID } from './constants';
export { SCENARIOS, type ScenarioName } from './scenarios';

export interface MercadolibreOptions extends ServiceOptions {
  /** The present of the demo's sales. The first start of the sandbox stands for an anchor that is not given. */
  anchor?: Date | string;
  seed?: string;
  /** The least number of orders, to which plain ones complete the demo. 0 makes no sales at all. */
  orders?: number;
  /** The length of an hour of a notification's attempts: 1/60 makes it a minute. */
  timeScale?: number;
  now?: () => number;
}

interface Snapshot {
  ledger: LedgerState;
  oauth: OauthState;
  notifications: NotificationState;
  switches: Switches;
  documents: Record<string, FiscalDocument[]>;
  messages?: MessagesState;
  items?: ItemsState;
  promotions?: PromotionsState;
  reports?: ReportsState;
  questions?: QuestionsState;
  claims?: ClaimsState;
}

export function createMercadolibre(options: MercadolibreOptions): Service {
  const { store, seed = DEFAULT_SEED, now = Date.now } = options;
  const timeScale = options.timeScale ?? Number(process.env.SANDBOX_TIME_SCALE ?? 1 / 60);
  const changed = () => store.changed();
  let switches: Switches = { ...QUIET };
  const recent: Sale[] = [];

  function firstDay(): Ledger {
    const anchor = options.anchor === undefined ? now() : new Date(options.anchor).getTime();
    const ledger = new Ledger(seed, { anchor, blocks: [], sales: [], changes: [] }, { demo: options.orders !== 0 });
    const missing = (options.orders ?? 0) - ledger.size;
    if (missing > 0) ledger.grow(missing, anchor);
    return ledger;
  }
  let made: Ledger | undefined;
  const questions = new Questions({
    now,
    changed,
    announce: (id) => notifier.announce('questions', `/questions/${id}`),
  });
  const claims = new Claims({
    now,
    changed,
    announce: (id) => notifier.announce('post_purchase', `post-purchase/v1/claims/${id}`),
  });
  const ledger = () => (made ??= withBuyers(firstDay()));
  function withBuyers(first: Ledger): Ledger {
    if (options.orders === 0) return first;
    questions.plant(first.anchor, first.buyers);
    const sold = first.orders().filter(({ sale, ending }) => ending === null && sale.closedAt !== null);
    claims.plant(
      first.anchor,
      sold.toReversed().map(({ id, line, sale }) => ({
        orderId: id,
        shipmentId: null,
        buyer: sale.buyer.id,
        item: line.product.itemId,
        amount: (line.unit * line.quantity) / 100,
        soldAt: sale.closedAt!,
      })),
    );
    return first;
  }
  // The anchor is the first start, so it is written down at once.
  changed();

  const oauth = new Oauth({ now, switches: () => switches, changed, appUrl: options.appUrl });
  const notifier = new Notifier({ url: options.webhookUrl, now, switches: () => switches, changed, timeScale });
  const documents = new FiscalDocuments({ store, now });
  const messages = new Messages({ now, changed, saleOf: (number) => saleOfNumber(ledger(), number) });
  const items = new Items({ now, changed, switches: () => switches, notifier });
  const begin = () => {
    if (options.orders !== 0) items.seed(options.anchor === undefined ? now() : new Date(options.anchor).getTime());
  };
  begin();
  const publishing = new Publishing(() => switches);
  const published = new Published({ items, publishing, switches: () => switches, now });
  const places = new Places({ items, publishing, published, switches: () => switches });
  const promotions = new Promotions({ items, now, changed, switches: () => switches });
  const reports = new Reports({ ledger, now, changed });
  const parts: Parts = {
    ledger,
    oauth,
    notifier,
    documents,
    messages,
    items,
    publishing,
    published,
    places,
    promotions,
    reports,
    questions,
    claims,
    switches: () => switches,
    now,
    changed,
  };
  const api = createApi(parts);
  const setSwitches = (next: Switches) => {
    switches = next;
    changed();
  };
  const control = createControl({ ...parts, recent, setSwitches });

  function handle(request: SandboxRequest) {
    if (request.prefix !== '/mercadolibre-auth') return api.handle(request);
    return request.path === '/authorization' ? oauth.page(request) : refuse(404, 'not_found', 'not_found');
  }

  return {
    name: 'mercadolibre',
    title: 'Mercado Libre',
    about:
      'Ventas de cuatro meses de un revendedor de videovigilancia y redes, con autorización, envíos, pagos, datos fiscales y avisos.',
    prefixes: ['/mercadolibre', '/mercadolibre-auth', '/mercadopago'],
    faultRoute: '',
    handle,
    control: { ...control, ...reports.control },
    counts() {
      const orders = ledger().orders();
      const today = orders.filter(({ sale }) => sale.createdAt > now() - 24 * 60 * MINUTE).length;
      return { Órdenes: orders.length, 'Últimas 24 horas': today, Publicaciones: items.size };
    },
    page: () => pageOf({ oauth, notifier, recent, sales: () => ledger().sales(), webhookUrl: options.webhookUrl() }),
    refusal: (fault) => refuse(400, fault.code ?? 'bad_request', String(fault.message ?? 'Bad request')),
    failure: (status) => {
      const error =
        status === 429 ? 'local_rate_limited' : status === 503 ? 'service_unavailable' : 'internal_server_error';
      return refuse(status, error, error);
    },
    truth: () => [...ledger().sales()].map(truthOf),
    deposits: () => depositsOf(reports.rows(now())),
    snapshot: (): Snapshot => ({
      ledger: ledger().state,
      oauth: oauth.state,
      notifications: notifier.snapshot(),
      switches,
      documents: documents.state,
      messages: messages.state,
      items: items.state,
      promotions: promotions.state,
      reports: reports.state,
      questions: questions.state,
      claims: claims.state,
    }),
    restore(state) {
      const saved = state as Snapshot;
      made = new Ledger(seed, saved.ledger, { demo: options.orders !== 0 });
      oauth.state = { ...emptyOauth(), ...saved.oauth };
      switches = { ...QUIET, ...saved.switches };
      reports.state = { ...emptyReports(), ...saved.reports };
      documents.state = saved.documents;
      messages.state = saved.messages ?? {};
      if (saved.items) items.state = { ...emptyItems(), ...saved.items };
      promotions.state = saved.promotions ?? emptyPromotions();
      questions.state = saved.questions ?? emptyQuestions();
      claims.state = saved.claims ?? emptyClaims();
      notifier.restore({ ...emptyNotifications(), ...saved.notifications });
      for (const sale of made.sales()) if (sale.live) recent.unshift(sale);
      recent.splice(8);
    },
    reset() {
      store.clear();
      made = undefined;
      oauth.state = emptyOauth();
      notifier.reset();
      documents.state = {};
      messages.state = {};
      items.reset();
      begin();
      publishing.reset();
      promotions.reset();
      reports.reset();
      questions.state = emptyQuestions();
      claims.state = emptyClaims();
      switches = { ...QUIET };
      recent.length = 0;
      changed();
    },
    close: () => notifier.stop(),
  };
}
