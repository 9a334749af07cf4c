import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';
import type { DB } from '~db/types';
import type { Money } from '~/core/money';
import { markUnprocessable } from '~/core/answerStatus.server';
import { identificadorDe, type Identificador } from '~/core/identificador';
import {
  diasDe,
  escribeRango,
  isTodasLasFechas,
  MAX_IMPRESAS,
  MUCHOS,
  qProblem,
  rangoProblem,
  readOrden,
  searchWords,
  siempreComo,
  toWire,
  WINDOW,
  type Chip,
  type Direction,
  type Impresion,
  type ListEnTodas,
  type ListFilter,
  type ListNews,
  type ListPage,
  type ListTotals,
  type ListWindow,
  type Rango,
  type Wire,
} from '~/core/list';
import { nombreDelPeriodo, type Periodo } from '~/core/periodo';
import type { Vista } from '~/core/vistas';
import { readPropio } from './propio.server';
import { addressOfVista, camposDe, vistaFija } from './vistas.server';

/** The field of an address that names one of the views everybody finds. */
const CUALES = 'cuales';

/** A query that has chosen its rows and not yet its columns. */
type Chosen<TB extends keyof DB> = SelectQueryBuilder<DB, TB, Record<never, never>>;

export type ExcelColumn<Row> = { header: string; ancho?: number } & (
  | { tipo: 'texto'; valor(row: Row): string | null }
  | { tipo: 'fecha' | 'fechaHora'; valor(row: Row): Date | null }
  | { tipo: 'pesos'; valor(row: Row): Money | null }
  | { tipo: 'numero'; valor(row: Row): number | null }
);

type Question<F extends ListFilter, TB extends keyof DB, TBR extends keyof DB, Leida, Totales, Row> = {
  /** Its screen's key: who may open the screen may read its windows and export it. */
  lista: string;
  titulo: string;
  /**
   * Takes the whole query string and `deRol`, the role of who looks, which no address can set. Every field falls back
   * to a default.
   */
  filtro: z.ZodType<F>;
  /** The tiebreak of every sort: a unique column, `tabla.id`. */
  id: string;
  /** Whether ids grow with time (uuidv7), so that rows born after a list was opened can be kept out of its later windows. */
  idsGrow: boolean;
  /** What `orden` may name. Both `matches` and `rows` must know the tables these expressions speak of. */
  sorts: Record<string, RawBuilder<unknown>>;
  /**
   * The ids of what has an identifier that was typed whole, whatever its date; undefined where a list knows nothing of that kind. What something has
   * is looked for by that alone, and not in the range.
   */
  enteros?: (entero: Identificador) => RawBuilder<unknown> | undefined;
  /** Which rows: conditions only, in terms that an index answers. `enteros` are the ids it may choose from, instead of the range and the words of the search. */
  matches: (db: Db | Trx, filtro: F, enteros: RawBuilder<unknown> | null) => Chosen<TB>;
  /** What a row shows: its joins run for the rows of one window, not for all that match. */
  rows: (db: Db | Trx) => SelectQueryBuilder<DB, TBR, Leida>;
  /** What of a row no SQL says: what that follows from is read once, before any row is. Without it rows are shown as they were read. */
  completa?: (db: Db | Trx) => Promise<(leida: Leida) => Row>;
  /** Sums over all that match; the number of rows is always counted. */
  totales: (matches: Chosen<TB>) => SelectQueryBuilder<DB, TB, Totales>;
  /** The same without a search, where somebody counts along: a list of 150,000 rows is not counted row by row while its page is waited for. */
  contadas?: (db: Db, filtro: F) => Promise<Totales & { registros: number }>;
  /** The views that everybody finds, by the word of their address: rows of a state, in the list's own range or in one of a name. */
  cuales?: Record<string, { nombre: string; donde: RawBuilder<boolean>; rango?: Periodo }>;
  /** The list's own filters, by their field, and what a chip says of one. */
  propios?: Record<string, (valor: string) => string>;
  excel: {
    hoja: string;
    columnas: ExcelColumn<NoInfer<Row>>[];
    /** Ends the file's name: the range, a state. */ sufijo?: (filtro: F) => string;
  };
};

