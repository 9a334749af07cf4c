import { useLocation, useNavigationType } from '@remix-run/react';
import { useRef, type RefObject } from 'react';
import { useBrowserLayout } from '../useBrowserLayout';

/**
 * Remembers where a list's own scroll box stands, per history entry. Back, forward and reload find the place again; a
 * new question begins at its top. `ready` says that the box can be scrolled. `whole` says that it has its whole
 * height: before that a remembered place may not be there yet. `first` is the place that the address asks for.
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

  useBrowserLayout(() => {
    const element = box.current;
    if (!ready || !element) return;
    if (shown.current !== query) {
      const remembered = shown.current === undefined || type === 'POP' ? sessionStorage.getItem(memory) : null;
      if (remembered !== null && !whole) return;
      shown.current = query;
      element.scrollTop = remembered === null ? first : Number(remembered);
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
