import { lazyPart } from '../lazyPart';
import { claveOf, keyOf, type Column } from './column';
import { Emergente } from './Emergente';

const { Part: Columnas, prefetch } = lazyPart('Columnas', () => import('./Columnas'));

/** The button that opens the form of the columns. */
export function ElegirColumnas<Row, Totales>({
  columns,
  columnas,
  action,
}: {
  columns: Column<Row, Totales>[];
  columnas: string | null;
  action: string;
}) {
  return (
    <Emergente nombre="columnas" boton="Columnas" className="boton elige-columnas" prefetch={prefetch}>
      {(cerrar) => (
        <Columnas
          columns={columns.map((column) => ({
            clave: claveOf(column),
            nombre: keyOf(column),
            ancho: column.width,
            fija: column.opens ?? false,
          }))}
          columnas={columnas}
          action={action}
          cerrar={cerrar}
        />
      )}
    </Emergente>
  );
}