/** An identifier typed whole, and the ids of what has it. */
type Found = { entero: Identificador; ids: RawBuilder<unknown> };

export type WindowAddress = { indice: number; total: number; corte: string | null };

type Opened<Row, Totales> = {
  indice: number;
  filas: Row[];
  corte: string;
  totales: (Totales & { registros: number }) | null;
  entero: Identificador | null;
};

/** Rows by their ids, whatever the filter says of them now; or all that matched when the list was opened. */
export type Elegidas = { ids?: readonly string[] | undefined; corte?: string | undefined };

export type List<F extends ListFilter = ListFilter, Row = unknown, Totales = unknown> = {
  lista: string;
  titulo: string;
  /** What it says of itself in its address. */ campos: string[];
  /** The views that everybody finds. */ fijas: Vista[];
  /** How many rows each of those shows, counted up to one more than `MUCHOS`. */
  countFijas(db: Db, quien: { rol?: Rol }): Promise<Record<string, number>>;
  parse(search: URLSearchParams, quien?: { rol?: Rol }): F;
  /** What it was asked for by an identifier typed whole, and looks for in all dates; null when it looks in the range. */
  entero(db: Db | Trx, filtro: F): Promise<Identificador | null>;
  totals(db: Db | Trx, filtro: F, corte?: string): Promise<Totales & { registros: number; corte: string }>;
  window(db: Db | Trx, filtro: F, at: WindowAddress): Promise<Row[]>;
  /** The first window alone. One that is not full is the whole list, and quickly added up. */
  first(db: Db, filtro: F): Promise<Opened<Row, Totales>>;
  /** One window, the first or the one of a page, and the totals of all rows. */
  whole(db: Db, filtro: F, pagina: string | null): Promise<Opened<Row, Totales>>;
  /** How many match that were born after it was opened; 0 where ids do not tell. */
  born(db: Db, filtro: F, corte: string): Promise<number>;
  /** The totals that `first` left out. */
  count(db: Db, filtro: F, corte: string): Promise<Totales & { registros: number }>;
  /** How many a search finds over all dates, counted up to one more than `MUCHOS`; null where it has no dates or looks in all of them already. */
  inAllDates(db: Db | Trx, filtro: F): Promise<number | null>;
  /** What filters this list beyond what it shows by itself, with its range at the end. */
  chips(filtro: F, byDefault: F): Chip[];
  /** The ids of what matched when the list was opened, in its order and so many at most. */
  ids(db: Db | Trx, filtro: F, corte: string | null, most: number): Promise<string[]>;
  /** Every row in the list's order that matches, or was chosen, in batches of a cursor. Runs in a transaction, whose snapshot it reads. */
  stream(trx: Trx, filtro: F, elegidas?: Elegidas): AsyncIterable<Row>;
  excel: { hoja: string; columnas: ExcelColumn<Row>[]; nombre(filtro: F, entero?: Identificador | null): string };
};

/** With few matches PostgreSQL is made to find them by the search index first; with many, walking the sort's index meets 100 of them at once. */
const FEW = 2_000;
const REVERSE = { asc: 'desc', desc: 'asc' } as const satisfies Record<Direction, Direction>;

export function defineList<
  F extends ListFilter,
  TB extends keyof DB,
  TBR extends keyof DB,
  Leida,
  Totales,
  Row = Leida,
