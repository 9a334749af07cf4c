import { useNavigate } from '@remix-run/react';
import { useRef, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import type { Tono } from '../Estatus';
import { giveBackFocus } from '../foco';
import { htmlOf } from '../htmlOf';
import { useBrowserLayout } from '../useBrowserLayout';
import { classOf, isInTable, keyOf, type Column } from './column';
import type { RowDetail } from './props';

type Props<Row, Totales> = {
  columns: Column<Row, Totales>[];
  /** Prefix of the rows' ids in the document. */
  id: string;
  /** The number of rows in the list, and the first and last row in the document. */
  total: number;
  first: number;
  last: number;
  /** Set where gaps take the height of rows that are not in the document. */
  gaps: boolean;
  /** True while the rows are those that the server wrote; the browser draws them later. */
  served: boolean;
  heightOf: (from: number, to: number) => number;
  row: (index: number) => Row | undefined;
  tone: ((row: Row) => Tono | undefined) | undefined;
  /** True for a row that somebody else changed while this person looked. */ changed: (row: Row) => boolean;
  active: number | null;
  /** The content in place of rows where the list is empty. */
  nada: ReactNode;
  /** By a press on a row's box; undefined where rows are not chosen. */
  elegir: ((index: number, extend: boolean) => void) | undefined;
  /** Called by a press on a row's acts: for its first act, or for the menu. */
  pedir: ((index: number, boton: Element, how?: 'primera') => void) | undefined;
  /** By a press on a cell that can be changed; undefined where none can. */
  cambiar: ((index: number, columna: number) => void) | undefined;
  /** Undefined where rows do not open. */
  opening:
    | {
        isOpen: (row: Row) => boolean;
        hrefOf: (row: Row) => string;
        /** By a click anywhere in the row. */
        open: (index: number) => void;
      }
    | undefined;
  detail: RowDetail | null | undefined;
  /** The height of one line, in px. */
  linea: number;
};

/** The visible rows as plain `<tr>` and `<td>`, between gaps that stand for the other rows. */
export function Rows<Row, Totales>(props: Props<Row, Totales>) {
  const { columns, total, first, last, gaps, served, heightOf, opening } = props;
  const navigate = useNavigate();
  const ref = useKeptFocus(served);
  const onClick = (event: MouseEvent<HTMLTableSectionElement>) => {
    const box = (event.target as HTMLElement).closest<HTMLElement>('td.elige')?.closest<HTMLElement>('tr[data-i]');
    if (box) return props.elegir?.(Number(box.dataset.i), event.shiftKey);
    const pedida = (event.target as HTMLElement).closest<HTMLElement>('button[name="menu"]');
    if (pedida) {
      event.preventDefault();
      const fila = pedida.closest('tr')!;
      const index = Number(fila.dataset.i);
      const how = pedida.dataset.hace === undefined ? undefined : 'primera';
      if (!served) return props.pedir?.(index, pedida, how);
      // Served rows are drawn anew after this press: the menu hangs from the button that takes the place of this one.
      const at = menusOf(fila).indexOf(pedida);
      return void setTimeout(() => {
        const drawn = menusOf(document.getElementById(fila.id))[at];
        if (drawn) props.pedir?.(index, drawn, how);
      });
    }
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target as HTMLElement;
    const link = target.closest('a.abre');
    // A link of a row that changes only the address of the list. One listener serves all links: on the server a `<Link>` costs nine times an `<a>`.
    const here = link ? null : target.closest('a[href^="?"]')?.getAttribute('href');
    if (here) {
      event.preventDefault();
      navigate(here, { preventScrollReset: true });
      return;
    }
    if (!link && (target.closest('a,button,input,label,summary,dialog') || window.getSelection()?.toString())) return;
    const index = target.closest('tr')?.dataset.i;
    if (index === undefined) return;
    // A thumb opens the record, where there is room for the field.
    const celda = link ? null : target.closest<HTMLTableCellElement>('td[data-edita]');
    if (celda && props.cambiar && isInTable(celda) && (event.nativeEvent as PointerEvent).pointerType !== 'touch')
      return props.cambiar(Number(index), celda.cellIndex);
    if (!opening) return;
    event.preventDefault();
    opening.open(Number(index));
  };
  const body = { ref, onClick, 'data-abre': opening !== undefined || undefined, 'data-servidas': served || undefined };
  // React hydrates a page by walking everything in it, and would then drop most of these rows. The rows are left alone here, and only those in sight are drawn.
  if (!import.meta.env.SSR && served && total > 0)
    return <tbody {...body} suppressHydrationWarning dangerouslySetInnerHTML={AS_IT_STANDS} />;
  const lines = (
    <>
      {total === 0 && (
        <tr className="nada">
          <td colSpan={columns.length}>{props.nada}</td>
        </tr>
      )}
      {gaps && first > 0 && <Gap height={heightOf(0, first)} columns={columns.length} />}
      {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => lineOf(props, first + at))}
      {gaps && last < total - 1 && <Gap height={heightOf(last + 1, total)} columns={columns.length} />}
    </>
  );
  // Rows written as one text cost the server half of what React's own writing costs, and the browser finds the same HTML (docs/decisions/filas.md). The
  // content of an open row may hold ids that only React can give.
  const html = import.meta.env.SSR && total > 0 && !props.detail ? htmlOf(lines) : null;
  if (html !== null) return <tbody {...body} dangerouslySetInnerHTML={{ __html: html }} />;
  return <tbody {...body}>{lines}</tbody>;
}

