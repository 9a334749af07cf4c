import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { fieldsIn, focusOn, headingIn, isFocusFree } from './foco';

/** An ancestor of the focused element with its next sibling, so that the place is known when the element is gone. */
type Place = { element: Element; next: Element | null; previous: Element | null };

/**
 * Keeps the focus off the body. The focused element may be removed, hidden or disabled by its own press: the focus then goes to the row that took its place, or
 * to the title of what is left around it. A newly opened screen is read from its title, unless the screen set the focus itself.
 */
export function useFocusGuard() {
  const { state } = useNavigation();
  const { pathname } = useLocation();
  const guard = useRef<ReturnType<typeof watchFocus>>();

  useEffect(() => {
    const watching = watchFocus();
    guard.current = watching;
    return watching.end;
  }, []);
  useEffect(() => {
    if (state === 'idle') guard.current?.lookSoon();
  }, [state]);
  const opened = useRef(pathname);
  useEffect(() => {
    if (pathname === opened.current) return;
    opened.current = pathname;
    return soon(() => {
      const { activeElement } = document;
      if (isFocusFree() || !activeElement?.closest('main, dialog')) focusOn(headingIn(main()), { lend: true });
    });
  }, [pathname]);
}

const main = () => document.querySelector('main') ?? document.body;

/** Runs after effects that choose a better place, which run before the end of the next frame. */
function soon(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

function watchFocus() {
  let path: Place[] = [];
  let cancel = () => {};

  const remember = ({ target }: FocusEvent) => {
    path = [];
    for (let element = target as Element | null; element && element !== document.body; element = element.parentElement)
      path.push({ element, next: element.nextElementSibling, previous: element.previousElementSibling });
  };
  const isLeft = () => {
    const last = path[0]?.element;
    return last !== undefined && last.isConnected && !last.matches(':disabled') && last.getClientRects().length > 0;
  };
  const leave = () =>
    queueMicrotask(() => {
      // A press on the empty page is the person's own choice, and the focus stays there.
      if (document.activeElement === document.body && isLeft()) path = [];
    });
  const look = () => {
    if (path.length === 0 || document.querySelector('dialog:modal') || !isFocusFree()) return;
    if (document.activeElement !== document.body) return;
    const place = path;
    path = [];
    settle(place);
  };
  const lookSoon = () => {
    cancel();
    cancel = soon(look);
  };
  // Only a removed element can take the focus with it.
  const observer = new MutationObserver((changes) => {
    if (
      path.length > 0 &&
      document.activeElement === document.body &&
      changes.some((one) => one.removedNodes.length > 0)
    )
      lookSoon();
  });

  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', leave);
  observer.observe(document.body, { childList: true, subtree: true });
  return {
    lookSoon,
    end() {
      cancel();
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', leave);
    },
  };
}

/** Puts the focus on the nearest remaining place: the element itself if it is back, its neighbour, a field in error, or the title around it. */
function settle(path: Place[]): void {
  const own = path[0]!.element;
  if (own.isConnected && focusOn(own as HTMLElement, { lend: true })) return;
  // The same field may have come back as another element.
  const form = path.find(({ element }) => element instanceof HTMLFormElement && element.isConnected)?.element;
  const again = (form as HTMLFormElement | undefined)?.elements.namedItem(own.getAttribute('name') ?? '');
  if (again instanceof HTMLElement && focusOn(again)) return;
  for (const { element, next, previous } of path) {
    if (element.isConnected) {
      const wrong = element.querySelector<HTMLElement>('[aria-invalid="true"]');
      if (focusOn(wrong ?? headingIn(element), { lend: true })) return;
    } else if (element.matches('tr, li, [role="row"]')) {
      const neighbour = [next, previous].find((one) => one?.isConnected);
      if (neighbour && focusOn(firstIn(neighbour), { lend: true })) return;
    }
  }
  focusOn(headingIn(main()) ?? main(), { lend: true });
}

/** Returns the first field of a row, or the link that opens the row. */
const firstIn = (row: Element) => fieldsIn(row)[0] ?? row.querySelector<HTMLElement>('a[href]');