>(question: Question<F, TB, TBR, Leida, Totales, Row>): List<F, Row, Totales> {
  const { lista, titulo, filtro: schema, excel } = question;
  const id = sql.ref<string>(question.id);
  const parse = (search: URLSearchParams, quien?: { rol?: Rol }): F => {
    const filtro = schema.parse({ ...Object.fromEntries(search), deRol: quien?.rol });
    const word = search.get(CUALES) ?? '';
    return question.cuales && Object.hasOwn(question.cuales, word) ? { ...filtro, [CUALES]: word } : filtro;
  };
  const cualDe = (filtro: F) => question.cuales?.[(filtro as { [CUALES]?: string })[CUALES] ?? ''];
  const fijas = Object.entries(question.cuales ?? {}).map(([word, { nombre, rango }]) =>
    vistaFija(word, nombre, { [CUALES]: word, ...(rango && { rango }) }),
  );
  const sortOf = (filtro: F) => {
    const { key, direction } = readOrden(filtro.orden);
    const by = question.sorts[key];
    if (!by) throw new Error(`the list ${lista} has no sort ${key}`);
    return { by, direction };
  };

  /** What was typed may name. A number of sale and an RFC are nothing else; a folio is one where something has it, and a word where nothing does. */
  function candidate({ q }: F): (Found & { exists: RawBuilder<boolean> | null }) | null {
    const entero = question.enteros && identificadorDe(q);
    const ids = entero ? question.enteros!(entero) : undefined;
    if (!entero || !ids) return null;
    const doubtful = entero.clase === 'documento' || entero.clase === 'folio';
    return { entero, ids, exists: doubtful ? sql<boolean>`exists (select from (${ids}) found)` : null };
  }

  async function findEntero(db: Db | Trx, filtro: F): Promise<Found | null> {
    const found = candidate(filtro);
    if (!found?.exists) return found;
    const { rows } = await sql<{ exists: boolean }>`select ${found.exists} as exists`.execute(db);
    return rows[0]!.exists ? found : null;
  }

  /** What a list that is opened now begins with: the id after which rows are born too late for it, and what was typed whole. */
  async function begin(db: Db, filtro: F): Promise<{ corte: string; found: Found | null }> {
    const found = candidate(filtro);
    const { rows } = await sql<{ corte: string; exists: boolean }>`
      select uuidv7() as corte, ${found?.exists ?? sql`true`} as exists`.execute(db);
    const { corte, exists } = rows[0]!;
    return { corte, found: exists ? found : null };
  }

  /** What matched when the list was opened. */
  const matchesOf = (db: Db | Trx, filtro: F, found: Found | null, corte: string | null) =>
    question
      .matches(db, filtro, found && found.ids)
      // What was typed whole is looked for by that alone.
      .$if(!found && cualDe(filtro) !== undefined, (matches) => matches.where(cualDe(filtro)!.donde))
      .$if(corte !== null && question.idsGrow, (matches) => matches.where(sql<boolean>`${id} <= ${corte}::uuid`));

  /** The ids of a window. Past the middle it is read from the end, so the last page costs what the first does. */
  function idsOf(db: Db | Trx, filtro: F, found: Found | null, { indice, total, corte }: WindowAddress) {
    const { by, direction } = sortOf(filtro);
    const start = indice * WINDOW;
    const size = Math.max(0, Math.min(WINDOW, total - start));
    const fromEnd = start + size > total / 2 && start > 0;
    const [offset, walk] = fromEnd ? [total - start - size, REVERSE[direction]] : [start, direction];
    const chosen = matchesOf(db, filtro, found, corte);
    if (filtro.q !== '' && total <= FEW) {
      const fenced = chosen.select([id.as('id'), by.as('sortedBy')]).offset(sql<number>`0`);
      return sql<string>`(select id from (${fenced}) found order by ${sql.id('sorted_by')} ${sql.raw(walk)}, id ${sql.raw(walk)} limit ${size} offset ${offset})`;
    }
    return sql<string>`(${chosen.select(id.as('id')).orderBy(by, walk).orderBy(id, walk).limit(size).offset(offset)})`;
  }

  async function rowsOf(db: Db | Trx, filtro: F, ids: RawBuilder<string>): Promise<Row[]> {
    const { by, direction } = sortOf(filtro);
    const reading = question
      .rows(db)
      .where(sql<boolean>`${id} in ${ids}`)
      .orderBy(by, direction)
      .orderBy(id, direction)
      .execute() as Promise<Leida[]>;
    const [leidas, whole] = await Promise.all([reading, question.completa?.(db)]);
    return whole ? leidas.map(whole) : (leidas as unknown as Row[]);
  }

  async function addUp(matches: Chosen<TB>): Promise<Totales & { registros: number }> {
    return (await question
      .totales(matches)
      .select(sql<number>`count(*)`.as('registros'))
      .executeTakeFirstOrThrow()) as unknown as Totales & { registros: number };
  }

  const addUpAll = (db: Db, filtro: F, matches: Chosen<TB>) =>
    question.contadas && filtro.q === '' ? question.contadas(db, filtro) : addUp(matches);

  return {
    lista,
    titulo,
    campos: camposDe({ ...question.propios, ...(question.cuales && { [CUALES]: true }) }),
    fijas,
    async countFijas(db, quien) {
      if (fijas.length === 0) return {};
      const counts = fijas.map(({ id: vista, consulta }) => {
        const shown = matchesOf(db, parse(new URLSearchParams(consulta), quien), null, null);
        return sql`(select count(*)::int from (${shown.select(id.as('id')).limit(MUCHOS + 1)}) found) as ${sql.id(vista)}`;
      });
      const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db);
      return rows[0]!;
    },
    entero: async (db, filtro) => (await findEntero(db, filtro))?.entero ?? null,
    parse,
    async totals(db, filtro, corte) {
      const counted = question
        .totales(matchesOf(db, filtro, await findEntero(db, filtro), corte ?? null))
        .select([sql<number>`count(*)`.as('registros'), sql<string>`uuidv7()`.as('corte')]);
      return (await counted.executeTakeFirstOrThrow()) as Totales & { registros: number; corte: string };
    },
    async window(db, filtro, at) {
      if (at.indice < 0 || at.indice * WINDOW >= at.total) return [];
      return rowsOf(db, filtro, idsOf(db, filtro, await findEntero(db, filtro), at));
    },
    async whole(db, filtro, pagina) {
      const { corte, found } = await begin(db, filtro);
      const entero = found && found.entero;
      const pageOf = Math.max(1, Number.parseInt(pagina ?? '1', 10) || 1) - 1;
      const adding = addUpAll(db, filtro, matchesOf(db, filtro, found, corte));
      const windowAt = (indice: number, total: number) =>
        rowsOf(db, filtro, idsOf(db, filtro, found, { indice, total, corte }));
      // Without a search the first window is found alike however many rows there are, so it need not wait until they are counted.
      if (pageOf === 0 && filtro.q === '') {
        const [filas, totales] = await Promise.all([windowAt(0, Infinity), adding]);
        return { indice: 0, filas, corte, totales, entero };
      }
      const totales = await adding;
      const indice = Math.min(pageOf, Math.max(1, Math.ceil(totales.registros / WINDOW)) - 1);
      const filas = totales.registros === 0 ? [] : await windowAt(indice, totales.registros);
      return { indice, filas, corte, totales, entero };
    },
    async first(db, filtro) {
      const { by, direction } = sortOf(filtro);
      const { corte, found } = await begin(db, filtro);
      const matches = matchesOf(db, filtro, found, corte);
      const chosen = (await matches
        .select(id.as('id'))
        .orderBy(by, direction)
        .orderBy(id, direction)
        .limit(WINDOW)
        .execute()) as { id: string }[];
      // An id that nothing has stands for an empty list: `in ()` is no SQL.
      const ids = sql<string>`(${chosen.length === 0 ? sql`null` : sql.join(chosen.map((one) => one.id))})`;
      const [filas, totales] = await Promise.all([
        chosen.length === 0 ? [] : rowsOf(db, filtro, ids),
        chosen.length < WINDOW ? addUp(matches.where(sql<boolean>`${id} in ${ids}`)) : null,
      ]);
      return { indice: 0, filas, corte, totales, entero: found && found.entero };
    },
    async born(db, filtro, corte) {
      if (!question.idsGrow) return 0;
      const { nacidas } = (await matchesOf(db, filtro, await findEntero(db, filtro), null)
        .where(sql<boolean>`${id} > ${corte}::uuid`)
        .select(sql<number>`count(*)`.as('nacidas'))
        .executeTakeFirstOrThrow()) as { nacidas: number };
      return nacidas;
    },
    count: (db, filtro, corte) =>
      db.transaction().execute(async (trx) => {
        // There are many in the range, so it is walked, which costs what the range does. A search index might have to bring the matches of all years.
        if (filtro.q !== '') await sql`set local enable_bitmapscan = off`.execute(trx);
        return addUp(matchesOf(trx, filtro, await findEntero(trx, filtro), corte));
      }),
    async inAllDates(db, filtro) {
      if (filtro.q === '' || !hasRango(filtro) || isTodasLasFechas(filtro)) return null;
      const everywhere = matchesOf(db, { ...filtro, ...siempreComo(filtro) }, null, null);
      const { rows } = await sql<{ found: number }>`
        select count(*)::int as found from (${everywhere.select(id.as('id')).limit(MUCHOS + 1)}) found`.execute(db);
      return rows[0]!.found;
    },
    chips(filtro, byDefault) {
      const chips = Object.entries(question.propios ?? {}).flatMap(([campo, write]) => {
        const [valor, usual] = [filtro, byDefault].map((one) => (one as Record<string, unknown>)[campo] ?? '');
        return valor === usual || valor === '' ? [] : [{ texto: write(String(valor)), quita: [campo] }];
      });
      const cual = cualDe(filtro);
      if (cual) chips.unshift({ texto: cual.nombre, quita: [CUALES] });
      if (filtro.q !== '') chips.unshift({ texto: `«${filtro.q}»`, quita: ['q'] });
      if (hasRango(filtro) && hasRango(byDefault) && escribeRango(filtro) !== escribeRango(byDefault)) {
        const { rango } = filtro as { rango?: Periodo };
        chips.push({
          texto: rango ? nombreDelPeriodo(rango) : escribeRango(filtro),
          quita: ['desde', 'hasta', 'rango'],
        });
      }
      return chips;
    },
    async ids(db, filtro, corte, most) {
      const { by, direction } = sortOf(filtro);
      const found = (await matchesOf(db, filtro, await findEntero(db, filtro), corte)
        .select(id.as('id'))
        .orderBy(by, direction)
        .orderBy(id, direction)
        .limit(most)
        .execute()) as { id: string }[];
      return found.map((one) => one.id);
    },
    async *stream(trx, filtro, { ids, corte } = {}) {
      const { by, direction } = sortOf(filtro);
      const wanted = ids
        ? sql<boolean>`${id} = any(${ids}::uuid[])`
        : sql<boolean>`${id} in (${matchesOf(trx, filtro, await findEntero(trx, filtro), corte ?? null).select(id.as('id'))})`;
      const rows = question.rows(trx).where(wanted).orderBy(by, direction).orderBy(id, direction);
      // Before the cursor: while one is open, its connection answers nothing else.
      const whole = await question.completa?.(trx);
      for await (const leida of rows.stream(500) as AsyncIterable<Leida>)
        yield whole ? whole(leida) : (leida as unknown as Row);
    },
    excel: {
      hoja: excel.hoja,
      columnas: excel.columnas,
      nombre: (filtro, entero) =>
        // What was looked for in all dates is not of the range. Some folios hold what no file's name may.
        [titulo, entero ? entero.texto.replace(/[^\p{L}\p{N} ._&-]/gu, '-') : excel.sufijo?.(filtro)]
          .filter(Boolean)
          .join(' '),
    },
  };
}

