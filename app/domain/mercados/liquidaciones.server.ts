import type { Market } from '~/core/market';
import type { FuenteDeLiquidaciones } from './liquidacion';
import { fuenteOf, listFuentes } from './registro.server';

/** Readers that stand in the place of an adapter's own. */
const INSTEAD = new Map<Market, FuenteDeLiquidaciones>();

/** Returns what a marketplace tells of the money it paid out; undefined where it tells nothing. */
export const liquidacionesOf = (market: Market): FuenteDeLiquidaciones | undefined =>
  INSTEAD.get(market) ?? fuenteOf(market).liquidaciones;

/** Returns the same for every marketplace that tells it. */
export const listLiquidaciones = (): FuenteDeLiquidaciones[] =>
  listFuentes().flatMap(({ market }) => liquidacionesOf(market) ?? []);

/** Puts a reader in the place of the one of its marketplace, and returns how to undo it. */
export function registerLiquidaciones(fuente: FuenteDeLiquidaciones): () => void {
  INSTEAD.set(fuente.market, fuente);
  return () => void INSTEAD.delete(fuente.market);
}
