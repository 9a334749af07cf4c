import type { Market } from '~/core/market';
import { toInstant } from '~/core/time';
import type { Db } from '~db/client.server';
import { readOrLast } from '~/platform/hoy/leida.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { listFuentes } from '~/domain/mercados/registro.server';
import { listFreshness, type FreshnessState } from './freshness.server';
import { pausedSources } from './internal/pausedSources.server';

/**
 * A source of sales for the browser. `hasta` is the instant until which every sale is here; `motivo` is the last error, in words. `sinLeer` is the state of a
 * source of which nothing could be read just now, and its `hasta` is the last that was known.
 */
export type Fuente = {
  source: string;
  label: string;
  siglas: string;
  estado: FreshnessState | 'enPausa' | 'sinLeer';
  hasta: string | null;
  motivo: string | null;
  sinLeer: number;
};
/** Every source of sales as the browser shows it; `ahora` is the instant from which ages are told. */
export type Fuentes = { ahora: string; fuentes: Fuente[] };

/** Every screen shows the sources, so one look serves everybody who asks within this while. */
const KEPT_MS = 2_000;
let kept: { at: number; db: Db; read: Promise<Fuentes> } | undefined;

/** Returns how fresh each source of sales is, with what a browser needs to say it. The answer may be two seconds old. */
export function readFuentes(db: Db): Promise<Fuentes> {
  const now = Date.now();
  if (!kept || kept.db !== db || now - kept.at > KEPT_MS) kept = { at: now, db, read: look(db, toInstant(now)) };
  return kept.read;
}

async function look(db: Db, now: Date): Promise<Fuentes> {
  const { valor, sinLeer } = await readOrLast(db, 'fuentes de la barra', () => readSources(db, now));
  const fuentes = valor ?? listFuentes().map(unknownOf);
  return {
    ahora: now.toISOString(),
    fuentes: sinLeer ? fuentes.map((fuente) => ({ ...fuente, estado: 'sinLeer', motivo: null })) : fuentes,
  };
}

/** Returns a source of which this process never read anything. */
const unknownOf = ({ source, market }: { source: string; market: Market }): Fuente => ({
  source,
  label: MERCADOS[market].label,
  siglas: MERCADOS[market].siglas,
  estado: 'sinLeer',
  hasta: null,
  motivo: null,
  sinLeer: 0,
});

async function readSources(db: Db, now: Date): Promise<Fuente[]> {
  const [fuentes, pausadas] = await Promise.all([listFreshness(db, now), pausedSources(db)]);
  return fuentes.map(({ source, label, siglas, state, lastSuccess, error, motivo, sinLeer }) => ({
    source,
    label,
    siglas,
    estado: pausadas.includes(source) ? 'enPausa' : state,
    hasta: lastSuccess?.toISOString() ?? null,
    motivo: error ?? motivo,
    sinLeer,
  }));
}