/**
 * Each word of a search must be in the column, which holds text already passed through f_norm and has a trigram
 * index. Only one word is told to the planner as a pattern. With several it would multiply their shares, expect next
 * to nothing, and bring thousands by the index: words often come together.
 */
export function contains(column: string, q: string): RawBuilder<boolean> {
  const [rarest, ...others] = searchWords(q).sort((a, b) => looksRare(b) - looksRare(a));
  if (rarest === undefined) return sql<boolean>`true`;
  const each = [
    sql`${sql.ref(column)} like '%' || regexp_replace(f_norm(${rarest}), '([%_\\\\])', '\\\\\\1', 'g') || '%'`,
    ...others.map((word) => sql`strpos(${sql.ref(column)}, f_norm(${word})) > 0`),
  ];
  return sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** How rare a word looks. A code of letters and digits names one thing, a long word fewer things than a short one. */
const looksRare = (word: string) => word.length + (/\d/.test(word) && /\D/.test(word) ? 100 : 0);

/**
 * What a screen's loader answers: one window and the totals of all rows. The window is the first, unless `pagina`
 * asks for another. A page that stands already does not wait for slow totals: it gets its first window, and asks for
 * the totals beside it.
 */
export async function openList<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  request: Request,
  usuario: { id: string; rol?: Rol },
): Promise<ListPage<F, Wire<Row>, Wire<Totales> & { registros: number }>> {
  const { pathname, searchParams: search } = new URL(request.url);
  const filtro = list.parse(search, usuario);
  const aviso = (hasRango(filtro) ? rangoProblem(search, filtro) : null) ?? qProblem(search);
  if (aviso) markUnprocessable(request);
  const opened =
    askedByScript(request) && countsLong(filtro) && !search.has('pagina') && !search.has('imprimir')
      ? list.first(db, filtro)
      : list.whole(db, filtro, search.get('pagina'));
  // Who can ask again does, once the page stands.
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
  const impresion =
    search.get('imprimir') === '1' && totales ? await readImpresion(db, list, filtro, corte, totales.registros) : null;
  return {
    lista: list.lista,
    filtro,
    ventana: { indice, filas: toWire(filas) },
    corte,
    ...propio,
    fijas: list.fijas,
    campos: list.campos,
    aviso,
    impresion,
    alcance: alcanceDe(filtro, entero),
    enTodas: entero || !hasRango(filtro) || isTodasLasFechas(filtro) ? null : aparte ? 'aparte' : everywhere,
    chips: list.chips(filtro, list.parse(new URLSearchParams(), usuario)),
    totales: totales && (toWire(totales) as Wire<Totales> & { registros: number }),
  };
}

