import type { Market } from '~/core/market';
import type { Fuente } from './mercado';
import { fuenteAmz } from './amz/fuente.server';
import { fuenteMl } from './ml/fuente.server';

const FUENTES = new Map<Market, Fuente>([fuenteMl, fuenteAmz].map((fuente) => [fuente.market, fuente]));

/** Every marketplace we have an adapter for, linked or not. */
export const listFuentes = (): Fuente[] => [...FUENTES.values()];

export function fuenteOf(market: Market): Fuente {
  const fuente = FUENTES.get(market);
  if (!fuente) throw new Error(`no hay adaptador para ${market}`);
  return fuente;
}

export const findFuente = (source: string): Fuente | undefined =>
  listFuentes().find((fuente) => fuente.source === source);

/** Takes a marketplace in, in the place of the one of its name, and returns how to undo it. */
export function registerFuente(fuente: Fuente): () => void {
  const before = FUENTES.get(fuente.market);
  FUENTES.set(fuente.market, fuente);
  return () => void (before ? FUENTES.set(fuente.market, before) : FUENTES.delete(fuente.market));
}
