import { useEffect, useState } from 'react';
import type { Column } from './column';

export const hasTarjetas = <Row, Totales>(columns: Column<Row, Totales>[]) => columns.some(({ tarjeta }) => tarjeta);

/**
 * How tall a row is where a telephone shows it as a card; 0 where it is a row. The server writes rows, and tarjetas.css makes them cards of this height
 * before anything runs.
 */
export function useTarjetas<Row, Totales>(columns: Column<Row, Totales>[]): number {
  const [narrow, setNarrow] = useState(false);
  useEffect(() => {
    const query = matchMedia('(max-width: 767px)');
    const look = () => setNarrow(query.matches);
    look();
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  if (!narrow || !hasTarjetas(columns)) return 0;
  return columns.some(({ tarjeta }) => tarjeta === 'acciones') ? 152 : 104;
}
