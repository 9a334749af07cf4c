import { useState } from 'react';
import type { Carta, Linea } from '~/platform/hoy/hoy.server';

/**
 * Returns the thing of a card that stands open to be seen to: the first one that nobody else took and that something can be done about here. It stays the same,
 * however the queue moves, until it leaves the queue; and while somebody has something in its form, until they are done.
 */
export function useAbierta({ lineas, total }: Pick<Carta, 'lineas' | 'total'>, yo: string, puede: boolean) {
  const [tenida, tener] = useState<{ linea: Linea; ocupada: boolean } | null>(null);
  const [hechas, hacer] = useState<readonly string[]>([]);
  const [pasadas, dejar] = useState<readonly string[]>([]);
  const [conFoco, enfocar] = useState(false);
  // A page of another process may still tell for a moment what was done here.
  const quedan = lineas.filter(({ id }) => !hechas.includes(id));
  const viejas = hechas.filter((id) => lineas.some((linea) => linea.id === id));
  // A thing that left the queue may come back, as an answer that did not leave.
  if (viejas.length < hechas.length) hacer(viejas);
  const siguiente =
    quedan.find(
      ({ id, dueno, aqui }) => aqui !== false && !pasadas.includes(id) && (dueno === null || dueno.id === yo),
    ) ?? null;
  const misma = quedan.find(({ id }) => id === tenida?.linea.id);
  const abierta = puede ? (misma ?? (tenida?.ocupada ? tenida.linea : siguiente)) : null;
  if (abierta !== (tenida?.linea ?? null))
    tener(abierta && { linea: abierta, ocupada: abierta.id === tenida?.linea.id && tenida.ocupada });
  return {
    abierta,
    otras: quedan.filter((linea) => linea !== abierta),
    total: total - (lineas.length - quedan.length),
    conFoco,
    ocupar: (ocupada: boolean) => abierta && tener({ linea: abierta, ocupada }),
    pasar: (conFoco: boolean) => {
      if (abierta) dejar([...pasadas, abierta.id]);
      tener(null);
      enfocar(conFoco);
    },
    terminar: (conFoco: boolean) => {
      if (abierta) hacer([...hechas, abierta.id]);
      tener(null);
      enfocar(conFoco);
    },
  };
}
