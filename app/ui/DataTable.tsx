import { useLocation, useNavigate, useNavigation } from '@remix-run/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { readOrden, WINDOW, withParams, type ListFilter, type ListPage } from '~/core/list';
import { DataTableBar } from './DataTableBar';
import { DataTableExports, ExportButton } from './DataTableExports';
import { DataTablePages } from './DataTablePages';
import { useScrollMemory } from './DataTableScroll';
import { useWindows } from './DataTableWindows';
import { useFila } from './Densidad';
import type { Tono } from './Estatus';
import { useHydrated } from './useHydrated';
import './DataTable.css';

export type Column<Row, Totales = { registros: number }> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Tells two columns of one header apart. */
  key?: string;
  /** The list's sort this header asks for. */
  sort?: string;
  /** Money and counts to the right. */
  align?: 'right' | 'center';
  /** In px. The columns without it share what is left. */
  width?: number;
  className?: string;
  /** Left out on narrower screens: `sm` under 768 px, `md` under 1100. */
  hideUnder?: 'sm' | 'md';
  /** Its cell is the link that opens the row, for those who do not click rows. */
  opens?: true;
  /** At the foot of the table, over all rows of the list and not only those on screen. */
  total?: (totales: NonNullable<Totales>) => ReactNode;
};

type Props<Row, Totales extends { registros: number } | null> = {
  lista: ListPage<ListFilter, Row, NonNullable<Totales>>;
  columns: Column<Row, Totales>[];
  rowKey: (row: Row) => string;
  tone?: (row: Row) => Tono | undefined;
  /** What the table is called aloud. */
  label: string;
  /** The address of the area ('/sa'): windows and exports are read under it. */
  area: string;
  /** Lines of every row: two where a cell says two things, one above the other (`DosLineas`). */
  lines?: 1 | 2;
  /** Whether a row opens, in `?ver=` or in the field of the address named here. */
  opens?: boolean | string;
  /** What the open row expands to, in place, so many lines tall; a second click closes it. Without it an open row is a dialog of the screen's. */
  detail?: RowDetail | null;
  /** What the search box looks in: 'Folio, orden, RFC…'. */
  placeholder?: string;
  /** What the button that makes the Excel is called. */
  excel?: string;
  /** Filters of this list's own, as `RangoFechas`, beside the search box. */
  children?: ReactNode;
};

export type RowDetail = { key: string; lines: number; content: ReactNode };

const NOTHING = 120;
const UNSIZED = 140;
const OVERSCAN = 10;

/**
 * The one table of all lists: continuous over server windows, search, sort, totals, Excel. All its state is in the URL. The server writes one
 * whole window, which without JavaScript is a page; with it, only the rows in sight are in the document.
 */
