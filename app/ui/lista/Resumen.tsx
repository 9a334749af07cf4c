import { keyOf, type Column } from './column';

/** On a telephone, what all rows of a wide list come to: its foot is read sideways there, and this is not. A desk has the foot alone. */
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
