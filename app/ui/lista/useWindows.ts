import { useCallback, useEffect, useRef, useState } from 'react';
import { searchOf, WINDOW, type ListFilter, type ListPage, type ListTotals, type ListWindow } from '~/core/list';

type Counted = { registros: number };
type Page<Row, Totales extends Counted> = Pick<
  ListPage<ListFilter, Row, Totales>,
  'lista' | 'filtro' | 'ventana' | 'totales' | 'corte'
>;
type Known<Row> = { filas: Row[]; stale: boolean };
/** Until `counted`, `totales` may come from an earlier answer to the same query, or be null. `total` is the number known so far. */
type State<Row, Totales> = {
  query: string;
  corte: string;
  total: number;
  totales: Totales | null;
  counted: boolean;
  uncounted: boolean;
  known: ReadonlyMap<number, Known<Row>>;
  failed: ReadonlySet<number>;
};

/** The number of windows kept in memory; the windows farthest from the visible one go first. */
const KEPT = 60;
/** The interval of looking at the visible rows. A drag of the scrollbar passes hundreds of windows between two looks and reads none of them. */
const LOOK_MS = 60;
/** Rows before and after the visible ones that are read too, so that a steady scroll does not meet the edge. */
const AHEAD = 60;

/**
 * Returns the rows of a list that the page has, by their place in the whole list. The first window comes with the page; `show` reads the windows around the
 * visible rows. Missing totals are read beside the page. When the loader answers again for the same filter, known rows and totals stay until the fresh ones
 * arrive.
 */
export function useWindows<Row, Totales extends Counted>(page: Page<Row, Totales>, source: string) {
  const [state, setState] = useState(() => begin(page));
  if (state.corte !== page.corte) setState(carry(state, page));
  const latest = useRef(state);
  latest.current = state;
  const reading = useRef(new Map<number, AbortController>());
  const looking = useRef<ReturnType<typeof setTimeout>>();
  const visible = useRef({ from: 0, to: 0, before: 0 });

  const read = useCallback(
    async (indice: number) => {
      const { query, corte, total } = latest.current;
      const abort = new AbortController();
      reading.current.set(indice, abort);
      const learn = (change: (state: State<Row, Totales>) => State<Row, Totales>) =>
        setState((now) => (now.corte === corte && now.query === query ? change(now) : now));
      try {
        const answer = await fetch(`${source}?${query}&ventana=${indice}&total=${total}&corte=${corte}`, {
          signal: abort.signal,
          headers: { Accept: 'application/json' },
        });
        if (!answer.ok || answer.redirected) throw new Error(`window ${indice}: ${answer.status}`);
        const { filas } = (await answer.json()) as ListWindow<Row>;
        learn((now) => ({
          ...now,
          known: keepNear(new Map(now.known).set(indice, { filas, stale: false }), indice),
          failed: without(now.failed, indice),
        }));
      } catch {
        if (!abort.signal.aborted) learn((now) => ({ ...now, failed: new Set(now.failed).add(indice) }));
      } finally {
        if (reading.current.get(indice) === abort) reading.current.delete(indice);
      }
    },
    [source],
  );

  const look = useCallback(() => {
    const { from, to, before } = visible.current;
    const { total, known, failed } = latest.current;
    visible.current = { from, to, before: from };
    if (Math.abs(from - before) > 2 * WINDOW) {
      looking.current = setTimeout(look, LOOK_MS);
      return;
    }
    looking.current = undefined;
    if (total === 0) return;
    const first = Math.floor(Math.max(0, from - AHEAD) / WINDOW);
    const last = Math.floor(Math.min(total - 1, to + AHEAD) / WINDOW);
    for (const [indice, abort] of reading.current) if (indice < first || indice > last) abort.abort();
    for (let indice = first; indice <= last; indice++) {
      const window = known.get(indice);
      if ((!window || window.stale) && !failed.has(indice) && !reading.current.has(indice)) void read(indice);
    }
  }, [read]);

  /** Rows `from` to `to` are visible: missing windows around them are read, and readings of distant windows are given up. */
  const show = useCallback(
    (from: number, to: number) => {
      visible.current = { ...visible.current, from, to };
      looking.current ??= setTimeout(look, LOOK_MS);
    },
    [look],
  );

  useEffect(() => {
    const underWay = reading.current;
    return () => {
      clearTimeout(looking.current);
      looking.current = undefined;
      for (const abort of underWay.values()) abort.abort();
    };
  }, []);

  const { query, corte, counted, uncounted } = state;
  useEffect(() => {
    if (counted || uncounted) return;
    const abort = new AbortController();
    const learn = (change: Partial<State<Row, Totales>>) =>
      setState((now) => (now.corte === corte && now.query === query ? { ...now, ...change } : now));
    fetch(`${source}?${query}&totales=1&corte=${corte}`, {
      signal: abort.signal,
      headers: { Accept: 'application/json' },
    })
      .then(async (answer) => {
        if (!answer.ok || answer.redirected) throw new Error(`totals: ${answer.status}`);
        const { totales } = (await answer.json()) as ListTotals<Totales>;
        learn({ totales, total: totales.registros, counted: true });
      })
      .catch(() => {
        if (!abort.signal.aborted) learn({ uncounted: true });
      });
    return () => abort.abort();
  }, [source, query, corte, counted, uncounted]);

  const retry = useCallback(() => {
    const { failed } = latest.current;
    setState((now) => ({ ...now, failed: new Set(), uncounted: false }));
    for (const indice of failed) void read(indice);
  }, [read]);

  /** Returns the known rows of a window, in their places; undefined while they are under way. */
  const held = (indice: number) =>
    state.known.get(indice)?.stale === false ? state.known.get(indice)!.filas : undefined;
  const replace = (indice: number, filas: Row[]) =>
    setState((now) => ({ ...now, known: new Map(now.known).set(indice, { filas, stale: false }) }));

  const row = (index: number): Row | undefined => state.known.get(Math.floor(index / WINDOW))?.filas[index % WINDOW];
  /** Returns the place of a row in what was read so far, the fresh windows first: a stale one may show it where it was. Null where no row fits. */
  const find = (fits: (row: Row) => boolean): number | null => {
    for (const stale of [false, true])
      for (const [indice, window] of state.known) {
        const at = window.stale === stale ? window.filas.findIndex(fits) : -1;
        if (at >= 0) return indice * WINDOW + at;
      }
    return null;
  };
  return {
    row,
    find,
    show,
    retry,
    held,
    replace,
    failed: state.failed.size > 0 || uncounted,
    total: state.total,
    totales: state.totales,
    query,
    corte,
  };
}

