/** The Excel of a list by the worker's own process: from the press of the button to the stored file, and how much more memory the worker took. */
import { setTimeout as sleep } from 'node:timers/promises';
import { requestExport } from '~/domain/lists/exportRuns.server';
import type { Db } from '~db/client.server';
import { BIG_MONTH, YEAR } from './data';
import type { Figure } from './figures';
import { residentMb } from './memory';
import type { Person } from './place';

const EXCEL_MS = 3_000;
/** What a worker may take more, whatever the number of rows: rows are read and written as they come. */
const FLAT_MB = 64;

const CASES = [
  { lista: 'mensual', query: `mes=${BIG_MONTH.mes}`, aim: EXCEL_MS },
  { lista: 'ordenes', query: BIG_MONTH.query, aim: EXCEL_MS },
  { lista: 'facturasClientes', query: BIG_MONTH.query, aim: EXCEL_MS },
  { lista: 'ordenes', query: YEAR.query, aim: undefined },
];

export async function benchExcel(db: Db, person: Person, worker: { pid: number }): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { lista, query, aim } of CASES) {
    const before = residentMb(worker.pid);
    let highest = before;
    const from = performance.now();
    const id = await db
      .transaction()
      .execute((trx) => requestExport(trx, { lista, search: query, usuarioId: person.id }));
    for (let state = ''; state !== 'done'; await sleep(20)) {
      ({ state } = await db.selectFrom('exportRun').where('id', '=', id).select('state').executeTakeFirstOrThrow());
      if (state === 'failed') throw new Error(`the Excel of ${lista} failed`);
      highest = Math.max(highest, residentMb(worker.pid));
    }
    const value = Math.round(performance.now() - from);
    const { written, bytes } = await db
      .selectFrom('exportRun')
      .innerJoin('archivo', 'archivo.id', 'exportRun.archivoId')
      .where('exportRun.id', '=', id)
      .select(['written', 'archivo.bytes'])
      .executeTakeFirstOrThrow();
    const name = `Excel of ${lista}, ${written} rows`;
    figures.push(
      { name, value, unit: 'ms', aim, note: `${Math.round(bytes / 1_024)} kB` },
      {
        name: `${name}: worker's memory more than before`,
        value: Math.round(highest - before),
        unit: 'MB',
        aim: FLAT_MB,
        note: `${Math.round(before)} MB before`,
      },
    );
  }
  return figures;
}
