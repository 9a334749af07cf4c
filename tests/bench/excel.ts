/** The Excel of a list as the worker writes it: how long, how big, and how much more memory at its highest. */
import { runExport } from '~/domain/exports/runExport.server';
import { requestExport } from '~/domain/lists/exportRuns.server';
import type { Db } from '~db/client.server';
import type { Figure } from './figures';

const EXCEL_MS = 3_000;

export async function measureExcel(db: Db, usuario: { id: string }, { lista, query }: { lista: string; query: string }): Promise<Figure[]> {
  const id = await db.transaction().execute((trx) => requestExport(trx, { lista, search: query, usuarioId: usuario.id }));
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 5);
  const from = performance.now();
  await runExport(db, id, { lastAttempt: true });
  const value = Math.round(performance.now() - from);
  clearInterval(watch);
  const { written, bytes } = await db.selectFrom('exportRun').innerJoin('archivo', 'archivo.id', 'exportRun.archivoId').where('exportRun.id', '=', id)
    .select(['written', 'archivo.bytes']).executeTakeFirstOrThrow();
  const name = `Excel of ${lista}, ${written} rows`;
  return [
    { name, value, unit: 'ms', aim: EXCEL_MS },
    { name: `${name}: file`, value: Math.round(bytes / 1_024), unit: 'kB' },
    { name: `${name}: memory more than before`, value: Math.round((highest - before) / 1_048_576), unit: 'MB' },
  ];
}
