/** The Excel of a list by the worker's own process: from the press of the button to the stored file, and how much more memory the worker took. */
import { setTimeout as sleep } from 'node:timers/promises';
import { requestExport } from '~/platform/lists/exportRuns.server';
import type { Db } from '~db/client.server';
import { BIG_MONTH, YEAR } from './data';
import type { Figure } from './figures';
import { residentMb } from './memory';
import type { Person } from './place';

const EXCEL_MS = 3_000;
/** What a worker may take more, whatever the number of rows: rows are read and written as they come. */
const FLAT_MB = 64;

/** From the press to the run that is under way. */
const STARTS_MS = 300;

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

/** How long somebody waits until their export is under way: one at a time, and six people at once. */
export async function benchExportStart(db: Db, person: Person): Promise<Figure[]> {
  const lists = ['mensual', 'ordenes', 'facturasClientes', 'envios', 'ordenesCanceladas', 'datosFiscales'];
  const press = async (lista: string, n: number) => {
    const from = performance.now();
    const search = `${BIG_MONTH.query}&mes=${BIG_MONTH.mes}&n=${n}`;
    const id = await db.transaction().execute((trx) => requestExport(trx, { lista, search, usuarioId: person.id }));
    const until = async (...states: string[]) => {
      for (; ; await sleep(5)) {
        const { state } = await db
          .selectFrom('exportRun')
          .where('id', '=', id)
          .select('state')
          .executeTakeFirstOrThrow();
        if (state === 'failed') throw new Error(`the Excel of ${lista} failed`);
        if (states.includes(state)) return;
      }
    };
    await until('running', 'done');
    const started = performance.now() - from;
    return { started, ended: until('done') };
  };
  const alone: number[] = [];
  for (const [n, lista] of lists.entries()) {
    const { started, ended } = await press(lista, n);
    alone.push(started);
    await ended;
  }
  const together = await Promise.all(lists.map((lista, n) => press(lista, lists.length + n)));
  await Promise.all(together.map(({ ended }) => ended));
  const slowest = (times: number[]) => Math.round(Math.max(...times));
  return [
    {
      name: 'an export starts, one after the other: the slowest of six',
      value: slowest(alone),
      unit: 'ms',
      aim: STARTS_MS,
    },
    {
      name: 'an export starts, six at once: the slowest',
      value: slowest(together.map(({ started }) => started)),
      unit: 'ms',
      aim: STARTS_MS,
    },
  ];
}
