import { useNavigate } from '@remix-run/react';
import { useRef } from 'react';
import { useActo, useVuelta } from '~/ui/ficha/useActo';
import { placeOf, type Memory } from '~/ui/lista/usePlace';
import type { Pendiente } from './pendiente';

type Fila = Pick<Pendiente, 'id' | 'state' | 'alarma' | 'tardia'>;

const waits = ({ state, alarma, tardia }: Fila) => state === 'manual' || alarma !== null || tardia;

/** The board as a queue: once a call is decided, the next one that waits for a decision opens, and back returns to the decided one. */
export function useSiguiente(area: string, filas: readonly Pendiente[], abierta: Pendiente | null): void {
  const navigate = useNavigate();
  const avisar = useVuelta(area);
  const memory = useRef<Memory>(new Map());
  useActo<Pendiente>(
    () => {
      if (abierta) placeIn(filas, abierta.id, memory.current);
      return abierta;
    },
    ({ id, que }) => {
      const next = abierta ? undefined : siguienteOf(filas, id, memory.current);
      if (!next) return true;
      avisar(que, `?ver=${id}`);
      navigate(`?ver=${next.id}`, { replace: true, preventScrollReset: true });
      return true;
    },
  );
}

/** Returns the call to decide after this one, whether or not this one is still shown while it is checked; undefined where none waits. */
export function siguienteOf<F extends Fila>(filas: readonly F[], id: string, memory: Memory): F | undefined {
  const esperan = filas.filter((fila) => fila.id !== id && waits(fila));
  const { next, previous } = placeIn(esperan, id, memory);
  return esperan[next ?? previous ?? -1];
}

export function placeIn(filas: readonly Pick<Fila, 'id'>[], id: string, memory: Memory) {
  const indexOf = (key: string) => {
    const at = filas.findIndex((fila) => fila.id === key);
    return at === -1 ? null : at;
  };
  return placeOf(id, memory, { total: filas.length, keyAt: (index) => filas[index]?.id, indexOf });
}
