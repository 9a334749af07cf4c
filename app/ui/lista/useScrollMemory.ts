import { useLocation, useNavigationType } from '@remix-run/react';
import { useRef, type RefObject } from 'react';
import { useBrowserLayout } from '../useBrowserLayout';

/**
 * Remembers the scroll position of a list's own box for each history entry. Back, forward and reload find the position again; a new query begins at the top.
 * A person who scrolls before the position is found stays where they are.
 * `ready`: the box can be scrolled. `whole`: the box has its full height, before which the position may not exist. `first`: the position that the address asks
 * for.
 */
export function useScrollMemory(
  box: RefObject<HTMLElement>,
  { query, ready, whole, first }: { query: string; ready: boolean; whole: boolean; first: number },
) {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const memory = `lista:${pathname}:${key}:${query}`;
  const shown = useRef<string>();
  // The position is kept from scroll events: while rows change, the box would tell the position of another list.
  const top = useRef(0);
  // The position within the served rows, the first of which stands at `first` once the page listens.
  const served = useRef(0);

  useBrowserLayout(() => {
    const element = box.current;
    if (!element) return;
    if (!ready) {
      const look = () => (served.current = element.scrollTop);
      look();
      element.addEventListener('scroll', look, { passive: true });
      return () => element.removeEventListener('scroll', look);
    }
    if (shown.current !== query) {
      const scrolled = served.current;
      const isFirst = shown.current === undefined;
      const remembered = scrolled === 0 && (isFirst || type === 'POP') ? sessionStorage.getItem(memory) : null;
      if (remembered !== null && !whole) {
        // The box of another list moves by itself as its rows go.
        if (!isFirst) return;
        const stay = () => (served.current = element.scrollTop - first);
        element.addEventListener('scroll', stay, { passive: true });
        return () => element.removeEventListener('scroll', stay);
      }
      served.current = 0;
      shown.current = query;
      element.scrollTop = remembered === null ? first + scrolled : Number(remembered);
      top.current = element.scrollTop;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = () => sessionStorage.setItem(memory, String(Math.round(top.current)));
    const follow = () => {
      top.current = element.scrollTop;
      clearTimeout(timer);
      timer = setTimeout(remember, 150);
    };
    element.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('pagehide', remember);
    return () => {
      clearTimeout(timer);
      remember();
      element.removeEventListener('scroll', follow);
      window.removeEventListener('pagehide', remember);
    };
  }, [box, ready, whole, query, memory, type, first]);
}
