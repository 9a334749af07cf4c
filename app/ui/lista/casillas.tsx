import type { Column } from './column';
import type { Seleccion } from './useSeleccion';

/** The first column of a list whose rows can be chosen: plain boxes of the form `form`, which is sent without JavaScript too. */
export function casillas<Row, Totales>(
  form: string,
  rowKey: (row: Row) => string,
  nombreDe: (row: Row) => string,
  { isElegida }: Seleccion,
  hydrated: boolean,
): Column<Row, Totales> {
  return {
    header: 'Elegir',
    key: 'elegir',
    width: 40,
    className: 'elige',
    cell: (row) => (
      <input
        className="casilla"
        type="checkbox"
        // With JavaScript the form names what was chosen, in sight or not, and the keyboard chooses with X.
        name={hydrated ? undefined : 'fila'}
        form={form}
        value={rowKey(row)}
        checked={isElegida(rowKey(row))}
        aria-label={`Elegir ${nombreDe(row)}`}
        tabIndex={hydrated ? -1 : undefined}
        readOnly
      />
    ),
  };
}
