/** The reports people open all day: what a month earned, and the graph of a year. */
import { sql } from 'kysely';
import { openList } from '~/platform/lists/list.server';
import { addDays } from '~/core/time';
import { readMesCerrado } from '~/domain/cierre/conciliacion/mesCerrado.server';
import { readCambio } from '~/domain/cierre/reportes/cambio.server';
import { balanceList, readBalance } from '~/domain/facturacion/mes/balance.server';
import { readGrafica } from '~/domain/cierre/reportes/grafica.server';
import { llenarReporteList, mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import { carryLibros } from '~/domain/ventas/libro/asentar.server';
import type { Db } from '~db/client.server';
import { BIG_MONTH, YEAR } from './data';
import { measure, type Figure } from './figures';
import type { Person } from './place';

const PROFIT_MS = 60;
const GRAPH_MS = 150;
const BALANCE_MS = 300;
const CHANGE_MS = 150;
const CLOSED_MS = 300;

/** Reckons the ledgers of the year, which is loaded without the triggers that post them. `owner` may vacuum. */
export async function carryYear(owner: Db): Promise<void> {
  if ((await carryLibros(owner)) > 0) await sql`vacuum analyze asiento, libro_venta`.execute(owner);
}

/** The sums of the twelve months that end with a day. */
async function balanceOfYear(db: Db, last: string): Promise<void> {
  let mes = last.slice(0, 7);
  for (let n = 0; n < 12; n++) {
    await readBalance(db, mes);
    mes = addDays(`${mes}-01`, -1).slice(0, 7);
  }
}

export async function benchReports(db: Db, person: Person, rounds: number): Promise<Figure[]> {
  const asked = (query: string) => new Request(`http://bench/sa/reporte?${query}`);
  const year = Object.fromEntries(new URLSearchParams(YEAR.query)) as { desde: string; hasta: string };
  const month = Object.fromEntries(new URLSearchParams(BIG_MONTH.query)) as { desde: string; hasta: string };
  const cases: [string, () => Promise<unknown>, number?][] = [
    [
      'profit of a month of 17,000, first window + totals',
      () => openList(db, mensualList, asked(`mes=${BIG_MONTH.mes}`), person),
      PROFIT_MS,
    ],
    [
      'profit of a month, losses first',
      () => openList(db, mensualList, asked(`mes=${BIG_MONTH.mes}&orden=utilidad`), person),
      PROFIT_MS,
    ],
    [
      'profit of a range, first window + totals',
      () => openList(db, llenarReporteList, asked(BIG_MONTH.query), person),
      PROFIT_MS,
    ],
    [
      'fiscal balance of a month of 17,000, first window + totals',
      () => openList(db, balanceList, asked(`mes=${BIG_MONTH.mes}`), person),
      PROFIT_MS,
    ],
    ['fiscal balance of a month of 17,000, its sums', () => readBalance(db, BIG_MONTH.mes), PROFIT_MS],
    ['fiscal balance of a year, month by month', () => balanceOfYear(db, year.hasta), BALANCE_MS],
    [
      'change of profit of a month of 17,000 against the one before',
      () => readCambio(db, { paso: 'mes', el: month.hasta }, new Date(BIG_MONTH.to)),
      CHANGE_MS,
    ],
    [
      'a month of 17,000 as it was closed and as it is known today',
      () => readMesCerrado(db, BIG_MONTH.mes, new Date()),
      CLOSED_MS,
    ],
    ['graph of a year by month', () => readGrafica(db, year, 'mes'), GRAPH_MS],
    ['graph of a year by day', () => readGrafica(db, year, 'dia'), GRAPH_MS],
    ['graph of a month by day', () => readGrafica(db, month, 'dia'), GRAPH_MS],
  ];
  const figures: Figure[] = [];
  for (const [name, work, aim] of cases) figures.push({ name, ...(await measure(work, rounds)), unit: 'ms', aim });
  return figures;
}
