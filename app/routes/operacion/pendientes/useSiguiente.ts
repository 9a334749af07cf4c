import { useNavigate } from '@remix-run/react';
import { useRef } from 'react';
import { useActo, useVuelta } from '~/ui/ficha/useActo';
import { placeOf, type Memory } from '~/ui/lista/usePlace';
import type { Pendiente } from './pendiente';

const waits = ({ state, alarma, tardia }: Pendiente) => state === 'manual' || alarma !== null || tardia;

/** The board as a queue: once a call is decided, the next one that waits for a decision opens, and back returns to the decided one. */
export function useSiguiente(area: string, filas: readonly Pendiente[], abierta: Pendiente | null): void {
  const navigate = useNavigate();
  const avisar = useVuelta(area);
  const memory = useRef<Memory>(new Map());
  const placeIn = (id: string, rows: readonly Pendiente[]) =>
    placeOf(id, memory.current, {
      total: rows.length,
      keyAt: (index) => rows[index]?.id,
      indexOf: (key) => {
        const at = rows.findIndex((row) => row.id === key);
        return at === -1 ? null : at;
      },
    });
  useActo<Pendiente>(
    () => {
      if (abierta) placeIn(abierta.id, filas);
      return abierta;
    },
    ({ id, que }) => {
      if (abierta) return true;
      const esperan = filas.filter((fila) => fila.id !== id && waits(fila));
      const { next, previous } = placeIn(id, esperan);
      const fila = esperan[next ?? previous ?? -1];
      if (!fila) return true;
      avisar(que, `?ver=${id}`);
      navigate(`?ver=${fila.id}`, { replace: true, preventScrollReset: true });
      return true;
    },
  );
}
