import { findCredential } from '~/domain/cuentas/credentials.server';
import type { Db } from '~db/client.server';
import type { SyncKind } from './syncKinds';
import { MERCADOLIBRE } from './syncRuns.server';

export type FreshnessState = 'alDia' | 'atrasada' | 'empezando' | 'sinVincular' | 'rota';

export type Freshness = {
  source: typeof MERCADOLIBRE;
  label: string;
  state: FreshnessState;
  /** Everything up to this moment is here. */
  lastSuccess: Date | null;
  lastAttempt: Date | null;
  /** Of the last attempt, or of the link. */
  error: string | null;
  running: boolean;
};

/** Three sweeps late. */
const LATE_MS = 16 * 60_000;

/** How up to date each source of sales is. */
export async function listFreshness(db: Db, now = new Date()): Promise<Freshness[]> {
  const [link, cursor, last] = await Promise.all([
    findCredential(db, MERCADOLIBRE),
    db.selectFrom('syncCursor').select('reachedAt').where('source', '=', `${MERCADOLIBRE}:sweep`).executeTakeFirst(),
    db.selectFrom('syncRun').select(['startedAt', 'endedAt', 'error']).where('source', '=', MERCADOLIBRE).where('kind', '=', 'sweep').orderBy('startedAt', 'desc').limit(1).executeTakeFirst(),
  ]);
  const reachedAt = cursor?.reachedAt ?? null;
  const late = reachedAt !== null && now.getTime() - reachedAt.getTime() > LATE_MS;
  const state = !link ? 'sinVincular' : link.status === 'broken' ? 'rota' : reachedAt === null ? 'empezando' : late ? 'atrasada' : 'alDia';
  return [{
    source: MERCADOLIBRE, label: 'Mercado Libre', state, lastSuccess: reachedAt, lastAttempt: last?.startedAt ?? null,
    error: link?.status === 'broken' ? link.detail : (last?.error ?? null), running: last !== undefined && last.endedAt === null,
  }];
}

export type LastRun = { kind: SyncKind; startedAt: Date; endedAt: Date | null; seen: number; written: number; failed: number; error: string | null };

/** The last run of each kind, newest kind of news first. */
export async function listLastRuns(db: Db, source: string): Promise<LastRun[]> {
  const kinds = ['sweep', 'cancelled', 'missed'] as const;
  const runs = await Promise.all(kinds.map(async (kind) => {
    const run = await db.selectFrom('syncRun').select(['startedAt', 'endedAt', 'seen', 'written', 'failed', 'error'])
      .where('source', '=', source).where('kind', '=', kind).orderBy('startedAt', 'desc').limit(1).executeTakeFirst();
    return run ? [{ kind, ...run }] : [];
  }));
  return runs.flat();
}