/** Where it looked for what was asked for, in a sentence; null when nothing was. */
function alcanceDe(filtro: ListFilter, entero: Identificador | null): string | null {
  if (entero) return `Busqué "${entero.texto}" en todas las fechas.`;
  if (filtro.q === '' || !hasRango(filtro)) return null;
  if (isTodasLasFechas(filtro)) return `Busqué "${filtro.q}" en todas las fechas.`;
  return `Busqué "${filtro.q}" del ${escribeRango(filtro)}.`;
}

/** Every row as it is printed, window by window; null when they are more than anybody reads on paper. */
async function readImpresion<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  filtro: F,
  corte: string,
  total: number,
): Promise<Impresion<Wire<Row>>> {
  const cuando = new Date().toISOString();
  if (total > MAX_IMPRESAS) return { filas: null, cuando };
  const filas: Row[] = [];
  for (let indice = 0; indice * WINDOW < total; indice++)
    filas.push(...(await list.window(db, filtro, { indice, total, corte })));
  return { filas: toWire(filas) as Wire<Row>[], cuando };
}

/** Whether a page that stands asks, and can ask again: a browser opening an address, or one without scripts, has to be told all at once. */
export const askedByScript = (request: Request) => request.headers.get('sec-fetch-dest') === 'empty';

/** A range of one month is added up while nobody notices; a word may be in every title of a year. */
const countsLong = (filtro: ListFilter) => filtro.q !== '' || (hasRango(filtro) && diasDe(filtro) > 31);

