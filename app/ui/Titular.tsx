import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useHydrated } from './useHydrated';

/**
 * What takes the focus when it appears because of something done on this very page, whose button is gone by then: whoever cannot see it hears it,
 * and the next Tab goes on from there. It takes it from nothing else, and on a page just loaded the focus stays where the browser puts it.
 */
export function useArrival<Element extends HTMLElement>(): RefObject<Element> {
  const element = useRef<Element>(null);
  const arrives = useRef(useHydrated());
  useEffect(() => {
    const { activeElement, body } = document;
    if (arrives.current && (activeElement === null || activeElement === body)) element.current?.focus();
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
    <Como ref={useArrival<HTMLHeadingElement>()} tabIndex={-1} className={className}>
      {children}
    </Como>
  );
}
