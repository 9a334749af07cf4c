import { useNavigate } from '@remix-run/react';
import { readOrden, withParams } from '~/core/list';
import { Asa } from './Asa';
import { classOf, claveOf, hidden, keyOf, type Column } from './column';
import type { Widen } from './useColumnas';

/**
 * The widths of the columns. A cell across all columns counts the hidden ones too, and surplus columns would take a share of the width; as many empty columns
 * of width zero stand at the end.
 */
export function Widths<Row, Totales>({ columns }: { columns: Column<Row, Totales>[] }) {
  return (
    <colgroup>
      {columns.map((column) => (
        <col
          key={keyOf(column)}
          className={hidden(column)}
          style={column.width ? { width: column.width } : undefined}
        />
      ))}
      {columns.map((column) => column.hideUnder && <col key={`sin ${keyOf(column)}`} style={{ width: 0 }} />)}
    </colgroup>
  );
}

/** The headers of the columns. A sortable header is a link to the list in its order. */
export function Headers<Row, Totales>({
  columns,
  orden,
  search,
  widen,
}: {
  columns: Column<Row, Totales>[];
  orden: string;
  search: string;
  /** Undefined without scripts. */
  widen: Widen | undefined;
}) {
  const navigate = useNavigate();
  const now = readOrden(orden);
  return (
    <thead>
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
              title={column.header}
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
                  <span className="linea">{column.header}</span>
                  <span className="flecha" aria-hidden="true">
                    {sorted ? (sorted === 'asc' ? '▲' : '▼') : ''}
                  </span>
                </a>
              ) : (
                (column.head ?? column.header)
              )}
              {widen && <Asa clave={claveOf(column)} widen={widen} />}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
