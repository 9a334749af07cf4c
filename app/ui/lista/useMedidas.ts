import { densidadIn, useFila } from '../Densidad';
import { useMedia } from '../useMedia';
import type { Column } from './column';

/** The heights that a thumb needs; tabla.css sets the same before any script runs. */
const BAJO_EL_PULGAR = { fila: 48, titulos: 44 };
/** The heights of cards; tarjetas.css sets the same. */
const TARJETA = { sin: 104, conAcciones: 152 };

export const hasTarjetas = <Row, Totales>(columns: Column<Row, Totales>[]) => columns.some(({ tarjeta }) => tarjeta);

/** How tall rows and headers are, in px: as this person wants them, never less than a thumb needs, and of a card where a telephone shows rows as cards. */
export function useMedidas<Row, Totales>(
  columns: Column<Row, Totales>[],
  { lines, search }: { lines: 1 | 2; search: string },
) {
  const narrow = useMedia('(max-width: 767px)');
  const coarse = useMedia('(pointer: coarse)');
  const { fila, linea, titulos } = useFila(lines, densidadIn(search));
  if (narrow && hasTarjetas(columns)) {
    const conAcciones = columns.some(({ tarjeta }) => tarjeta === 'acciones');
    return { fila: conAcciones ? TARJETA.conAcciones : TARJETA.sin, linea, titulos: 0 };
  }
  if (!coarse) return { fila, linea, titulos };
  return { fila: Math.max(fila, BAJO_EL_PULGAR.fila), linea, titulos: Math.max(titulos, BAJO_EL_PULGAR.titulos) };
}
