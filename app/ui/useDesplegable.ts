import { useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/**
 * Returns a ref for a `<details>` that hangs from a bar: it closes by Escape, by a press beside it, with another page, and with another `address` of the same
 * page.
 */
export function useDesplegable(address?: string) {
  const box = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();

  useEffect(() => {
    box.current?.removeAttribute('open');
  }, [pathname, address]);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = box.current;
      // A question asked inside the box is answered first.
      if (!menu?.open || menu.querySelector('dialog')) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : menu.contains(event.target as Node)) return;
      menu.removeAttribute('open');
      // The panel of a record stays.
      if (isKey) event.preventDefault();
    };
    document.addEventListener('click', close);
    // Before the keys of the page, of which Escape is one.
    document.addEventListener('keydown', close, { capture: true });
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close, { capture: true });
    };
  }, []);
  return box;
}
