import type { z } from 'zod';
import { Refused, Unavailable, Uncertain } from '../errors';
import { exchange, type HttpAnswer } from '../http.server';
import { failureOf, readJson, readShape } from './answer';
import { atencionReads } from './atencionReads.server';
import { lecturasDeCuenta } from './lugares.server';
import { lecturasDePromociones } from './promociones.server';
import { lecturasOfPublicaciones } from './publicacionesReads.server';
import { callWithToken } from './refusals.server';
import type { Access, Tokens } from './tokens';
import {
  BillingInfo,
  MissedFeeds,
  Order,
  OrderDiscounts,
  OrderShipments,
  Pack,
  PaymentDetail,
  SearchPage,
  Shipment,
  ShipmentCosts,
  ShipmentItems,
  ShipmentPayments,
  User,
  rowVersion,
} from './wire';
import { porLugarOf, StockPorLugar } from './wireLugares';
import { Conversation, conversationOf } from './wireWrite';

export type MercadolibreOptions = { baseUrl: string; paymentsUrl: string; tokens: Tokens; timeoutMs?: number };

/** An answer: the fields that we use (`doc`), and the document as it came (`raw`). */
export type Read<T> = { doc: T; raw: unknown };
/** An answer that may be partial (206). `missing` names the blocks that it could not tell: they are absent or empty in it. */
export type OrderRead = Read<Order> & { missing: string[] };
export type SearchWindow = { from: Date; to: Date };

const PAGE = 50;

/**
 * Reads of Mercado Libre for the linked seller. No read changes anything there, so a lost answer is `Unavailable` and never `Uncertain`.
 */
