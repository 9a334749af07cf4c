import { useCallback, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useBrowserLayout } from '../useBrowserLayout';
import { rowsInSight, scrollFor, type Heights } from './heights';

/** The number of rows that may pass before the list is drawn anew. */
const STEP = 4;

/** Said of a table whose last columns lie beyond the right edge. */
const MAS_COLUMNAS = 'Hay más columnas a la derecha.';

/**
 * Returns the rows in sight of the scrolling box, with a few on either side. Rows of one height need no measuring. The position is read before each paint, so
 * no row is missing, and the list is drawn anew only once in several rows. Columns beyond the edge are told on the box and on its table.
 */
export function useInSight(box: RefObject<HTMLElement>, heights: Heights) {
  const [place, setPlace] = useState({ top: 0, height: 0 });
  const known = useRef(heights);
  useBrowserLayout(() => {
    known.current = heights;
  });
  useBrowserLayout(() => {
    const element = box.current;
    if (!element) return;
    const tabla = element.firstElementChild!;
    const look = () => {
      const step = STEP * known.current.row;
      const top = Math.floor(element.scrollTop / step) * step;
      const height = element.clientHeight && element.clientHeight + step;
      setPlace((was) => (was.top === top && was.height === height ? was : { top, height }));
      const mas = element.scrollWidth - element.clientWidth - element.scrollLeft > 1;
      if (element.toggleAttribute('data-mas', mas)) tabla.setAttribute('aria-description', MAS_COLUMNAS);
      else tabla.removeAttribute('aria-description');
    };
    const follow = () => flushSync(look);
    look();
    element.addEventListener('scroll', follow, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    resized.observe(tabla);
    return () => {
      element.removeEventListener('scroll', follow);
      resized.disconnect();
    };
  }, [box]);

  const scrollTo = useCallback(
    (index: number) => {
      const element = box.current;
      if (element) element.scrollTop = scrollFor(index, known.current, element.scrollTop, element.clientHeight);
    },
    [box],
  );
  return { ...rowsInSight(heights, place.top, place.height), scrollTo };
}
