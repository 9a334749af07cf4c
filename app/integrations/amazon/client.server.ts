import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { MEXICO } from './marketplace';
import { OneOrder, Order, Participations, SearchPage, type Transaction, Transactions } from './wire';

export { MEXICO };

/** The blocks of a sale that are asked for: a block without its name does not come. */
const BLOQUES = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'TAX',
  'PAYMENT',
];
const POR_PAGINA = 100;
/** Age below which no upper bound is sent: a bound has to be two minutes old by Amazon's clock, not by ours. */
const RECIENTE_MS = 10 * 60_000;
/** Most pages of the movements of one sale, empty pages included. */
const MAX_PAGINAS = 50;

export type Ventana = { from: Date; to: Date };
/** A row of the search with its whole document, which is read when its turn comes. */
export type Fila = { id: string; version: Date | null; raw: unknown };
export type Pagina = { filas: Fila[]; siguiente: string | null };

/** Reads of Amazon México for the linked seller. No read changes anything there. */
export function createAmazon(options: LlamadaOptions) {
  const call = createLlamada(options);

  async function read(...[llamada, what]: Parameters<typeof call>): Promise<unknown> {
    return readJson(await call(llamada, what), what);
  }

  return {
    /** Returns the id of the linked seller. */
    seller: async () => (await options.tokens.current()).sellerId,

    /** Lists a page of the sales that changed in a window. The token of a page belongs to the same window and lives a day. */
    async searchOrders({ from, to }: Ventana, pagina: string | null = null, now = new Date()): Promise<Pagina> {
      const json = await read(
        {
          operacion: 'searchOrders',
          method: 'GET',
          path: '/orders/2026-01-01/orders',
          query: {
            marketplaceIds: [MEXICO],
            lastUpdatedAfter: secondOf(from),
            lastUpdatedBefore: now.getTime() - to.getTime() > RECIENTE_MS ? secondOf(to) : undefined,
            maxResultsPerPage: String(POR_PAGINA),
            includedData: BLOQUES,
            paginationToken: pagina ?? undefined,
          },
        },
        'búsqueda de ventas',
      );
      const page = readShape(SearchPage, json, 'búsqueda de ventas');
      const raws = (json as { orders: unknown[] }).orders;
      return {
        filas: page.orders.map(({ orderId, lastUpdatedTime }, n) => ({
          id: orderId,
          version: lastUpdatedTime ?? null,
          raw: raws[n],
        })),
        siguiente: page.pagination?.nextToken ?? null,
      };
    },

    /** Reads a sale as it came; `readOrder` understands it. */
    async getOrder(id: string): Promise<unknown> {
      const json = await read(
        {
          operacion: 'getOrder',
          method: 'GET',
          path: `/orders/2026-01-01/orders/${encoded(id)}`,
          query: { includedData: BLOQUES },
        },
        'venta',
      );
      readShape(OneOrder, json, 'venta');
      return (json as { order: unknown }).order;
    },

    /** Reads the movements of one sale. A page may come empty and go on. */
    async transactionsOf(orderId: string): Promise<Transaction[]> {
      const found: Transaction[] = [];
      let siguiente: string | null = null;
      for (let n = 0; n < MAX_PAGINAS; n++) {
        const json: unknown = await read(
          {
            operacion: 'listTransactions',
            method: 'GET',
            path: '/finances/2024-06-19/transactions',
            query: {
              relatedIdentifierName: 'ORDER_ID',
              relatedIdentifierValue: orderId,
              nextToken: siguiente ?? undefined,
            },
          },
          'movimientos de la venta',
        );
        const { payload } = readShape(Transactions, json, 'movimientos de la venta');
        found.push(...payload.transactions);
        siguiente = payload.nextToken;
        if (siguiente === null) break;
      }
      return found;
    },

    /** Lists the shops of the account, by marketplace. */
    async participations() {
      const json = await read(
        { operacion: 'getMarketplaceParticipations', method: 'GET', path: '/sellers/v1/marketplaceParticipations' },
        'cuenta',
      );
      return readShape(Participations, json, 'cuenta').payload.map(({ marketplace, storeName, participation }) => ({
        marketplaceId: marketplace.id,
        tienda: storeName,
        participa: participation?.isParticipating ?? true,
      }));
    },
  };
}

export type Amazon = ReturnType<typeof createAmazon>;

export const readOrder = (raw: unknown): Order => readShape(Order, raw, 'venta');

/** Writes an instant in whole seconds, as the samples do. */
const secondOf = (instant: Date) => instant.toISOString().replace(/\.\d+Z$/, 'Z');
