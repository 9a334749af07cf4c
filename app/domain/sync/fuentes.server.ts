import type { Db } from '~db/client.server';
import { listFreshness, type FreshnessState } from './freshness.server';
import { pausedSources } from './internal/pausedSources.server';

export type Fuente = {
  source: string;
  label: string;
  siglas: string;
  estado: FreshnessState | 'enPausa';
  hasta: string | null;
  motivo: string | null;
  sinLeer: number;
};
/** `ahora` is the instant the ages are told from. */
export type Fuentes = { ahora: string; fuentes: Fuente[] };

/** Every screen of everybody shows it: one look serves all who ask within this while. */
const KEPT_MS = 2_000;
let kept: { at: number; db: Db; read: Promise<Fuentes> } | undefined;

/** How fresh each source of sales is, in what a browser needs to say it. */
export function readFuentes(db: Db): Promise<Fuentes> {
  const now = Date.now();
  if (!kept || kept.db !== db || now - kept.at > KEPT_MS) {
    const read = look(db, new Date(now));
    kept = { at: now, db, read };
    // A look that failed is nobody else's answer.
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
