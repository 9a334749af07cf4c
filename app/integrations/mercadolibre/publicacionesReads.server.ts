import type { z } from 'zod';
import { PaginaDeItems, Publicado, Varios } from './wirePublicacion';

/** At most so many listings in one answer. */
export const POR_LECTURA = 20;
export const POR_PAGINA = 100;
/** No more can be listed by offset. */
export const ULTIMO = 1_000;

type Leer = <S extends z.ZodType>(path: string, what: string, schema: S) => Promise<{ doc: z.output<S>; raw: unknown }>;

/** One of those that were asked for: as it is, or why it could not be told. `raw`: as it came. */
export type Leido =
  { id: string; doc: Publicado; raw: unknown } | { id: string; falta: true } | { id: string; ilegible: string };

/** What the seller has on sale, as its owner reads it. */
export const lecturasOfPublicaciones = (read: Leer, seller: () => Promise<string>) => ({
  /** A page of all of them. The scroll lives for five minutes; a page without results ends it. */
  async escanear(scroll: string | null): Promise<{ ids: string[]; scroll: string | null; total: number }> {
    const query = new URLSearchParams({
      search_type: 'scan',
      ...(scroll ? { scroll_id: scroll } : { limit: String(POR_PAGINA) }),
    });
    const { doc } = await read(`/users/${await seller()}/items/search?${query}`, 'items/search', PaginaDeItems);
    return { ids: doc.results ?? [], scroll: doc.scroll_id ?? null, total: doc.paging.total };
  },

  /** Those that changed last, the newest first. */
  async ultimas(offset: number, limit: number): Promise<string[]> {
    const query = new URLSearchParams({
      orders: 'last_updated_desc',
      limit: String(limit),
      offset: String(offset),
    });
    const { doc } = await read(`/users/${await seller()}/items/search?${query}`, 'items/search', PaginaDeItems);
    return doc.results ?? [];
  },

  /** Whose sku it is; the seller's listings alone. */
  async conSku(sku: string): Promise<string[]> {
    const query = new URLSearchParams({ seller_sku: sku, limit: String(POR_PAGINA) });
    const { doc } = await read(`/users/${await seller()}/items/search?${query}`, 'items/search', PaginaDeItems);
    return doc.results ?? [];
  },

  /** In the order they were asked for, twenty at most. */
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
      // Anybody may name a listing in a notice: only ours are told.
      if (parsed.data.seller_id != null && parsed.data.seller_id !== quien) return { id, falta: true };
      return { id, doc: parsed.data, raw: one.body };
    });
  },

  async una(id: string): Promise<{ doc: Publicado; raw: unknown }> {
    return await read(`/items/${encodeURIComponent(id)}?include_attributes=all`, 'items', Publicado);
  },
});
