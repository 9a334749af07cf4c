import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { focusOn, isFocusFree } from './foco';
import { useHydrated } from './useHydrated';

/**
 * A heading that takes the focus when something done on this page made it appear. The button that did it is gone by
 * then. Whoever cannot see the heading hears it, and the next Tab goes on from there. It takes the focus from nothing
 * else; on a page just loaded the focus stays where the browser puts it.
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