function hasRango<F extends ListFilter>(filtro: F): filtro is F & Rango {
  return 'desde' in filtro && 'hasta' in filtro;
}

/** What happened to a list since it was opened: how many came, and one of its windows as it is now. */
export async function readNovedades<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  search: URLSearchParams,
  at: WindowAddress & { corte: string },
  usuario: { rol?: Rol },
): Promise<ListNews<Wire<Row>>> {
  const [nuevas, ventana] = await Promise.all([
    list.born(db, list.parse(search, usuario), at.corte),
    readWindow(db, list, search, at, usuario),
  ]);
  return { nuevas, ventana };
}

/** A later window of a list that is already open, as the table asks for it while one scrolls. */
export async function readWindow<F extends ListFilter, Row, Totales>(
  db: Db,
  list: List<F, Row, Totales>,
  search: URLSearchParams,
  at: WindowAddress,
  usuario?: { rol?: Rol },
): Promise<ListWindow<Wire<Row>>> {
  const filas = await list.window(db, list.parse(search, usuario), at);
  return { indice: at.indice, filas: toWire(filas) };
}

/** The totals of a list that is already open, for the rows it was opened with. */
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

/** How many a search finds over all dates, as the table asks for it beside its page. */
export async function countInAllDates(
  db: Db,
  list: List,
  search: URLSearchParams,
  usuario?: { rol?: Rol },
): Promise<ListEnTodas> {
  return { enTodas: (await list.inAllDates(db, list.parse(search, usuario))) ?? 0 };
}
