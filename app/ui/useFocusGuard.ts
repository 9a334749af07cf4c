import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { fieldsIn, focusOn, headingIn, isFocusFree } from './foco';

/** An ancestor of what had the focus, and who stood beside it, so that its place is known when it is gone. */
type Place = { element: Element; next: Element | null; previous: Element | null };

/**
 * The focus never falls to the body. What had it may be removed, hidden or disabled by its own press: then it goes where the person works, to the row that
 * took its place, or to the title of what is left around it. A screen that opens is read from its title, unless it put the focus somewhere itself.
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

/** After whoever has a better place took it: their effects run before the next frame is over. */
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
      // A press beside everything is the person's own: nobody takes it from them.
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
  // Only what is removed can take the focus with it.
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

/** From the inside out: itself if it is back, its neighbour, a field in error, the title around it. */
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

/** Of a row: what is typed in it, or the link that opens it. */
const firstIn = (row: Element) => fieldsIn(row)[0] ?? row.querySelector<HTMLElement>('a[href]');
