import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { focusOn, isFocusFree } from './foco';
import { useHydrated } from './useHydrated';

/**
 * Returns a ref for a heading that takes the focus when an act on this page made it appear. The button of the act is gone by then, so a screen reader goes on
 * from the heading, and so does the next Tab. The heading takes the focus from nothing else, and never on a page just loaded.
 */
export function useArrival<Element extends HTMLElement>(): RefObject<Element> {
  const element = useRef<Element>(null);
  const arrives = useRef(useHydrated());
  useEffect(() => {
    if (arrives.current && isFocusFree()) focusOn(element.current);
  }, []);
  return element;
}

/** The heading of what was just saved, asked for, or come to. */
export function Titular({
  children,
  como: Como = 'h2',
  className,
}: {
  children: ReactNode;
  como?: 'h2' | 'h3';
  className?: string;
}) {
  return (
    <Como ref={useArrival<HTMLHeadingElement>()} tabIndex={-1} data-titular="" className={className}>
      {children}
    </Como>
  );
}
