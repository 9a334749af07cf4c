import type { Db } from '~db/client.server';
import { WINDOW } from '~/core/list';
import { dayRange } from '~/core/time';
import { runExport } from '~/domain/exports/runExport.server';
import { facturasList } from '~/domain/facturas/listFacturas.server';
import { requestExport } from '~/domain/lists/exportRuns.server';
import { openList, readWindow } from '~/domain/lists/list.server';
import { seedFacturas } from '../support/builders/facturas';

export type Figure = { name: string; p50: number; p95: number; unit: 'ms'; aim?: number };

export const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
export const YEAR = 'desde=2026-01-01&hasta=2026-12-31';

/** 100,000 facturas of one year, 17,000 of them in October 2026: the month every figure speaks of. */
export async function seedLists(db: Db) {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedFacturas(db, { count: 83_000, from: dayRange('2026-01-01').from, to: october.from });
  await seedFacturas(db, { count: 17_000, ...october });
}

/** First windows with totals, searches and jumps of the facturas list, as its screen's loader asks for them. */
export async function benchLists(db: Db, usuario: { id: string }, rounds = 60): Promise<Figure[]> {
  const open = (query: string) => openList(db, facturasList, new Request(`http://bench/sa/facturasClientes?${query}`), usuario);
  const jump = async (query: string, share: number) => {
    const { corte, totales: { registros: total } } = await open(query);
    const indice = Math.floor((total - 1) / WINDOW * share);
    return () => readWindow(db, facturasList, new URLSearchParams(query), { indice, total, corte });
  };
  const { numOrden, rfc } = await db.selectFrom('factura').select(['numOrden', 'rfc']).where('folio', '=', 90_000).executeTakeFirstOrThrow();
  const cases: [string, () => Promise<unknown>, number?][] = [
    ['list: month of 17,000, first window + totals', () => open(MONTH), 25],
    ['list: year of 100,000, first window + totals', () => open(YEAR)],
    ['list: month sorted by name, first window + totals', () => open(`${MONTH}&orden=razonSocial`), 25],
    ['list: month, window in the middle', await jump(MONTH, 0.5)],
    ['list: month, last window', await jump(MONTH, 1)],
    ['list: year, window in the middle', await jump(YEAR, 0.5)],
    ['list: month by name, window in the middle', await jump(`${MONTH}&orden=razonSocial`, 0.5)],
    ['search: order number, month', () => open(`${MONTH}&q=${numOrden}`), 15],
    ['search: order number, year', () => open(`${YEAR}&q=${numOrden}`), 15],
    ['search: RFC, year', () => open(`${YEAR}&q=${rfc}`), 15],
    ['search: folio, year', () => open(`${YEAR}&q=f-90000`), 15],
    ['search: common word, month', () => open(`${MONTH}&q=garcia`), 15],
    ['search: common word, year', () => open(`${YEAR}&q=garcia`), 15],
    ['search: two words, year', () => open(`${YEAR}&q=nu%C3%B1ez+cruz`), 15],
    ['search: absent word, year', () => open(`${YEAR}&q=zzqqxx`), 15],
    ['search: two letters, month', () => open(`${MONTH}&q=ga`)],
    ['search: one letter, month', () => open(`${MONTH}&q=a`)],
    ['search: one letter, year', () => open(`${YEAR}&q=a`)],
  ];
  const figures: Figure[] = [];
  for (const [name, run, aim] of cases) figures.push({ name, ...(await measure(run, rounds)), unit: 'ms', aim });
  return figures;
}

/** Scrolls a list to its end, window by window: how long every window took. */
export async function benchScroll(db: Db, usuario: { id: string }, query = MONTH): Promise<Figure & { rows: number }> {
  const { corte, totales: { registros: total } } = await openList(db, facturasList, new Request(`http://bench/sa/facturasClientes?${query}`), usuario);
  let [indice, rows] = [0, 0];
  const figure = await measure(async () => {
    rows += (await readWindow(db, facturasList, new URLSearchParams(query), { indice: indice++, total, corte })).filas.length;
  }, Math.ceil(total / WINDOW), 0);
  return { name: `scroll: each window to the end of ${total} rows`, ...figure, unit: 'ms', rows };
}

/** The Excel of a month of 17,000 as the worker writes it: how long, how many bytes, how much more memory at its highest. */
export async function benchExport(db: Db, usuario: { id: string }, query = MONTH): Promise<{ name: string; ms: number; bytes: number; rows: number; rssMb: number }> {
  const id = await db.transaction().execute((trx) => requestExport(trx, { lista: facturasList.lista, search: query, usuarioId: usuario.id }));
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 5);
  const from = performance.now();
  await runExport(db, id, { lastAttempt: true });
  const ms = Math.round(performance.now() - from);
  clearInterval(watch);
  const run = await db.selectFrom('exportRun').innerJoin('archivo', 'archivo.id', 'exportRun.archivoId').where('exportRun.id', '=', id)
    .select(['written', 'archivo.bytes']).executeTakeFirstOrThrow();
  return { name: `excel: ${run.written} rows`, ms, bytes: run.bytes, rows: run.written, rssMb: Math.round((highest - before) / 1_048_576) };
}

async function measure(run: () => Promise<unknown>, rounds: number, warmUp = 5): Promise<{ p50: number; p95: number }> {
  for (let i = 0; i < warmUp; i++) await run();
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(2));
  return { p50: at(0.5), p95: at(0.95) };
}
