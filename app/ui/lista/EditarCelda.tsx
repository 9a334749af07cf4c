import { useEffect, useRef, useState, type RefObject } from 'react';
import { focusOn } from '../foco';
import { useTeclas } from '../useTeclas';
import { Campo, type Abierto } from './Campo';
import type { Celda } from './celda';
import { claveOf, isInTable, type Column } from './column';

export type Campos<Row> = {
  /** The box in which the rows scroll. */ caja: RefObject<HTMLElement>;
  /** The visible columns, as the cells of a row stand. */ columns: readonly Column<Row, never>[];
  row: (index: number) => Row | undefined;
  rowKey: (row: Row) => string;
  /** The place of a record; null where it is not among the rows that were read. */ indexOf: (
    key: string,
  ) => number | null;
  nombra: (row: Row) => string;
  /** The row under the keyboard. */ activa: number | null;
  setActive: (index: number) => void;
  /** True while the panel of a record is open, which has E for itself. */ conPanel: boolean;
};
/** A cell that was pressed, by its record and column. */
export type Pulsada = { clave: string; columna: string };
export type Celdas<Row> = Campos<Row> & {
  /** The cell whose field is to be opened, until it was taken care of. */
  pulsada: Pulsada | null;
  atendida: () => void;
};

let ultimo = 0;

/**
 * The fields in which cells are changed, each over its cell: rows hold nothing for it and stay where they are. A press on a cell opens its field, and by
 * keyboard E or F2 the first of the row. Sent fields wait for one another, so that each is sent about the record as the one before left it.
 */
export function EditarCelda<Row>(props: Celdas<Row>) {
  const { caja, columns, row, rowKey, indexOf, nombra, activa, setActive, conPanel, pulsada, atendida } = props;
  const [abiertos, setAbiertos] = useState<Abierto[]>([]);
  const [turnos, setTurnos] = useState<number[]>([]);
  const [pedido, pedir] = useState<{ id: number } | null>(null);
  const [dicho, decir] = useState('');
  /** How many changes of each record were taken from here. */
  const hechos = useRef(new Map<string, number>());

  const celdaOf = (clave: string, columna: string): Celda | null => {
    const index = indexOf(clave);
    const of = index === null ? undefined : row(index);
    return of === undefined ? null : (columnOf(columna)?.edita?.(of) ?? null);
  };
  const columnOf = (columna: string) => columns.find((column) => claveOf(column) === columna);
  /** Opens the field of a cell. False where the cell is only read. */
  const abrir = (index: number, columna: Column<Row, never>): boolean => {
    const of = row(index);
    const celda = of === undefined ? null : (columna.edita?.(of) ?? null);
    if (of === undefined || celda === null) return false;
    const [clave, cual] = [rowKey(of), claveOf(columna)];
    const ya = abiertos.find((abierto) => abierto.clave === clave && abierto.columna === cual);
    const id = ya?.id ?? ++ultimo;
    if (!ya) {
      const desde = hechos.current.get(clave) ?? 0;
      setAbiertos((todos) => [...todos, { id, clave, columna: cual, celda, nombre: nombra(of), desde }]);
    }
    pedir({ id });
    return true;
  };
  /** Opens the next field of a row, or the one before. */
  const abrirEn = (index: number, from: number, by: 1 | -1): boolean => {
    const cells = cellsOf(caja.current, index);
    for (let at = from; at >= 0 && at < columns.length; at += by)
      if (isInTable(cells[at]) && abrir(index, columns[at]!)) return true;
    return false;
  };
  useEffect(() => {
    if (!pulsada) return;
    const [index, columna] = [indexOf(pulsada.clave), columnOf(pulsada.columna)];
    if (index !== null && columna) abrir(index, columna);
    atendida();
  });
  const porTecla = () => activa !== null && void abrirEn(activa, 0, 1);
  useTeclas({ F2: porTecla, ...(!conPanel && { e: porTecla }) });
  useEffect(() => {
    const timer = setTimeout(() => decir(''), DICHO_MS);
    return () => clearTimeout(timer);
  }, [dicho]);

  /** The keyboard goes back to the rows, and to this row where it stood on none. */
  const volver = (clave: string) => {
    focusOn(caja.current?.querySelector<HTMLElement>('table'));
    const index = indexOf(clave);
    if (activa === null && index !== null) setActive(index);
  };
  return (
    <>
      {abiertos.map((abierto) => {
        const { id, clave, columna } = abierto;
        const index = indexOf(clave);
        const at = columns.findIndex((column) => claveOf(column) === columna);
        return (
          <Campo
            key={id}
            abierto={abierto}
            caja={caja}
            celda={() => (index === null || at < 0 ? undefined : cellsOf(caja.current, index)[at])}
            ausente={index === null}
            ahora={celdaOf(clave, columna)}
            cuantos={hechos.current.get(clave) ?? 0}
            turno={turnos[0] === id}
            pedido={pedido?.id === id ? pedido : null}
            formarse={() => setTurnos((todos) => [...todos.filter((otro) => otro !== id), id])}
            contestado={() => setTurnos((todos) => todos.filter((otro) => otro !== id))}
            hecho={() => void hechos.current.set(clave, (hechos.current.get(clave) ?? 0) + 1)}
            cerrar={(texto) => {
              setAbiertos((todos) => todos.filter((otro) => otro.id !== id));
              if (texto) decir(texto);
            }}
            salir={(by) => {
              if (by === undefined || index === null || !abrirEn(index, at + by, by)) volver(clave);
            }}
          />
        );
      })}
      <span role="status" className="oculto">
        {dicho}
      </span>
    </>
  );
}

const DICHO_MS = 4_000;

const cellsOf = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLTableRowElement>(`tr[data-i="${index}"]`)?.cells ?? [];
