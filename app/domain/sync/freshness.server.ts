import { SYNC_KINDS, type SyncKind } from '~/core/market';
import type { Fuente } from '~/domain/mercados/mercado';
import { MERCADOS } from '~/domain/mercados/mercados';
import { listFuentes } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';
import { countUnread } from './inboxUnread.server';

export type FreshnessState = 'alDia' | 'incompleta' | 'atrasada' | 'empezando' | 'sinVincular' | 'rota';

export type Freshness = {
  source: string;
  label: string;
  siglas: string;
  state: FreshnessState;
  /** Every sale up to this moment is here. */
  lastSuccess: Date | null;
  lastAttempt: Date | null;
  /** The error of the last attempt, or of the link. */
  error: string | null;
  /** Number of sales and shipments that were announced and could not be read. `motivo` is the error of the newest. */
  sinLeer: number;
  motivo: string | null;
  running: boolean;
};

/** A source is late after three sweeps. */
const LATE_MS = 16 * 60_000;
/** Cancelled sales are asked for once an hour; a source is late after two of those passes. */
const LATE_CANCELLED_MS = 150 * 60_000;
/** A cursor further ahead than this was written by a clock that ran ahead, and is not believed. */
const AHEAD_MS = 60_000;

/** Returns how up to date each source of sales is. A marketplace that a shop may do without is left out until it is linked. */
export async function listFreshness(db: Db, now = new Date()): Promise<Freshness[]> {
  const fuentes = listFuentes();
  const told = await Promise.all(fuentes.map((fuente) => freshnessOf(db, fuente, now)));
  return told.filter(({ state }, n) => state !== 'sinVincular' || !fuentes[n]!.opcional);
}

async function freshnessOf(db: Db, { market, source, kinds, link: readLink }: Fuente, now: Date): Promise<Freshness> {
  const [link, cursors, last, unread] = await Promise.all([
    readLink(db),
    db
      .selectFrom('syncCursor')
      .select(['source', 'reachedAt'])
      .where('source', 'in', [`${source}:sweep`, `${source}:cancelled`])
      .execute(),
    db
      .selectFrom('syncRun')
      .select(['startedAt', 'endedAt', 'error'])
      .where('source', '=', source)
      .where('kind', '=', 'sweep')
      .orderBy('startedAt', 'desc')
      .limit(1)
      .executeTakeFirst(),
    countUnread(db, source),
  ]);
  const reached = (kind: SyncKind) =>
    cursors.find((cursor) => cursor.source === `${source}:${kind}`)?.reachedAt ?? null;
  const sweep = reached('sweep');
  // Where cancelled sales come with the others, the sweep stands for both passes.
  const cancelled = kinds.includes('cancelled') ? reached('cancelled') : sweep;
  const age = (at: Date) => now.getTime() - at.getTime();
  const state = (): FreshnessState => {
    if (!link) return 'sinVincular';
    if (link.status === 'broken') return 'rota';
    if (!sweep || !cancelled) return 'empezando';
    if (
      [sweep, cancelled].some((at) => age(at) < -AHEAD_MS) ||
      age(sweep) > LATE_MS ||
      age(cancelled) > LATE_CANCELLED_MS
    )
      return 'atrasada';
    return unread.sinLeer > 0 ? 'incompleta' : 'alDia';
  };
  return {
    source,
    label: MERCADOS[market].label,
    siglas: MERCADOS[market].siglas,
    state: state(),
    lastSuccess: wholeUntil(sweep, cancelled, age),
    lastAttempt: last?.startedAt ?? null,
    error: link?.status === 'broken' ? link.detail : (last?.error ?? null),
    running: last !== undefined && last.endedAt === null,
    ...unread,
  };
}

/**
 * Returns until when every sale is here; null when nothing is certain. Cancellations of the last hours come with their notices, so the pass of cancelled
 * sales counts only while it is late.
 */
function wholeUntil(sweep: Date | null, cancelled: Date | null, age: (at: Date) => number): Date | null {
  if (!sweep || age(sweep) < -AHEAD_MS) return null;
  return cancelled && cancelled < sweep && age(cancelled) > LATE_CANCELLED_MS ? cancelled : sweep;
}

/** The last run of a kind: rows that were seen, written and failed. `endedAt` is null while the run goes on. */
export type LastRun = {
  kind: SyncKind;
  startedAt: Date;
  endedAt: Date | null;
  seen: number;
  written: number;
  failed: number;
  error: string | null;
};

/** Returns the last run of each kind of a source, in the order of `SYNC_KINDS`. */
export async function listLastRuns(db: Db, source: string): Promise<LastRun[]> {
  const runs = await Promise.all(
    SYNC_KINDS.map(async (kind) => {
      const run = await db
        .selectFrom('syncRun')
        .select(['startedAt', 'endedAt', 'seen', 'written', 'failed', 'error'])
        .where('source', '=', source)
        .where('kind', '=', kind)
        .orderBy('startedAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return run ? [{ kind, ...run }] : [];
    }),
  );
  return runs.flat();
}
