import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { toInstant } from '~/core/time';
import { formatFecha, formatHace } from '../Fecha';

type Props = {
  /** The box in which the rows scroll. */ caja: RefObject<HTMLElement>;
  /** The row under the keyboard. */ activa: number | null;
  /** True while that row is in the document. */ dibujada: boolean;
  /** The id that describes the row under the keyboard. */ id: string;
};
type Lugar = { texto: string; top: number; left: number };

const TICK_MS = 30_000;
const NINGUNO: Lugar[] = [];

/**
 * Tells how long ago the instants of a list were: the one under the pointer, and all of the row under the keyboard, which are also part of the row's
 * description. Rows themselves show day and hour, so other rows cost nothing, and no instant is a stop for Tab.
 */
export function Edades({ caja, activa, dibujada, id }: Props) {
  const [enfocada, setEnfocada] = useState<number | null>(null);
  const [callada, setCallada] = useState<number | null>(null);
  const [lugares, setLugares] = useState(NINGUNO);
  const [pulso, tick] = useState(0);
  const fila = enfocada ?? activa;

  useEffect(() => {
    const box = caja.current!;
    // Cells are reused when rows scroll, so the row is read anew.
    const point = ({ target }: Event) => {
      const time = target instanceof Element ? target.closest('time') : null;
      if (!time?.dateTime.includes('T')) return;
      const hace = haceOf(time);
      if (hace === null) time.removeAttribute('title');
      else time.title = `${formatFecha(time.dateTime)}, ${hace}`;
    };
    const focus = ({ target }: Event) => {
      const index = (target as Element).closest<HTMLElement>('tr[data-i]')?.dataset.i;
      setEnfocada(index === undefined ? null : Number(index));
    };
    const leave = () => setEnfocada(null);
    box.addEventListener('pointerover', point, { passive: true });
    box.addEventListener('focusin', focus);
    box.addEventListener('focusout', leave);
    return () => {
      box.removeEventListener('pointerover', point);
      box.removeEventListener('focusin', focus);
      box.removeEventListener('focusout', leave);
    };
  }, [caja]);

  useEffect(() => {
    if (fila === null) return;
    const silence = ({ key }: KeyboardEvent) => key === 'Escape' && setCallada(fila);
    document.addEventListener('keydown', silence);
    const timer = setInterval(() => tick((n) => n + 1), TICK_MS);
    return () => {
      document.removeEventListener('keydown', silence);
      clearInterval(timer);
      setCallada(null);
    };
  }, [fila]);

  useLayoutEffect(() => {
    // A table that begins with an open record is drawn before its box is known.
    setLugares(fila === null || !caja.current ? NINGUNO : lugaresOf(caja.current, fila));
  }, [caja, fila, dibujada, pulso]);

  if (lugares.length === 0) return null;
  return (
    <div id={id} className="edades-de-fila" role="tooltip" hidden={fila === callada}>
      {lugares.map(({ texto, top, left }) => (
        <span key={left} style={{ top, left }}>
          {texto}{' '}
        </span>
      ))}
    </div>
  );
}

/** Returns the age; null for an instant in the future. */
function haceOf({ dateTime }: HTMLTimeElement): string | null {
  const ahora = new Date();
  return toInstant(dateTime) > ahora ? null : formatHace(dateTime, ahora);
}

/** Returns the text of each instant of a row and its position in the box, so that the ages scroll with their row. */
function lugaresOf(box: HTMLElement, fila: number): Lugar[] {
  // Day and hour of one instant stand under one another.
  const times = [...box.querySelectorAll<HTMLTimeElement>(`tr[data-i="${fila}"] time[datetime*="T"]`)].filter(
    (time, at, all) => time.dateTime !== all[at - 1]?.dateTime || time.closest('td') !== all[at - 1]!.closest('td'),
  );
  const frame = box.getBoundingClientRect();
  return times.flatMap((time) => {
    const texto = haceOf(time);
    const { top, left } = time.getBoundingClientRect();
    return texto === null
      ? []
      : [
          {
            texto,
            top: Math.round(top - frame.top - box.clientTop + box.scrollTop),
            left: Math.round(left - frame.left - box.clientLeft + box.scrollLeft),
          },
        ];
  });
}
