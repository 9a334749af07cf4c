/** `npm run bench -- mercados`: one part per subject, in this order; a part adds its file and its line. */
import type { Db } from '~db/client.server';
import type { SandboxClient } from '../../support/sandboxClient';
import type { Figure } from '../figures';
import type { Person, Place } from '../place';
import { benchIdleHour } from './idle';
import { benchLiquidacion } from './liquidacion';
import { benchListado, benchSeguir } from './publicaciones';
import { benchVentasAmz } from './ventasAmz';

/** A worker with both marketplaces linked to nobody yet, and the PAC linked. */
export type Bench = { place: Place; db: Db; owner: Db; person: Person; sandbox: SandboxClient; quick: boolean };

const PARTS: readonly ((bench: Bench) => Promise<Figure[]>)[] = [
  (bench) => benchVentasAmz(bench, bench.quick ? 2_000 : 20_000),
  (bench) => benchLiquidacion(bench, bench.quick ? 2_000 : 20_000),
  // It is quiet only once everything that was sold has been read, and before anything follows its supplier.
  benchIdleHour,
  benchListado,
  benchSeguir,
];

export async function benchMercados(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const part of PARTS) figures.push(...(await part(bench)));
  return figures;
}
