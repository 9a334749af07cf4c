/** Calls per second and bucket of each operation, as documented. The account's real limit may be another, and its answers tell it. */
export const RITMOS = {
  searchOrders: { perSecond: 0.0056, burst: 20 },
  getOrder: { perSecond: 0.5, burst: 30 },
  listTransactions: { perSecond: 0.5, burst: 10 },
  confirmShipment: { perSecond: 2, burst: 10 },
  getMessagingActionsForOrder: { perSecond: 1, burst: 5 },
  createUploadDestination: { perSecond: 10, burst: 10 },
  sendInvoice: { perSecond: 1, burst: 5 },
  notifications: { perSecond: 1, burst: 5 },
  getReports: { perSecond: 0.0222, burst: 10 },
  getReportDocument: { perSecond: 0.0167, burst: 15 },
  createReport: { perSecond: 0.0167, burst: 15 },
  getReport: { perSecond: 2, burst: 15 },
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
export type Operacion = keyof typeof RITMOS;

/** The pace of calls. The keeper of the limits of all processes implements it. */
export interface Ritmo {
  /** Waits for the turn of one call. */
  take(operacion: Operacion): Promise<void>;
  /** Notes the limit that an answer told. */
  told(operacion: Operacion, perSecond: number): void;
  /** Notes that Amazon said that the bucket is empty. */
  spent(operacion: Operacion): Promise<void>;
}

/** The pace of one process alone, which trusts Amazon to refuse a call too many. */
export const SIN_RITMO: Ritmo = {
  take: () => Promise.resolve(),
  told: () => undefined,
  spent: () => Promise.resolve(),
};

/** Returns the limit that an answer tells; undefined without one. */
export function limitOf(headers: Headers): number | undefined {
  const perSecond = Number(headers.get('x-amzn-ratelimit-limit') ?? Number.NaN);
  return perSecond > 0 && Number.isFinite(perSecond) ? perSecond : undefined;
}
