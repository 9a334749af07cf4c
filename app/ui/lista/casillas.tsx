import type { Column } from './column';
import type { Seleccion } from './useSeleccion';

/** The first column of a list whose rows can be chosen: plain boxes of the form `form`, which is sent without JavaScript too. */
export function casillas<Row, Totales>(
  form: string,
  rowKey: (row: Row) => string,
  nombreDe: (row: Row) => string,
  { isElegida, todos, cuantas, elegirTodos, vaciar }: Seleccion,
  hydrated: boolean,
): Column<Row, Totales> {
  return {
    header: 'Elegir',
    key: 'elegir',
    width: 40,
    className: 'elige',
    // Without JavaScript the bar of acts has this box.
    head: hydrated ? (
      <input
        className="casilla"
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = !todos && cuantas > 0;
        }}
        checked={todos}
        onChange={todos || cuantas > 0 ? vaciar : elegirTodos}
        aria-label="Elegir todos los resultados"
      />
    ) : (
      <span className="oculto">Elegir</span>
    ),
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
