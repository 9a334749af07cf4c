import type { Db } from '~db/client.server';
import type { Rol } from '~db/columns';
import { markUnprocessable } from '~/core/answerStatus.server';
import type { Identificador } from '~/core/identificador';
import {
  diasOf,
  writeRango,
  hasRango,
  isTodasLasFechas,
  MAX_IMPRESAS,
  qProblem,
  rangoProblem,
  toWire,
  WINDOW,
  type Impresion,
  type ListEnTodas,
  type ListFilter,
  type ListNews,
  type ListPage,
  type ListTotals,
  type ListWindow,
  type Wire,
} from '~/core/list';
import type { ConLado, List, WindowAddress } from './internal/question.server';
import { readPropio } from './internal/propio.server';
import { addressOfVista } from './vistas.server';

export { contains } from './internal/contains.server';
export { defineList } from './internal/defineList.server';
export type { Campos, Parte } from './internal/lineas.server';
export type { Elegidas, ExcelColumn, List, Paso, WindowAddress } from './internal/question.server';

/**
 * Opens a list for a screen's loader: one window and the totals of all rows. The window is the first, unless `pagina` asks for another. A page that
 * stands already does not wait for slow totals: it gets its first window, and asks for the totals beside it. Throws a redirect when the address leads
 * to a view.
 */
export async function openList<F extends ListFilter, Row, Totales, Lado>(
  db: Db,
  list: List<F, Row, Totales, Lado>,
  request: Request,
  usuario: { id: string; rol?: Rol },
): Promise<ListPage<F, Wire<ConLado<Row, Lado>>, Wire<Totales> & { registros: number }>> {
  const { pathname, searchParams: search } = new URL(request.url);
  const filtro = list.parse(search, usuario);
  const aviso = (hasRango(filtro) ? rangoProblem(search, filtro) : null) ?? qProblem(search);
  if (aviso) markUnprocessable(request);
  const opened =
    askedByScript(request) && countsLong(filtro) && !search.has('pagina') && !search.has('imprimir')
      ? list.first(db, filtro)
      : list.whole(db, filtro, search.get('pagina'));
  // A page with scripts asks for the count of all dates once it stands.
  const aparte = filtro.q !== '' && askedByScript(request);
  const [propio, { indice, filas, corte, totales, entero }, everywhere] = await Promise.all([
    readPropio(db, list.lista, usuario, search.get('cols')).then((propio) => {
      const to = addressOfVista(search, [...list.fijas, ...propio.vistas], { rol: usuario.rol, campos: list.campos });
      if (to !== undefined) throw new Response(null, { status: 302, headers: { Location: pathname + to } });
      return propio;
    }),
    opened,
    aparte ? null : list.inAllDates(db, filtro),
  ]);
  const conLado = list.conLado(db, filas);
  const impresion =
    search.get('imprimir') === '1' && totales ? await readImpresion(db, list, filtro, corte, totales.registros) : null;
  return {
    lista: list.lista,
    filtro,
    ventana: { indice, filas: toWire(await conLado) },
    corte,
    ...propio,
    fijas: list.fijas,
    todas: list.todas,
    campos: list.campos,
    aviso,
    impresion,
    alcance: alcanceOf(filtro, entero),
    enTodas: entero || !hasRango(filtro) || isTodasLasFechas(filtro) ? null : aparte ? 'aparte' : everywhere,
    chips: list.chips(filtro, list.parse(new URLSearchParams(), usuario)),
    totales: totales && (toWire(totales) as Wire<Totales> & { registros: number }),
  };
}

/** Returns in a sentence where the list looked for the search; null without a search. */
function alcanceOf(filtro: ListFilter, entero: Identificador | null): string | null {
  if (entero) return `Busqué "${entero.texto}" en todas las fechas.`;
  if (filtro.q === '' || !hasRango(filtro)) return null;
  if (isTodasLasFechas(filtro)) return `Busqué "${filtro.q}" en todas las fechas.`;
  return `Busqué "${filtro.q}" del ${writeRango(filtro)}.`;
}

/** Reads every row for print, window by window; `filas` is null when they are more than anybody reads on paper. */
async function readImpresion<F extends ListFilter, Row, Totales, Lado>(
  db: Db,
  list: List<F, Row, Totales, Lado>,
  filtro: F,
  corte: string,
  total: number,
): Promise<Impresion<Wire<ConLado<Row, Lado>>>> {
  const cuando = new Date().toISOString();
  if (total > MAX_IMPRESAS) return { filas: null, cuando };
  const filas: Row[] = [];
  for (let indice = 0; indice * WINDOW < total; indice++)
    filas.push(...(await list.window(db, filtro, { indice, total, corte })));
  return { filas: toWire(filas) as Wire<ConLado<Row, Lado>>[], cuando };
}

/**
 * Returns whether a page that stands asks, and can ask again. A browser that opens an address, or one without scripts, has to be told all at once.
 */
export const askedByScript = (request: Request) => request.headers.get('sec-fetch-dest') === 'empty';

/** Returns whether the totals may take long: a month is added up at once, while a word may be in every title of a year. */
const countsLong = (filtro: ListFilter) => filtro.q !== '' || (hasRango(filtro) && diasOf(filtro) > 31);

/** Reads what happened to a list since it was opened: how many rows came, and one of its windows as it is now. */
export async function readNovedades<F extends ListFilter, Row, Totales, Lado>(
  db: Db,
  list: List<F, Row, Totales, Lado>,
  search: URLSearchParams,
  at: WindowAddress & { corte: string },
  usuario: { rol?: Rol },
): Promise<ListNews<Wire<ConLado<Row, Lado>>>> {
  const [nuevas, ventana] = await Promise.all([
    list.born(db, list.parse(search, usuario), at.corte),
    readWindow(db, list, search, at, usuario),
  ]);
  return { nuevas, ventana };
}

/** Reads a later window of an open list, as the table asks for it while one scrolls. */
export async function readWindow<F extends ListFilter, Row, Totales, Lado>(
  db: Db,
  list: List<F, Row, Totales, Lado>,
  search: URLSearchParams,
  at: WindowAddress,
  usuario?: { rol?: Rol },
): Promise<ListWindow<Wire<ConLado<Row, Lado>>>> {
  const filas = await list.conLado(db, await list.window(db, list.parse(search, usuario), at));
  return { indice: at.indice, filas: toWire(filas) };
}

/** Counts an open list: the totals of the rows that it was opened with. */
export async function countList<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  search: URLSearchParams,
  corte: string,
  usuario?: { rol?: Rol },
): Promise<ListTotals<Wire<Totales> & { registros: number }>> {
  return {
    totales: toWire(await list.count(db, list.parse(search, usuario), corte)) as Wire<Totales> & { registros: number },
  };
}

/** Counts what a search finds over all dates, as the table asks for it beside its page. */
export async function countInAllDates(
  db: Db,
  list: List,
  search: URLSearchParams,
  usuario?: { rol?: Rol },
): Promise<ListEnTodas> {
  return { enTodas: (await list.inAllDates(db, list.parse(search, usuario))) ?? 0 };
}
