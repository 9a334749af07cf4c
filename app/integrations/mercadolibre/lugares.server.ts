import type { z } from 'zod';
import { Unavailable } from '../errors';
import type { HttpAnswer } from '../http.server';
import { readJson, readShape } from './answer';
import type { Tokens } from './tokens';
import { ConRegla, SellerTags } from './wireItems';
import { type Almacen, almacenesOf, porLugarOf, type PorLugar, StockPorLugar, Tiendas } from './wireLugares';

/** Times that a version may have moved between a read and its write before the change waits. */
const VECES = 3;

type Leer = <S extends z.ZodType>(path: string, what: string, schema: S) => Promise<z.output<S> | null>;

/** Listings in a page of those with a rule, and the pages that are read: more than any account has. */
const REGLAS_POR_PAGINA = 100;
const PAGINAS = 200;

/** Reads of an account: its tags, the stores where its pieces may lie, and the listings whose price a rule moves. */
export const lecturasDeCuenta = (read: Leer, tokens: Tokens) => ({
  async etiquetas(): Promise<string[]> {
    return (await read('/users/me', 'users/me', SellerTags))?.tags ?? [];
  },

  async almacenes(): Promise<Almacen[]> {
    const seller = (await tokens.current()).sellerId;
    const path = `/users/${encodeURIComponent(seller)}/stores/search?tags=stock_location`;
    const said = await read(path, 'stores/search', Tiendas);
    return said ? almacenesOf(said) : [];
  },

  async conRegla(): Promise<string[]> {
    const seller = encodeURIComponent((await tokens.current()).sellerId);
    const claves: string[] = [];
    for (let pagina = 0; pagina < PAGINAS; pagina++) {
      const query = `offset=${pagina * REGLAS_POR_PAGINA}&limit=${REGLAS_POR_PAGINA}`;
      const said = await read(`/pricing-automation/users/${seller}/items?${query}`, 'pricing-automation', ConRegla);
      claves.push(...(said?.items ?? []));
      if (!said || said.items.length < REGLAS_POR_PAGINA) break;
    }
    return claves;
  },
});
export type LecturasDeCuenta = ReturnType<typeof lecturasDeCuenta>;

const stockPath = (producto: string) => `/user-products/${encodeURIComponent(producto)}/stock`;

type Partes = {
  look(path: string): Promise<HttpAnswer>;
  call(request: {
    method: 'POST' | 'PUT';
    path: string;
    json: unknown;
    headers?: Record<string, string>;
  }): Promise<HttpAnswer>;
  isSuccess(answer: HttpAnswer): boolean;
  failureOf(answer: HttpAnswer, what: string): Error;
  readFailureOf(answer: HttpAnswer, what: string): Error;
};

/** The pieces of a user product by place. Amounts are absolute, and only the place that is named changes. */
export function stockPorLugar({ look, call, isSuccess, failureOf, readFailureOf }: Partes) {
  async function read(producto: string): Promise<{ version: string | null; stock: PorLugar }> {
    const answer = await look(stockPath(producto));
    // A user product without first pieces has no places.
    if (answer.status === 404) return { version: null, stock: porLugarOf([]) };
    if (!isSuccess(answer)) throw readFailureOf(answer, 'user-products/stock');
    const { locations } = readShape(StockPorLugar, readJson(answer, 'user-products/stock'), 'user-products/stock');
    return { version: answer.headers.get('x-version'), stock: porLugarOf(locations) };
  }

  return {
    leerStock: async (producto: string): Promise<PorLugar> => (await read(producto)).stock,

    /**
     * Puts the pieces of one store, and returns the places as they stand then. `decide` says by the places that were just read whether there is something to write,
     * and is asked again after each version that moved. Throws Unavailable when the version moved each time.
     */
    async ponerPiezas(
      producto: string,
      { id, nodo }: Almacen,
      decide: (stock: PorLugar) => { piezas: number; nueva: boolean } | null,
    ): Promise<PorLugar> {
      const lugar = { store_id: id, ...(nodo !== null && { network_node_id: nodo }) };
      for (let vez = 0; vez < VECES; vez++) {
        const { version, stock } = await read(producto);
        const toca = decide(stock);
        if (toca === null) return stock;
        const path = `${stockPath(producto)}/type/seller_warehouse`;
        const quantity = toca.piezas;
        // Only a place that is missing is added; a known place is changed by its version.
        const answer = await call({
          ...(toca.nueva
            ? { method: 'POST', json: { ...lugar, quantity } }
            : { method: 'PUT', json: { locations: [{ ...lugar, quantity }] } }),
          path,
          ...(version !== null && { headers: { 'x-version': version } }),
        });
        if (isSuccess(answer)) return (await read(producto)).stock;
        if (answer.status !== 409) throw failureOf(answer, 'user-products/stock');
      }
      throw new Unavailable('Mercado Libre está cambiando el stock de ese producto', {
        status: 409,
        retryAfterMs: 3_000,
      });
    },
  };
}