const AS_IT_STANDS = { __html: '' };

/** Gives the focus that a person had put in a served row to the element that takes its place, once the rows are drawn. */
function useKeptFocus(served: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const before = useRef({ served, fila: '', at: -1 });
  if (before.current.served && !served) {
    const fila = document.activeElement?.closest('tr');
    if (fila && body.current?.contains(fila))
      before.current = { served, fila: fila.id, at: stopsOf(fila).indexOf(document.activeElement as HTMLElement) };
  }
  useBrowserLayout(() => {
    const { fila, at } = before.current;
    before.current = { served, fila: '', at: -1 };
    if (at >= 0) giveBackFocus(stopsOf(document.getElementById(fila))[at]);
  }, [served]);
  return body;
}

const stopsOf = (fila: Element | null) => [...(fila?.querySelectorAll<HTMLElement>('a[href], button, input') ?? [])];

const menusOf = (fila: Element | null) => [...(fila?.querySelectorAll<HTMLElement>('button[name="menu"]') ?? [])];

const CAMBIADA = { 'data-cambio': true, title: 'Se modificó mientras la veías.' };

/** Returns one row. A plain function saves one element for each row that the server writes. */
function lineOf<Row, Totales>(
  { columns, id, row: rowAt, tone, changed, active, opening, detail, linea }: Props<Row, Totales>,
  index: number,
): ReactNode {
  const row = rowAt(index);
  const common = {
    key: index,
    id: `${id}${index}`,
    'data-i': index,
    'aria-rowindex': index + 2,
    ...(index === active && { 'data-activa': true, 'aria-describedby': `${id}edades` }),
  };
  if (row === undefined)
    return (
      <tr {...common} className="espera">
        <td colSpan={columns.length}>
          <span className="hueso" />
        </td>
      </tr>
    );
  const expanded = detail === undefined ? undefined : opening?.isOpen(row);
  const line = (
    <tr {...common} data-tono={tone?.(row)} {...(changed(row) && CAMBIADA)}>
      {columns.map((column) => (
        <td
          key={keyOf(column)}
          className={classOf(column, columns)}
          data-edita={column.edita?.(row) ? true : undefined}
        >
          {column.opens && opening ? (
            <a className="abre" href={opening.hrefOf(row)} aria-expanded={expanded}>
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
}

/** The height of rows that are not in the document. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr className="hueco" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
