import { sql } from 'kysely';
import { WINDOW } from '~/core/list';
import type { List } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';

/**
 * How often PostgreSQL read each of `tables` whole while `work` ran, those it never did left out: the difference of its counts, since a
 * connection keeps what earlier work on it counted for up to a second.
 */
export async function seqScansDuring(
  db: Db,
  tables: string[],
  work: (trx: Trx) => Promise<unknown>,
): Promise<Record<string, number>> {
  return db.transaction().execute(async (trx) => {
    const before = await seqScans(trx, tables);
    await work(trx);
    const after = await seqScans(trx, tables);
    return Object.fromEntries(
      [...after]
        .map(([name, scans]) => [name, scans - (before.get(name) ?? 0)] as const)
        .filter(([, scans]) => scans > 0),
    );
  });
}

async function seqScans(trx: Trx, tables: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{
    name: string;
    scans: string;
  }>`select relname as name, seq_scan as scans from pg_stat_xact_user_tables where relname = any(${tables})`.execute(
    trx,
  );
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
}

/** Any list, to read: what its columns of Excel take is left out. */
export type ReadableList = Pick<List, 'lista' | 'titulo' | 'parse' | 'totals' | 'window'>;

/** What a screen reads of a list when it opens: its totals and one window, by number or, -1, its last one. */
export async function readList(trx: Trx, list: ReadableList, query: string, indice: number): Promise<void> {
  const filtro = list.parse(new URLSearchParams(query));
  const { registros: total, corte } = await list.totals(trx, filtro);
  await list.window(trx, filtro, {
    indice: indice < 0 ? Math.max(0, Math.ceil(total / WINDOW) - 1) : indice,
    total,
    corte,
  });
}

const VACUUM_MS = 60_000;

/**
 * Vacuums and analyzes tables until each of their pages is known to be visible to all, so that a plan by an index alone costs what it costs in a
 * shop. One VACUUM leaves pages out while anything else holds a snapshot of this database (autovacuum's own ANALYZE does), or while what
 * wrote the rows is not yet on disk.
 * @throws After 60 s, with the tables that still have such pages.
 */
export async function vacuumAnalyze(db: Db, ...tables: string[]): Promise<void> {
  const until = Date.now() + VACUUM_MS;
  for (;;) {
    await sql`vacuum analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db);
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where oid = any(${tables}::text[]::regclass[]) and relallvisible < relpages`.execute(db);
    if (!rows.length) return;
    if (Date.now() > until) throw new Error(`Not visible to all: ${rows.map(({ name }) => name).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
