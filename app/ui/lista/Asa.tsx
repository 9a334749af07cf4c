import type { PointerEvent } from 'react';
import type { Widen } from './useColumnas';

/** The edge of a column, to be dragged by a pointer. The keyboard has the width as a field of 'Columnas', so the edge is no stop for Tab. */
export function Asa({ clave, widen }: { clave: string; widen: Widen }) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    const asa = event.currentTarget;
    const cell = asa.closest('th');
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    asa.setPointerCapture(event.pointerId);
    asa.dataset.activa = '';
    const start = { x: event.clientX, width: cell.offsetWidth };
    const widthAt = (x: number) => start.width + x - start.x;
    const end = new AbortController();
    const over = () => {
      delete asa.dataset.activa;
      end.abort();
    };
    const on = (type: 'pointermove' | 'pointerup' | 'pointercancel', then: (at: globalThis.PointerEvent) => void) =>
      asa.addEventListener(type, then, { signal: end.signal });
    on('pointermove', ({ clientX }) => widen(clave, widthAt(clientX), false));
    on('pointerup', ({ clientX }) => {
      if (clientX !== start.x) widen(clave, widthAt(clientX), true);
      over();
    });
    on('pointercancel', over);
  };
  return <span className="asa" aria-hidden="true" onPointerDown={onPointerDown} />;
}
