import type { Market } from '~/core/market';
import { liquidacionesAmz } from './amz/liquidaciones.server';
import type { FuenteDeLiquidaciones } from './liquidacion';
import { liquidacionesMl } from './ml/liquidaciones.server';

const FUENTES = new Map<Market, FuenteDeLiquidaciones>(
  [liquidacionesMl, liquidacionesAmz].map((fuente) => [fuente.market, fuente]),
);

/** Every marketplace that tells what it paid out. */
export const listLiquidaciones = (): FuenteDeLiquidaciones[] => [...FUENTES.values()];

export const liquidacionesOf = (market: Market): FuenteDeLiquidaciones | undefined => FUENTES.get(market);

/** Takes one in, in the place of the one of its marketplace, and returns how to undo it. */
export function registerLiquidaciones(fuente: FuenteDeLiquidaciones): () => void {
  const before = FUENTES.get(fuente.market);
  FUENTES.set(fuente.market, fuente);
  return () => void (before ? FUENTES.set(fuente.market, before) : FUENTES.delete(fuente.market));
}
