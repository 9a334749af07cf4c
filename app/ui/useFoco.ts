import { useEffect, type RefObject } from 'react';

/**
 * Where the keyboard waits when a step of a form opens: the element with `data-foco`. By script and not by the attribute of HTML, since the
 * browser scrolls to that one; and not for whoever touches the screen, where a focus only brings the keyboard up. What somebody already took
 * while the page was loading is theirs.
 */
export function useFoco(form: RefObject<HTMLElement>) {
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body && activeElement.matches('input, select, textarea')) return;
    if (window.matchMedia('(pointer: fine)').matches)
      form.current?.querySelector<HTMLElement>('[data-foco]')?.focus({ preventScroll: true });
  }, [form]);
}
