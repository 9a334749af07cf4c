import type { z } from 'zod';
import { Refused, Unavailable, Uncertain } from '../errors';
import { exchange, type HttpAnswer } from '../http.server';
import { failureOf, readJson, readShape } from './answer';
import { lecturasDeCuenta } from './lugares.server';
import { callWithToken } from './refusals.server';
import type { Access, Tokens } from './tokens';
import {
  Attributes,
  Category,
  type Causa,
  causasOf,
  Conditional,
  Fees,
  Item,
  Predictions,
  Roots,
  SellerTags,
  ShippingPreferences,
} from './wireItems';

export type CategoriasOptions = { baseUrl: string; tokens: Tokens; timeoutMs?: number };

const SITE = 'MLM';
/** The mode in which Mercado Libre sends comes before those in which the seller does. */
const MODES = ['me2', 'me1', 'custom', 'not_specified'] as const;
/** Chosen per listing, the likeliest first; any other kind comes before them. */
const CHOSEN_PER_LISTING = ['self_service', 'turbo', 'fulfillment'];

/** The questions before something is put on sale. No question changes anything at Mercado Libre, so a lost answer is `Unavailable`. */
export function createCategorias({ baseUrl, tokens, timeoutMs = 20_000 }: CategoriasOptions) {
  async function ask(path: string, json?: unknown): Promise<HttpAnswer> {
    const call = async ({ token }: Access) => {
      try {
        return await exchange({
          side: { name: 'mercadolibre', root: baseUrl },
          method: json === undefined ? 'GET' : 'POST',
          url: `${baseUrl}${path}`,
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${token}`,
            ...(json !== undefined && { 'content-type': 'application/json' }),
          },
          body: json === undefined ? undefined : JSON.stringify(json),
          timeoutMs,
        });
      } catch (error) {
        if (error instanceof Uncertain)
          throw new Unavailable(`Mercado Libre no contestó (${error.message})`, { cause: error });
        throw error;
      }
    };
    return await callWithToken(tokens, { baseUrl, timeoutMs }, call);
  }

  async function read<S extends z.ZodType>(
    path: string,
    what: string,
    schema: S,
    json?: unknown,
  ): Promise<z.output<S>> {
    const answer = await ask(path, json);
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, what);
    return readShape(schema, readJson(answer, what), what);
  }

  const readSeller = () => read('/users/me', 'users/me', SellerTags);

  /** Reads how a new listing of the account is sent. Flex and FULL are chosen per listing, and a new listing has neither. */
  async function readShipping() {
    const { id } = await readSeller();
    const path = `/users/${encodeURIComponent(id)}/shipping_preferences`;
    const { logistics } = await read(path, 'shipping_preferences', ShippingPreferences);
    const suya = MODES.map((mode) => logistics.find((one) => one.mode === mode)).find((one) => one !== undefined);
    const rankOf = (type: string) => CHOSEN_PER_LISTING.indexOf(type);
    const type = suya?.types.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
    return { ...(suya && { shipping_mode: suya.mode }), ...(type !== undefined && { logistic_type: type }) };
  }
  /** Read once for the life of this object, which is that of one page. */
  let shipping: ReturnType<typeof readShipping> | undefined;

  return {
    roots: () => read(`/sites/${SITE}/categories`, 'categories', Roots),

    /** Reads a category; null when no category has that id. */
    async category(id: string): Promise<z.output<typeof Category> | null> {
      try {
        return await read(`/categories/${encodeURIComponent(id)}`, 'categories', Category);
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },

    /** Reads a listing as it stands; null when there is none. */
    async item(id: string): Promise<Item | null> {
      try {
        return await read(`/items/${encodeURIComponent(id)}`, 'items', Item);
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },

    attributes: (id: string) => read(`/categories/${encodeURIComponent(id)}/attributes`, 'attributes', Attributes),

    /** Predicts categories for a text, the best first; empty for a text that is not understood. */
    predict: (title: string) =>
      read(
        `/sites/${SITE}/domain_discovery/search?${new URLSearchParams({ q: title, limit: '8' })}`,
        'domain_discovery',
        Predictions,
      ),

    /** Returns the attributes that a listing must have because of its other attributes. */
    async conditional(id: string, item: unknown): Promise<string[]> {
      const path = `/categories/${encodeURIComponent(id)}/attributes/conditional`;
      return (await read(path, 'attributes/conditional', Conditional, item)).required_attributes.map((one) => one.id);
    },

    /** Returns the reasons that keep a listing from being taken; empty when it may be sent. */
    async validate(item: unknown): Promise<Causa[]> {
      const answer = await ask('/items/validate', item);
      if (answer.status >= 200 && answer.status <= 299) return [];
      if (answer.status !== 400) throw failureOf(answer, 'items/validate');
      const causas = causasOf(readJson(answer, 'items/validate'));
      // A no without any reason would read as a yes.
      if (causas.length === 0) throw failureOf(answer, 'items/validate');
      return causas;
    },

    /**
     * Returns the commission of a sale at this price, in pesos, as the account sends. Since 2026-04-08 the fixed part in México depends on mode and logistics:
     * a question without them is answered with another figure.
     */
    async fee({ precio, categoria, tipo }: { precio: string; categoria: string; tipo: string }) {
      const query = new URLSearchParams({
        price: precio,
        category_id: categoria,
        listing_type_id: tipo,
        currency_id: 'MXN',
        ...(await (shipping ??= readShipping())),
      });
      const fees = await read(`/sites/${SITE}/listing_prices?${query}`, 'listing_prices', Fees);
      return fees.find(({ listing_type_id: one }) => one === tipo || fees.length === 1)?.sale_fee_amount ?? null;
    },

    cuenta: lecturasDeCuenta(read, tokens),
  };
}

export type Categorias = ReturnType<typeof createCategorias>;
