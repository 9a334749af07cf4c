import { useEffect, type RefObject } from 'react';
import { formatFecha, formatHace } from '../Fecha';

/**
 * A moment in a list tells how long ago it was where the pointer rests on it: rows say the day and the hour, and one that is not pointed at costs neither the
 * server nor the browser anything. A row that scrolls on is told anew, since its cells are used again for others.
 */
export function useEdades(box: RefObject<HTMLElement>) {
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const tell = ({ target }: Event) => {
      const time = target instanceof Element ? target.closest('time') : null;
      if (!time?.dateTime.includes('T')) return;
      const ahora = new Date();
      if (new Date(time.dateTime) > ahora) return time.removeAttribute('title');
      time.title = `${formatFecha(time.dateTime)}, ${formatHace(time.dateTime, ahora)}`;
    };
    list.addEventListener('pointerover', tell, { passive: true });
    return () => list.removeEventListener('pointerover', tell);
  }, [box]);
}
