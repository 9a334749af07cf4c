import { ScrollRestoration, useLocation, useRevalidator } from '@remix-run/react';
import { useLayoutEffect, useRef } from 'react';

/**
 * Keeps the scroll of the page. The router keeps it for going back, and also when a page is read again: it would pull away a person who scrolled meanwhile,
 * from under their mouse. A page whose address stays is put back to its last position before it is painted.
 */
export function MismoLugar({ nonce }: { nonce?: string }) {
  const lugar = useRef(0);
  return (
    <>
      <Antes lugar={lugar} />
      <ScrollRestoration nonce={nonce} />
      <Despues lugar={lugar} />
    </>
  );
}

type Lugar = { lugar: { current: number } };

/** Both effects run at every change of the router, in the order of the page. */
function Antes({ lugar }: Lugar) {
  useRevalidator();
  useLayoutEffect(() => {
    lugar.current = window.scrollY;
  });
  return null;
}

function Despues({ lugar }: Lugar) {
  useRevalidator();
  const { key } = useLocation();
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key && window.scrollY !== lugar.current) window.scrollTo(0, lugar.current);
    shown.current = key;
  });
  return null;
}
