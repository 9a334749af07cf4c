import { keyOf, type Column } from './column';

/** The totals of a wide list on a telephone, where the foot of the table would need scrolling sideways. A desk has only the foot. */
export function Resumen<Row, Totales>({
  columns,
  totales,
  label,
}: {
  columns: Column<Row, Totales>[];
  totales: NonNullable<Totales> | null;
  label: string;
}) {
  return (
    <div className="lista-resumen" role="group" aria-label={`Totales de ${label}`}>
      <dl>
        {columns.map(
          (column) =>
            column.total && (
              <div key={keyOf(column)}>
                <dt>{column.header}</dt>
                <dd>{totales ? column.total(totales) : '…'}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}
