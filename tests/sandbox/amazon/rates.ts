import { json, type SandboxResponse } from '../service';

/** Documented limits of each operation: calls per second that refill its bucket, and the size of the bucket. */
export const RATES = {
  searchOrders: { perSecond: 0.0056, burst: 20 },
  getOrder: { perSecond: 0.5, burst: 30 },
  listTransactions: { perSecond: 0.5, burst: 10 },
  confirmShipment: { perSecond: 2, burst: 10 },
  getMessagingActionsForOrder: { perSecond: 1, burst: 5 },
  createUploadDestination: { perSecond: 10, burst: 10 },
  sendInvoice: { perSecond: 1, burst: 5 },
  notifications: { perSecond: 1, burst: 5 },
  getReports: { perSecond: 0.0222, burst: 10 },
  createReport: { perSecond: 0.0167, burst: 15 },
  getReport: { perSecond: 2, burst: 15 },
  getReportDocument: { perSecond: 0.0167, burst: 15 },
  getListingsItem: { perSecond: 5, burst: 10 },
  patchListingsItem: { perSecond: 5, burst: 5 },
  putListingsItem: { perSecond: 5, burst: 10 },
  createFeedDocument: { perSecond: 0.5, burst: 15 },
  createFeed: { perSecond: 0.0083, burst: 15 },
  getFeed: { perSecond: 2, burst: 15 },
  cancelFeed: { perSecond: 2, burst: 15 },
  getFeeds: { perSecond: 0.0222, burst: 10 },
  getFeedDocument: { perSecond: 0.0222, burst: 10 },
  searchDefinitionsProductTypes: { perSecond: 5, burst: 10 },
  getDefinitionsProductType: { perSecond: 5, burst: 10 },
  searchCatalogItems: { perSecond: 2, burst: 2 },
  getCatalogItem: { perSecond: 2, burst: 2 },
  searchListingsItems: { perSecond: 5, burst: 5 },
  getFeaturedOfferExpectedPriceBatch: { perSecond: 0.033, burst: 1 },
  getMyFeesEstimates: { perSecond: 0.5, burst: 1 },
  createRestrictedDataToken: { perSecond: 1, burst: 10 },
  getEligibleShipmentServices: { perSecond: 6, burst: 12 },
  createShipment: { perSecond: 2, burst: 2 },
  getShipment: { perSecond: 1, burst: 1 },
  cancelShipment: { perSecond: 1, burst: 1 },
  getMarketplaceParticipations: { perSecond: 0.016, burst: 15 },
} as const;
export type Operation = keyof typeof RATES;

export const QUOTA = 'You exceeded your quota for the requested resource.';

/** A bucket of calls for each operation. `factor` makes the limits higher or lower than the documented ones. */
export class Rates {
  factor = 1;
  refused = 0;
  readonly asked: Partial<Record<Operation, number>> = {};
  readonly #buckets = new Map<Operation, { tokens: number; at: number }>();

  constructor(readonly now: () => number) {}

  /** The header by which an answer tells the limit of its operation. */
  headerOf = (operation: Operation) => ({
    'x-amzn-ratelimit-limit': String(RATES[operation].perSecond * this.factor),
  });

  /** Counts a call. Returns its refusal when the bucket is empty; undefined when the call may pass. */
  take(operation: Operation, told: boolean): SandboxResponse | undefined {
    this.asked[operation] = (this.asked[operation] ?? 0) + 1;
    const { perSecond, burst } = RATES[operation];
    const full = Math.max(1, burst * this.factor);
    const now = this.now();
    const before = this.#buckets.get(operation) ?? { tokens: full, at: now };
    const tokens = Math.min(full, before.tokens + ((now - before.at) / 1000) * perSecond * this.factor);
    this.#buckets.set(operation, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    if (tokens >= 1) return undefined;
    this.refused++;
    return json(
      429,
      { errors: [{ code: 'QuotaExceeded', message: QUOTA, details: '' }] },
      told ? this.headerOf(operation) : {},
    );
  }

  reset() {
    this.#buckets.clear();
    this.factor = 1;
    this.refused = 0;
    for (const operation of Object.keys(this.asked) as Operation[]) delete this.asked[operation];
  }
}
