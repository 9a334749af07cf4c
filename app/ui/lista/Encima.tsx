import { deferredPart } from '../deferredPart';
import { CopiarDeFila } from './CopiarDeFila';
import { Edades } from './Edades';
import type { Celdas } from './EditarCelda';

const EditarCelda = deferredPart('EditarCelda', async () => (await import('./EditarCelda')).EditarCelda);

type Props<Row> = Omit<Celdas<Row>, 'activa'> & {
  activa: number | null;
  /** True while the row under the keyboard is in the document. */
  dibujada: boolean;
  /** The id that describes the row under the keyboard. */
  id: string;
};

/** Everything that lies over the rows of a table and not in them: the ages of its instants, the button that copies, the field that a cell is changed in. */
export function Encima<Row>({ id, dibujada, ...campos }: Props<Row>) {
  const { caja, columns, row, activa } = campos;
  return (
    <>
      <Edades caja={caja} activa={activa} dibujada={dibujada} id={id} />
      {columns.some((column) => column.copia) && (
        <CopiarDeFila
          caja={caja}
          activa={activa}
          identificadores={(fila, columna) => {
            const of = row(fila);
            return of === undefined ? undefined : columns[columna]?.copia?.(of);
          }}
        />
      )}
      {columns.some((column) => column.edita) && <EditarCelda {...(campos as Celdas<unknown>)} />}
    </>
  );
}
