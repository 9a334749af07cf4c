import type { z } from 'zod';
import { Refused } from '../errors';
import type { Money } from '~/core/money';
import {
  Descripcion,
  PaginaDeItems,
  precioDeLista,
  PrecioDeVenta,
  PrecioParaGanar,
  Precios,
  Publicado,
  Varios,
} from './wirePublicacion';

/** Most listings in one answer. */
export const POR_LECTURA = 20;
export const POR_PAGINA = 100;
/** The last offset of a list. */
export const ULTIMO = 1_000;

type Leer = <S extends z.ZodType>(path: string, what: string, schema: S) => Promise<{ doc: z.output<S>; raw: unknown }>;

/** A listing that was asked for: as it stands, gone, or why it was not understood. `raw` is the answer as it came. */
export type Leido =
  { id: string; doc: Publicado; raw: unknown } | { id: string; falta: true } | { id: string; ilegible: string };

/** Reads of the seller's own listings. */
export const lecturasOfPublicaciones = (read: Leer, seller: () => Promise<string>) => ({
  /** Lists a page of all listings. The scroll lives for five minutes; a page without results ends it. */
  async escanear(scroll: string | null): Promise<{ ids: string[]; scroll: string | null; total: number }> {
    const query = new URLSearchParams({
      search_type: 'scan',
      ...(scroll ? { scroll_id: scroll } : { limit: String(POR_PAGINA) }),
    });
    const { doc } = await read(`/users/${await seller()}/items/search?${query}`, 'items/search', PaginaDeItems);
    return { ids: doc.results ?? [], scroll: doc.scroll_id ?? null, total: doc.paging.total };
  },

  /** Lists the listings that changed last, the newest first. */
  async ultimas(offset: number, limit: number): Promise<string[]> {
    const query = new URLSearchParams({
      orders: 'last_updated_desc',
      limit: String(limit),
      offset: String(offset),
    });
    const { doc } = await read(`/users/${await seller()}/items/search?${query}`, 'items/search', PaginaDeItems);
    return doc.results ?? [];
  },

  /** Finds the seller's listings with a sku. */
  async conSku(sku: string): Promise<string[]> {
    const query = new URLSearchParams({ seller_sku: sku, limit: String(POR_PAGINA) });
    const { doc } = await read(`/users/${await seller()}/items/search?${query}`, 'items/search', PaginaDeItems);
    return doc.results ?? [];
  },

  /** Reads at most twenty listings, in the order in which they were asked for. */
  async varios(ids: readonly string[]): Promise<Leido[]> {
    const { doc } = await read(
      `/items?ids=${ids.map(encodeURIComponent).join(',')}&include_attributes=all`,
      'items',
      Varios,
    );
    const quien = await seller();
    return ids.map((id, n): Leido => {
      const one = doc[n];
      if (!one || one.code === 404) return { id, falta: true };
      if (one.code !== 200) return { id, ilegible: `contestó ${one.code}` };
      const parsed = Publicado.safeParse(one.body);
      if (!parsed.success || parsed.data.id !== id)
        return { id, ilegible: parsed.error?.issues[0]?.message ?? 'es otra' };
      // A notice may name anybody's listing: only ours are returned.
      if (parsed.data.seller_id != null && parsed.data.seller_id !== quien) return { id, falta: true };
      return { id, doc: parsed.data, raw: one.body };
    });
  },

  /** Reads the text of a listing; null when it never had one. */
  async descripcion(id: string): Promise<string | null> {
    try {
      const { doc } = await read(`/items/${encodeURIComponent(id)}/description`, 'items/description', Descripcion);
      return doc.plain_text ?? null;
    } catch (error) {
      if (error instanceof Refused && error.details.status === 404) return null;
      throw error;
    }
  },

  /** Reads the list price of a listing whose document brings none; null where there is none. */
  async precioDeLista(id: string): Promise<Money | null> {
    const { doc } = await read(`/items/${encodeURIComponent(id)}/prices`, 'items/prices', Precios);
    return precioDeLista(doc);
  },

  /** Reads the price that a buyer of the marketplace pays now; null where it tells none. */
  async precioDeVenta(id: string): Promise<Money | null> {
    try {
      const path = `/items/${encodeURIComponent(id)}/sale_price?context=channel_marketplace`;
      return (await read(path, 'items/sale_price', PrecioDeVenta)).doc.amount;
    } catch (error) {
      if (error instanceof Refused && error.details.status === 404) return null;
      throw error;
    }
  },

  /** Reads how a listing stands on its catalogue page, and the price that would win there. */
  async precioParaGanar(id: string): Promise<PrecioParaGanar> {
    const path = `/items/${encodeURIComponent(id)}/price_to_win?siteId=MLM&version=v2`;
    return (await read(path, 'items/price_to_win', PrecioParaGanar)).doc;
  },

  async una(id: string): Promise<{ doc: Publicado; raw: unknown }> {
    return await read(`/items/${encodeURIComponent(id)}?include_attributes=all`, 'items', Publicado);
  },
});
