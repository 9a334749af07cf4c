import { classOf, keyOf, type Column } from './column';

/** The foot of the table: sums over all rows of the list; empty while they are counted. */
export function Totals<Row, Totales>({
  columns,
  totales,
}: {
  columns: Column<Row, Totales>[];
  totales: NonNullable<Totales> | null;
}) {
  return (
    <tfoot>
      <tr>
        {columns.map((column) => (
          <td key={keyOf(column)} className={classOf(column, columns)} data-nombre={column.total && column.header}>
            {column.total && (totales ? column.total(totales) : '…')}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
