import { useEffect, type RefObject } from 'react';
import { beginAt, isFocusFree } from './foco';

/** Where the keyboard waits when a step of a form opens. What somebody already took while the page was loading is theirs. */
export function useFoco(step: RefObject<HTMLElement>) {
  useEffect(() => {
    const taken = document.activeElement?.matches('input, select, textarea');
    if (step.current && (!taken || isFocusFree())) beginAt(step.current);
  }, [step]);
}
