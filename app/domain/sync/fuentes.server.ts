import { toInstant } from '~/core/time';
import type { Db } from '~db/client.server';
import { listFreshness, type FreshnessState } from './freshness.server';
import { pausedSources } from './internal/pausedSources.server';

/** A source of sales for the browser. `hasta` is the instant until which every sale is here; `motivo` is the last error, in words. */
export type Fuente = {
  source: string;
  label: string;
  siglas: string;
  estado: FreshnessState | 'enPausa';
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
  if (!kept || kept.db !== db || now - kept.at > KEPT_MS) {
    const read = look(db, toInstant(now));
    kept = { at: now, db, read };
    // A look that failed is not kept, so the next caller looks again.
    read.catch(() => (kept = undefined));
  }
  return kept.read;
}

async function look(db: Db, now: Date): Promise<Fuentes> {
  const [fuentes, pausadas] = await Promise.all([listFreshness(db, now), pausedSources(db)]);
  return {
    ahora: now.toISOString(),
    fuentes: fuentes.map(({ source, label, siglas, state, lastSuccess, error, motivo, sinLeer }) => ({
      source,
      label,
      siglas,
      estado: pausadas.includes(source) ? 'enPausa' : state,
      hasta: lastSuccess?.toISOString() ?? null,
      motivo: error ?? motivo,
      sinLeer,
    })),
  };
}