export function createMercadolibre({ baseUrl, paymentsUrl, tokens, timeoutMs = 20_000 }: MercadolibreOptions) {
  async function ask(url: string, access: Access, headers: Record<string, string>): Promise<HttpAnswer> {
    try {
      return await exchange({
        side: url.startsWith(baseUrl)
          ? { name: 'mercadolibre', root: baseUrl }
          : { name: 'mercadopago', root: paymentsUrl },
        method: 'GET',
        url,
        headers: { accept: 'application/json', authorization: `Bearer ${access.token}`, ...headers },
        timeoutMs,
      });
    } catch (error) {
      if (error instanceof Uncertain)
        throw new Unavailable(`Mercado Libre no contestó (${error.message})`, { cause: error });
      throw error;
    }
  }

  async function get(url: string, what: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const call = (access: Access) => ask(url, access, headers);
    // The payments host may not take this token: its no says nothing about the link.
    const answer = url.startsWith(baseUrl)
      ? await callWithToken(tokens, { baseUrl, timeoutMs }, call)
      : await call(await tokens.current());
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, what);
    return answer;
  }

  async function read<S extends z.ZodType>(
    url: string,
    what: string,
    schema: S,
    headers?: Record<string, string>,
  ): Promise<Read<z.output<S>>> {
    const raw = readJson(await get(url, what, headers), what);
    return { doc: readShape(schema, raw, what), raw };
  }

  const seller = async () => (await tokens.current()).sellerId;

  return {
    ...atencionReads((path, what, schema) => read(`${baseUrl}${path}`, what, schema), seller),

    /** Returns the id of the linked seller. */
    seller,

    /** Reads the messages of a sale, the oldest first, and leaves them unread for the people who answer; null while there is no conversation. */
    async getConversation(pack: string) {
      const owner = await seller();
      const path = `/messages/packs/${encodeURIComponent(pack)}/sellers/${encodeURIComponent(owner)}`;
      try {
        const { doc } = await read(
          `${baseUrl}${path}?tag=post_sale&mark_as_read=false&limit=50&offset=0`,
          'messages',
          Conversation,
        );
        return conversationOf(doc, owner);
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },

    publicaciones: lecturasOfPublicaciones(
      (path, what, schema) => read(`${baseUrl}${path}`, what, schema),
      async () => (await tokens.current()).sellerId,
    ),

    promociones: lecturasDePromociones(
      async (path, what, schema) => (await read(`${baseUrl}${path}`, what, schema)).doc,
    ),

    cuenta: lecturasDeCuenta(async (path, what, schema) => (await read(`${baseUrl}${path}`, what, schema)).doc, tokens),

    /** Reads where the pieces of a user product lie. A user product without first pieces has no places. */
    async stockPorLugar(producto: string) {
      const path = `/user-products/${encodeURIComponent(producto)}/stock`;
      try {
        return porLugarOf((await read(`${baseUrl}${path}`, 'user-products/stock', StockPorLugar)).doc.locations);
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return porLugarOf([]);
        throw error;
      }
    },

    usersMe: async () => (await read(`${baseUrl}/users/me`, 'users/me', User)).doc,

    /**
     * Lists a page of the orders touched in a window: their ids and dates, the only fields of a search that can be believed. The vendor looks at
     * the hour alone, so the window is widened to whole hours. Cancelled orders come only when `status` asks for them. `created` narrows the page
     * to the orders created in it.
     */
    async searchOrders(window: SearchWindow, filter: { status?: string; created?: SearchWindow }, offset: number) {
      const query = new URLSearchParams({
        seller: (await tokens.current()).sellerId,
        'order.date_last_updated.from': hourBefore(window.from),
        'order.date_last_updated.to': hourAfter(window.to),
        sort: 'date_asc',
        offset: String(offset),
        limit: String(PAGE),
      });
      if (filter.status) query.set('order.status', filter.status);
      if (filter.created) {
        query.set('order.date_created.from', hourBefore(filter.created.from));
        query.set('order.date_created.to', hourAfter(filter.created.to));
      }
      const { doc } = await read(`${baseUrl}/orders/search?${query}`, 'orders/search', SearchPage);
      return { total: doc.paging.total, orders: doc.results.map((row) => ({ id: row.id, version: rowVersion(row) })) };
    },

    async getOrder(id: string): Promise<OrderRead> {
      const answer = await get(`${baseUrl}/orders/${encodeURIComponent(id)}`, 'orders');
      const raw = readJson(answer, 'orders');
      const missing =
        answer.status === 206 ? (answer.headers.get('x-content-missing') ?? '').split(/[\s,;]+/).filter(Boolean) : [];
      return { doc: readShape(Order, raw, 'orders'), raw, missing };
    },

    getPack: async (id: string) => (await read(`${baseUrl}/packs/${encodeURIComponent(id)}`, 'packs', Pack)).doc,

    getShipment: (id: string) =>
      read(`${baseUrl}/shipments/${encodeURIComponent(id)}`, 'shipments', Shipment, { 'x-format-new': 'true' }),

    getShipmentCosts: async (id: string) =>
      (
        await read(`${baseUrl}/shipments/${encodeURIComponent(id)}/costs`, 'shipments/costs', ShipmentCosts, {
          'x-format-new': 'true',
        })
      ).doc,

    /** Reads the payments for the shipping of a cart. A shipment outside of a cart may be answered with a 404. */
    async getShipmentPayments(id: string): Promise<ShipmentPayments> {
      try {
        const url = `${baseUrl}/shipments/${encodeURIComponent(id)}/payments`;
        return (await read(url, 'shipments/payments', ShipmentPayments, { 'x-format-new': 'true' })).doc;
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return [];
        throw error;
      }
    },

    /** Lists the orders that travel in a shipment. */
    async getShipmentOrders(id: string): Promise<string[]> {
      const { doc } = await read(
        `${baseUrl}/shipments/${encodeURIComponent(id)}/items`,
        'shipments/items',
        ShipmentItems,
        { 'x-format-new': 'true' },
      );
      return [...new Set(doc.map((item) => item.order_id).filter((orderId): orderId is string => Boolean(orderId)))];
    },

    /** Lists the shipments of an order; empty until the first one is created. */
    async getOrderShipments(id: string) {
      const answer = await get(`${baseUrl}/orders/${encodeURIComponent(id)}/shipments`, 'orders/shipments', {
        'x-new-domain': 'true',
      });
      if (answer.status === 204 || answer.body.length === 0) return [];
      return readShape(OrderShipments, readJson(answer, 'orders/shipments'), 'orders/shipments');
    },

    /** Reads who pays the discounts of an order. An order without any may be answered with a 404. */
    async getOrderDiscounts(id: string): Promise<OrderDiscounts> {
      try {
        const url = `${baseUrl}/orders/${encodeURIComponent(id)}/discounts`;
        return (await read(url, 'orders/discounts', OrderDiscounts)).doc;
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return { details: [] };
        throw error;
      }
    },

    getBillingInfo: async (id: string) =>
      (await read(`${baseUrl}/orders/billing-info/MLM/${encodeURIComponent(id)}`, 'billing-info', BillingInfo)).doc,

    /** Reads a payment from the payments host, which tells the withholding. */
    getPayment: async (id: string) =>
      (await read(`${paymentsUrl}/v1/payments/${encodeURIComponent(id)}`, 'payments', PaymentDetail)).doc,

    /** Lists the notices that nobody answered; Mercado Libre keeps them for two days. */
    async missedFeeds(appId: string, topic: string, offset: number) {
      const query = new URLSearchParams({ app_id: appId, topic, offset: String(offset), limit: String(PAGE) });
      const { doc } = await read(`${baseUrl}/missed_feeds?${query}`, 'missed_feeds', MissedFeeds);
      return doc.messages ?? [];
    },
  };
}

export type Mercadolibre = ReturnType<typeof createMercadolibre>;

const HOUR = 3_600_000;
const hourBefore = (instant: Date) => new Date(Math.floor(instant.getTime() / HOUR) * HOUR).toISOString();
const hourAfter = (instant: Date) => new Date(Math.ceil(instant.getTime() / HOUR) * HOUR).toISOString();