export function DataTable<Row, Totales extends { registros: number } | null>({
  lista,
  columns,
  rowKey,
  tone,
  label,
  area,
  lines = 1,
  opens = false,
  detail,
  placeholder,
  excel,
  children,
}: Props<Row, Totales>) {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const navigation = useNavigation();
  const hydrated = useHydrated();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const windows = useWindows(lista, `${area}/listas/${lista.lista}`);
  const { total, totales, show, query } = windows;
  // Every row of a table has the same height, so that any row's place is known before it is read.
  const { fila: rowHeight, linea, titulos } = useFila(lines);
  const hasTotals = columns.some((column) => column.total);

  const opened = useOpened(detail, windows.row, rowKey, { from: lista.ventana.indice * WINDOW, active });
  const extra = detail && opened !== null ? detail.lines * linea : 0;
  const heightOf = (from: number, to: number) =>
    (to - from) * rowHeight + (opened !== null && opened >= from && opened < to ? extra : 0);

  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: (index) => heightOf(index, index + 1),
    overscan: OVERSCAN,
    scrollMargin: titulos,
    scrollPaddingStart: titulos,
    scrollPaddingEnd: hasTotals ? titulos : 0,
  });
  const start = lista.ventana.indice * WINDOW;
  const items = virtual.getVirtualItems();
  const first = hydrated ? (items[0]?.index ?? 0) : start;
  const last = hydrated ? (items.at(-1)?.index ?? -1) : start + lista.ventana.filas.length - 1;
  useScrollMemory(box, { query, ready: hydrated, whole: totales !== null, first: start * rowHeight });
  useEffect(() => {
    if (hydrated) show(first + OVERSCAN / 2, last - OVERSCAN / 2);
  }, [hydrated, show, first, last, windows.corte]);
  useEffect(() => setActive(null), [query]);
  useEffect(() => virtual.measure(), [virtual, opened, extra, rowHeight]);

  const field = typeof opens === 'string' ? opens : 'ver';
  const verBase = withParams(search, { ver: null, [field]: null });
  const verOf = (row: Row) => `${verBase}${verBase === '?' ? '' : '&'}${field}=${encodeURIComponent(rowKey(row))}`;
  const isOpen = (row: Row) => detail?.key === rowKey(row);
  const hrefOf = (row: Row) => (isOpen(row) ? verBase : verOf(row));
  const open = (row: Row | undefined) => row !== undefined && navigate(hrefOf(row), { preventScrollReset: true });
  const busy = navigation.state !== 'idle' && navigation.location?.pathname === pathname;

  const moveTo = (index: number) => {
    const next = Math.min(total - 1, Math.max(0, index));
    setActive(next);
    virtual.scrollToIndex(next, { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey || total === 0) return;
    const topRow = Math.ceil((box.current?.scrollTop ?? 0) / rowHeight);
    const page = Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - titulos * 2) / rowHeight) - 1);
    const from = active ?? topRow - 1;
    const to = {
      ArrowDown: from + 1,
      ArrowUp: (active ?? topRow + 1) - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: total - 1,
    }[event.key];
    if (to !== undefined) moveTo(to);
    else if (event.key === 'Enter' && opens && active !== null) open(windows.row(active));
    else return;
    event.preventDefault();
  };
  const onRowClick = (event: MouseEvent<HTMLTableSectionElement>) => {
    if (!opens || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target as HTMLElement;
    const link = target.closest('a.abre');
    if (!link && (target.closest('a,button,input,label,summary,dialog') || window.getSelection()?.toString())) return;
    const index = target.closest('tr')?.dataset.i;
    if (index === undefined) return;
    event.preventDefault();
    setActive(Number(index));
    open(windows.row(Number(index)));
  };

  const line = (index: number) => {
    const row = windows.row(index);
    const common = {
      key: index,
      id: `${id}${index}`,
      'data-i': index,
      'aria-rowindex': index + 2,
      'data-activa': index === active || undefined,
    };
    if (row === undefined)
      return (
        <tr {...common} className="espera">
          <td colSpan={columns.length}>
            <span className="hueso" />
          </td>
        </tr>
      );
    const expanded = detail === undefined ? undefined : isOpen(row);
    const line = (
      <tr {...common} data-tono={tone?.(row)}>
        {columns.map((column) => (
          <td key={keyOf(column)} className={classOf(column, columns)}>
            {column.opens && opens ? (
              <a className="abre" href={hrefOf(row)} aria-expanded={expanded}>
                {expanded !== undefined && <span className="punta" aria-hidden="true" />}
                {column.cell(row)}
              </a>
            ) : (
              column.cell(row)
            )}
          </td>
        ))}
      </tr>
    );
    if (!expanded) return line;
    return [
      line,
      <tr key="detalle" className="detalle">
        <td colSpan={columns.length} style={{ height: detail!.lines * linea, '--fila': `${linea}px` } as CSSProperties}>
          {detail!.content}
        </td>
      </tr>,
    ];
  };

  return (
    <section className="lista" aria-busy={busy}>
      <DataTableBar
        filtro={lista.filtro}
        total={totales && total}
        label={label}
        placeholder={placeholder}
        actions={<ExportButton lista={lista.lista} query={query} area={area} empty={total === 0} boton={excel} />}
      >
        {children}
      </DataTableBar>
      {lista.aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {lista.aviso}
        </p>
      )}
      {lista.alcance && (
        <p className="panel" role="status">
          {lista.alcance}
        </p>
      )}
      <DataTableExports lista={lista.lista} area={area} exportaciones={lista.exportaciones} />
      <div className="lista-avance" data-activo={busy || undefined} />
      <div
        className="lista-caja"
        ref={box}
        style={
          {
            '--fila': `${rowHeight}px`,
            '--titulos': `${titulos}px`,
            '--alto': `${titulos + (total === 0 ? NOTHING : heightOf(0, total)) + (hasTotals ? titulos : 0) + 2}px`,
          } as CSSProperties
        }
      >
        <table
          className="lista-tabla"
          role="grid"
          aria-label={label}
          aria-rowcount={totales ? total + 1 : -1}
          aria-activedescendant={active === null ? undefined : `${id}${active}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          style={leastWidths(columns)}
        >
          <colgroup>
            {columns.map((column) => (
              <col
                key={keyOf(column)}
                className={hidden(column)}
                style={column.width ? { width: column.width } : undefined}
              />
            ))}
          </colgroup>
          <thead>
            <Headers columns={columns} orden={lista.filtro.orden} search={search} />
          </thead>
          <tbody onClick={onRowClick} data-abre={opens || undefined}>
            {total === 0 && (
              <tr className="nada">
                <td colSpan={columns.length}>
                  <span>No encontre nada para ti</span>
                </td>
              </tr>
            )}
            {hydrated && first > 0 && <Gap height={heightOf(0, first)} columns={columns.length} />}
            {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => line(first + at))}
            {hydrated && last < total - 1 && <Gap height={heightOf(last + 1, total)} columns={columns.length} />}
          </tbody>
          {hasTotals && (
            <tfoot>
              <tr>
                {columns.map((column) => (
                  <td key={keyOf(column)} className={classOf(column, columns)}>
                    {column.total && (totales ? column.total(totales) : '…')}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {windows.failed && (
        <p className="lista-fallo" role="alert">
          No se pudieron cargar algunas filas.{' '}
          <button type="button" className="boton" onClick={windows.retry}>
            Reintentar
          </button>
        </p>
      )}
      <DataTablePages indice={lista.ventana.indice} total={total} search={search} />
    </section>
  );
}

function Headers<Row, Totales>({
  columns,
  orden,
  search,
}: {
  columns: Column<Row, Totales>[];
  orden: string;
  search: string;
}) {
  const navigate = useNavigate();
  const now = readOrden(orden);
  return (
    <tr aria-rowindex={1}>
      {columns.map((column) => {
        const sorted = column.sort === now.key ? now.direction : undefined;
        const to = withParams(search, {
          orden: sorted === 'asc' ? `-${column.sort}` : (column.sort ?? null),
          pagina: null,
          ver: null,
        });
        return (
          <th
            key={keyOf(column)}
            scope="col"
            className={classOf(column, columns)}
            aria-sort={column.sort ? (sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : 'none') : undefined}
          >
            {column.sort ? (
              <a
                href={to}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  navigate(to, { preventScrollReset: true });
                }}
              >
                {column.header}
                <span className="flecha" aria-hidden="true">
                  {sorted ? (sorted === 'asc' ? '▲' : '▼') : ''}
                </span>
              </a>
            ) : (
              column.header
            )}
          </th>
        );
      })}
    </tr>
  );
}

/** What a cell of a table of two lines says: the first, and under it, quieter, the second. */
export function DosLineas({ children, debajo }: { children: ReactNode; debajo: ReactNode }) {
  return (
    <>
      <div className="linea">{children}</div>
      <div className="linea debajo">{debajo}</div>
    </>
  );
}

/** The height of rows that are not in the document. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr className="hueco" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** The place of the expanded row: the one that was clicked, or found in the window the page came with. */
function useOpened<Row>(
  detail: RowDetail | null | undefined,
  rowAt: (index: number) => Row | undefined,
  rowKey: (row: Row) => string,
  near: { from: number; active: number | null },
) {
  const known = useRef<{ key: string; index: number } | null>(null);
  if (!detail) return null;
  const fits = (index: number | null) => {
    const row = index === null ? undefined : rowAt(index);
    return row !== undefined && rowKey(row) === detail.key;
  };
  const candidates = [
    known.current?.key === detail.key ? known.current.index : null,
    near.active,
    ...Array.from({ length: WINDOW }, (_, at) => near.from + at),
  ];
  const index = candidates.find(fits) ?? (known.current?.key === detail.key ? known.current.index : null);
  if (index !== null) known.current = { key: detail.key, index };
  return index;
}

const keyOf = <Row, Totales>(column: Column<Row, Totales>) => column.key ?? column.header;
/** What the columns in sight need: those left out on narrower screens do not push the rest aside. */
function leastWidths<Row, Totales>(columns: Column<Row, Totales>[]) {
  const sum = (shown: Column<Row, Totales>[]) => `${shown.reduce((all, { width }) => all + (width ?? UNSIZED), 0)}px`;
  return {
    '--ancho': sum(columns),
    '--ancho-md': sum(columns.filter(({ hideUnder }) => hideUnder !== 'md')),
    '--ancho-sm': sum(columns.filter(({ hideUnder }) => hideUnder === undefined)),
  } as CSSProperties;
}

const hidden = <Row, Totales>(column: Column<Row, Totales>) =>
  column.hideUnder ? `sin-${column.hideUnder}` : undefined;
/** The first column in sight on a narrow screen is `primera`: it stays while the others pass under it. */
const classOf = <Row, Totales>(column: Column<Row, Totales>, columns: Column<Row, Totales>[]) =>
  [
    column === columns.find(({ hideUnder }) => hideUnder === undefined) ? 'primera' : '',
    column.align === 'right' ? 'der' : column.align === 'center' ? 'cen' : '',
    hidden(column),
    column.className,
  ]
    .filter(Boolean)
    .join(' ') || undefined;