function begin<Row, Totales extends Counted>({
  filtro,
  ventana,
  totales,
  corte,
}: Page<Row, Totales>): State<Row, Totales> {
  const total = totales?.registros ?? ventana.indice * WINDOW + ventana.filas.length;
  const known = new Map([[ventana.indice, { filas: ventana.filas, stale: false }]]);
  return {
    query: searchOf(filtro),
    corte,
    total,
    totales,
    counted: totales !== null,
    uncounted: false,
    known,
    failed: new Set(),
  };
}

function carry<Row, Totales extends Counted>(
  before: State<Row, Totales>,
  page: Page<Row, Totales>,
): State<Row, Totales> {
  const now = begin(page);
  if (before.query !== now.query) return now;
  const known = new Map([...before.known].map(([indice, { filas }]) => [indice, { filas, stale: true }]));
  const old = now.totales === null ? { totales: before.totales, total: Math.max(before.total, now.total) } : {};
  return { ...now, ...old, known: new Map([...known, ...now.known]) };
}

function keepNear<Row>(known: Map<number, Known<Row>>, indice: number): Map<number, Known<Row>> {
  if (known.size <= KEPT) return known;
  const farthest = [...known.keys()].sort((a, b) => Math.abs(b - indice) - Math.abs(a - indice));
  for (const far of farthest.slice(0, known.size - KEPT)) known.delete(far);
  return known;
}

function without(set: ReadonlySet<number>, item: number): ReadonlySet<number> {
  if (!set.has(item)) return set;
  const less = new Set(set);
  less.delete(item);
  return less;
}
