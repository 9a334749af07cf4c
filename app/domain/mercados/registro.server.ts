import type { Market } from '~/core/market';
import type { EfectosDeMercado } from './efectos';
import type { Fuente } from './mercado';
import type { DetalleDeDocumento } from './venta';
import { fuenteAmz } from './amz/fuente.server';
import { fuenteMl } from './ml/fuente.server';

/** The adapters of this installation. A new marketplace is a line here and one in `MERCADOS`. */
const FUENTES = new Map<Market, Fuente>([fuenteMl, fuenteAmz].map((fuente) => [fuente.market, fuente]));

/** Returns every marketplace that has an adapter, linked or not. */
export const listFuentes = (): Fuente[] => [...FUENTES.values()];

/** Returns the adapter of a marketplace. Throws an Error where there is none, which is a mistake of the program. */
export function fuenteOf(market: Market): Fuente {
  const fuente = FUENTES.get(market);
  if (!fuente) throw new Error(`no hay adaptador para ${market}`);
  return fuente;
}

/** Returns the adapter whose runs, cursors and notices carry this name; undefined for a name of another far side. */
export const findFuente = (source: string): Fuente | undefined =>
  listFuentes().find((fuente) => fuente.source === source);

/** Returns of a kept document of a sale what its dialog shows: nothing where the adapter reads no documents. */
export const readDocumento = (market: Market, documento: unknown): DetalleDeDocumento =>
  FUENTES.get(market)?.readDocumento?.(documento) ?? { pagos: [], lugares: [], cancelacion: null };

/** Puts an adapter in the place of the one of its marketplace, and returns how to undo it. */
export function registerFuente(fuente: Fuente): () => void {
  const before = FUENTES.get(fuente.market);
  FUENTES.set(fuente.market, fuente);
  return () => void (before ? FUENTES.set(fuente.market, before) : FUENTES.delete(fuente.market));
}

/** The effects of one act, a definition for each marketplace that does it. */
export type PerMarket<D> = {
  /** The definition of this marketplace; undefined where the marketplace does not do the act. */
  of(market: Market): D | undefined;
  /** The definition of this marketplace; throws an Error where the marketplace does not do the act, which is a mistake of the program. */
  require(market: Market): D;
  all(): D[];
};

/**
 * Defines an effect once for every marketplace: `define` joins what the noun's room owns to the act of an adapter. A marketplace that is
 * registered later gets its definition when it is first asked for.
 */
export function perMarket<A extends object, D>(
  actoOf: (efectos: EfectosDeMercado) => A | undefined,
  define: (acto: A, market: Market) => D,
): PerMarket<D> {
  const made = new WeakMap<A, D>();
  const of = (market: Market): D | undefined => {
    const acto = actoOf(FUENTES.get(market)?.efectos ?? {});
    if (!acto) return undefined;
    const definition = made.get(acto) ?? define(acto, market);
    made.set(acto, definition);
    return definition;
  };
  return {
    of,
    require(market) {
      const definition = of(market);
      if (!definition) throw new Error(`${market} no hace esto`);
      return definition;
    },
    all: () => listFuentes().flatMap(({ market }) => of(market) ?? []),
  };
}
